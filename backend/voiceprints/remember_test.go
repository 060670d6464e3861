package voiceprints

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/diarize/diarizetest"
)

// library is a service on a folder, with the transcripts of the toy recording: Anna is A, Speaker 2 is B, Speaker 3 is C.
type library struct {
	*Service
	t     *testing.T
	dir   string
	model *diarizetest.Model
	talks map[string]backend.Transcript
	now   time.Time
	ids   int
	told  []string
	log   bytes.Buffer
}

func (l *library) Transcript(_ context.Context, id string) (backend.Transcript, error) {
	if t, ok := l.talks[id]; ok {
		return t, nil
	}
	return backend.Transcript{}, backend.E(backend.CodeTranscriptNotFound, "No transcript has this id.", "Check the list.")
}

func newLibrary(t *testing.T) *library {
	t.Helper()
	l := &library{t: t, dir: t.TempDir(), model: diarizetest.New(t), talks: map[string]backend.Transcript{}}
	l.now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	sound := filepath.Join(l.dir, "talk.wav")
	write(t, sound, 0, 60)
	line := func(id int, start, end float64, speaker string) backend.Segment {
		return backend.Segment{ID: id, Start: start, End: end, Text: " Words.", Speaker: speaker, SpeakerFound: speaker != "Anna"}
	}
	l.talks["one"] = backend.Transcript{ID: "one", AudioPath: sound, Segments: []backend.Segment{
		line(1, 0.5, 4, "Anna"), line(2, 4.4, 7, "Speaker 2"), line(3, 29, 31, "Speaker 2"), line(4, 17, 19.5, "Speaker 3"),
	}}
	second := l.talks["one"]
	second.ID = "two"
	second.Segments = []backend.Segment{line(1, 0.5, 4, "Anna"), line(2, 11, 13, "Anna")}
	l.talks["two"] = second
	l.open()
	return l
}

func (l *library) folder() string { return filepath.Join(l.dir, "speakers") }
func (l *library) former() string { return filepath.Join(l.dir, "before-restore", "speakers") }

// open starts the program.
func (l *library) open() {
	log := slog.New(slog.NewTextHandler(&l.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	l.Service = New(Options{
		Diarizers: l.model, Codecs: audio.FindCodecs(), Store: Open(l.folder(), l.former(), log), Transcripts: l,
		Consent: func(kind backend.ConsentKind, by string) (backend.Consent, error) {
			if kind == "" {
				return backend.Consent{}, backend.Invalid("missing", "Field required", "body", "consent")
			}
			return backend.Consent{Kind: kind, By: by, At: l.now}, nil
		},
		Changed: func(id string) { l.told = append(l.told, id) },
		Now:     func() time.Time { return l.now },
		NewID:   func() string { l.ids++; return fmt.Sprintf("id-%d", l.ids) },
	})
}

func (l *library) remember(talk, speaker, name string) (KnownSpeaker, bool) {
	l.t.Helper()
	known, created, err := l.Remember(l.t.Context(), NewSpeaker{
		TranscriptID: talk, Speaker: speaker, Name: name, Consent: backend.ConsentPermission, By: "Ada",
	})
	require.NoError(l.t, err)
	return known, created
}

func (l *library) print(from, to float64) []float32 {
	l.t.Helper()
	loaded, err := l.model.AcquireDiarizerDownloaded(l.t.Context())
	require.NoError(l.t, err)
	print, ok, err := loaded.Print(l.t.Context(), diarizetest.Tones(l.t, from, to))
	require.NoError(l.t, err)
	require.True(l.t, ok)
	return print
}

func TestRememberAndRecognise(t *testing.T) {
	l := newLibrary(t)
	anna, created := l.remember("one", "Anna", "")
	require.True(t, created)
	require.Equal(t, KnownSpeaker{
		ID: "id-1", Name: "Anna", Seconds: 3.5, Recordings: 1, Usable: true, CreatedAt: l.now, UpdatedAt: l.now,
		Consent: backend.Consent{Kind: backend.ConsentPermission, By: "Ada", At: l.now},
	}, anna)
	ben, _ := l.remember("one", "Speaker 2", " Ben ")
	require.Equal(t, []any{"Ben", 4.6}, []any{ben.Name, ben.Seconds})
	info, err := os.Stat(filepath.Join(l.folder(), "id-1.json"))
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o600), info.Mode().Perm())

	l.open()
	names, prints := []string{"Speaker 1", "Speaker 2", "Speaker 3"}, [][]float32{l.print(29, 31), l.print(11, 13), l.print(17, 20)}
	got := l.o.Store.Match(l.model.Files, names, prints)
	require.Len(t, got, 2, "nobody sounds like the third")
	require.Equal(t, []string{"Speaker 1", "id-2", "Speaker 2", "id-1"}, []string{got[0].Speaker, got[0].Known, got[1].Speaker, got[1].Known})
	require.Greater(t, got[0].Cosine, 0.9)

	less := l.print(29, 31)
	for i, x := range l.print(17, 20) {
		less[i] += 0.5 * x
	}
	two := l.o.Store.Match(l.model.Files, []string{"Speaker 1", "Speaker 2"}, [][]float32{less, l.print(4.4, 7)})
	require.Len(t, two, 1, "one person is in a transcript once")
	require.Equal(t, "Speaker 2", two[0].Speaker, "who is most like her")
	set := l.o.Store.Match(l.model.Files, []string{"Speaker 1", "Berta"}, [][]float32{less, l.print(4.4, 7)})
	require.Empty(t, set, "a name that a person gave stays, and nobody else is the same person")

	require.True(t, l.o.Store.Knows(l.model.Files))
	other := []backend.FileHash{{Path: "tones.onnx", SHA256: "2"}}
	require.False(t, l.o.Store.Knows(other))
	require.Empty(t, l.o.Store.Match(other, names, prints), "prints of another version of the model are not compared")
}

func TestRememberAgain(t *testing.T) {
	l := newLibrary(t)
	first, _ := l.remember("one", "Anna", "")
	l.now = l.now.Add(time.Hour)
	again, created := l.remember("two", "Anna", "ANNA")
	require.False(t, created)
	require.Equal(t, []any{first.ID, "Anna", 2, 9.0}, []any{again.ID, again.Name, again.Recordings, again.Seconds})
	require.Equal(t, []time.Time{first.CreatedAt, l.now, l.now}, []time.Time{again.CreatedAt, again.UpdatedAt, again.Consent.At})
	again, _ = l.remember("two", "Anna", "Anna")
	require.Equal(t, 2, again.Recordings, "the same lines do not count twice")
	require.Equal(t, []KnownSpeaker{again}, l.Speakers())
	require.Equal(t, []string{"id-1", "id-1", "id-1"}, l.told)

	l.model.Files = []backend.FileHash{{Path: "tones.onnx", SHA256: "2"}}
	require.False(t, l.Speakers()[0].Usable)
	again, _ = l.remember("two", "Anna", "")
	require.Equal(t, []any{1, true}, []any{again.Recordings, again.Usable}, "the prints of the former model are replaced")
	l.model.Missing = true
	require.False(t, l.Speakers()[0].Usable)
}

// TestLinesAtOnce: what is in two lines of a speaker is heard and counted once, up to the end of the line that ends last.
func TestLinesAtOnce(t *testing.T) {
	l := newLibrary(t)
	for id, c := range map[string]struct {
		lines   [][2]float64
		seconds float64 // 0: too few
	}{
		"within":  {[][2]float64{{0.5, 4}, {1, 2}}, 3.5},
		"overlap": {[][2]float64{{0.5, 2}, {1.5, 3}, {2.5, 4}}, 3.5},
		"twice":   {[][2]float64{{0.5, 4}, {0.5, 4}}, 3.5},
		"around":  {[][2]float64{{1, 2}, {0.5, 4}}, 3.5},
		"too few": {[][2]float64{{0.5, 2.5}, {0.75, 2.75}}, 0},
		"ends":    {[][2]float64{{0.5, 49}, {1, 2}}, 48.5},
	} {
		talk := l.talks["one"]
		talk.ID, talk.Segments = id, nil
		for i, line := range c.lines {
			// The last line is set by a person, so that it is heard first.
			talk.Segments = append(talk.Segments, backend.Segment{
				ID: i, Start: line[0], End: line[1], Speaker: "Anna", SpeakerFound: i < len(c.lines)-1,
			})
		}
		l.talks[id] = talk
		known, _, err := l.Remember(t.Context(), NewSpeaker{
			TranscriptID: id, Speaker: "Anna", Name: id, Consent: backend.ConsentOwnVoice,
		})
		if c.seconds == 0 {
			require.ErrorContains(t, err, "3 seconds", id)
			continue
		}
		require.NoError(t, err, id)
		require.InDelta(t, c.seconds, known.Seconds, 0.001, id)
	}
}

// mute hears a voice without a direction.
type mute struct{ *diarizetest.Model }

type muteDiarizer struct{ engines.Diarizer }

func (m mute) AcquireDiarizerDownloaded(ctx context.Context) (*engines.LoadedDiarizer, error) {
	loaded, err := m.Model.AcquireDiarizerDownloaded(ctx)
	if err == nil {
		loaded.Diarizer = muteDiarizer{loaded.Diarizer}
	}
	return loaded, err
}

func (muteDiarizer) Print(context.Context, []float32) (vector []float32, ok bool, err error) {
	return make([]float32, 4), true, nil
}

// TestAPrintThatIsLikeNobody is refused: the next start could not read it.
func TestAPrintThatIsLikeNobody(t *testing.T) {
	l := newLibrary(t)
	l.o.Diarizers = mute{l.model}
	var invalid *backend.ValidationError
	_, _, err := l.Remember(t.Context(), NewSpeaker{TranscriptID: "one", Speaker: "Anna", Consent: backend.ConsentOwnVoice})
	require.ErrorAs(t, err, &invalid)
	require.ErrorContains(t, err, "3 seconds")
	require.Empty(t, l.Speakers())
	require.NoDirExists(t, l.folder())
}

func TestTheLastRecordingsAreKept(t *testing.T) {
	l := newLibrary(t)
	for i := range maxKept + 2 {
		talk := l.talks["two"]
		talk.ID = fmt.Sprintf("talk-%d", i)
		l.talks[talk.ID] = talk
		known, _ := l.remember(talk.ID, "Anna", "")
		require.Equal(t, min(i+1, maxKept), known.Recordings)
	}
}

func TestWhatCannotBeRemembered(t *testing.T) {
	l := newLibrary(t)
	for name, c := range map[string]struct {
		n    NewSpeaker
		says string
	}{
		"no consent":       {NewSpeaker{TranscriptID: "one", Speaker: "Anna"}, "Field required"},
		"a number as name": {NewSpeaker{TranscriptID: "one", Speaker: "Speaker 2", Consent: backend.ConsentOwnVoice}, "should be the name of a person"},
		"a long name":      {NewSpeaker{TranscriptID: "one", Speaker: "Anna", Name: strings.Repeat("a", 101), Consent: backend.ConsentOwnVoice}, "100"},
		"nobody there":     {NewSpeaker{TranscriptID: "one", Speaker: "Zoë", Consent: backend.ConsentOwnVoice}, "no speaker Zoë"},
		"little speech":    {NewSpeaker{TranscriptID: "one", Speaker: "Speaker 3", Name: "Carl", Consent: backend.ConsentOwnVoice}, "3 seconds"},
	} {
		var invalid *backend.ValidationError
		_, _, err := l.Remember(t.Context(), c.n)
		require.ErrorAs(t, err, &invalid, name)
		require.Contains(t, invalid.Error(), c.says, name)
	}
	good := NewSpeaker{TranscriptID: "none", Speaker: "Anna", Consent: backend.ConsentOwnVoice}
	_, _, err := l.Remember(t.Context(), good)
	require.Equal(t, backend.CodeTranscriptNotFound, backend.CodeOf(err))
	good.TranscriptID = "one"
	l.model.Missing = true
	_, _, err = l.Remember(t.Context(), good)
	require.Equal(t, backend.CodeModelNotDownloaded, backend.CodeOf(err))
	l.model.Missing = false
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err = l.Remember(ended, good)
	require.Equal(t, backend.CodeCancelled, backend.CodeOf(err))
	require.NoError(t, os.Remove(filepath.Join(l.dir, "talk.wav")))
	_, _, err = l.Remember(t.Context(), good)
	require.Equal(t, backend.CodeAudioMissing, backend.CodeOf(err))
	require.NoDirExists(t, l.folder())
	require.Empty(t, l.told)
}

func TestForget(t *testing.T) {
	l := newLibrary(t)
	l.remember("one", "Anna", "")
	require.NoError(t, os.MkdirAll(l.former(), 0o700))
	require.NoError(t, os.Link(filepath.Join(l.folder(), "id-1.json"), filepath.Join(l.former(), "id-1.json")))
	require.NoError(t, l.Forget("id-1"))
	for _, dir := range []string{l.folder(), l.former()} {
		require.NoFileExists(t, filepath.Join(dir, "id-1.json"), "at once, also what a restore replaced")
	}
	require.Empty(t, l.Speakers())
	require.Empty(t, l.o.Store.Match(l.model.Files, []string{"Speaker 1"}, [][]float32{l.print(0.5, 4)}))
	_, ok := l.o.Store.Name("id-1")
	require.False(t, ok)
	require.Equal(t, backend.CodeNotFound, backend.CodeOf(l.Forget("id-1")))
}

// TestForgetWhatHasAnotherID: the person of another library has another id, and is forgotten by name; other people stay.
func TestForgetWhatHasAnotherID(t *testing.T) {
	l := newLibrary(t)
	l.remember("one", "Anna", "ANNA")
	l.remember("one", "Speaker 2", "Ben")
	l.open()
	require.NoError(t, l.Forget("id-2"))
	require.NoError(t, os.MkdirAll(filepath.Dir(l.former()), 0o700))
	require.NoError(t, os.Rename(l.folder(), l.former()))
	l.open()
	l.remember("one", "Speaker 2", "Ben")
	l.remember("one", "Anna", "")
	l.remember("one", "Speaker 2", "Berta")
	require.NoError(t, l.Forget("id-3"))
	require.FileExists(t, filepath.Join(l.former(), "id-1.json"))
	require.NoError(t, l.Forget("id-4"))
	require.NoFileExists(t, filepath.Join(l.former(), "id-1.json"))
	require.Len(t, l.Speakers(), 1)
}

// TestForgetFailsHalfway: a speaker is known as long as the file is there, and what failed can be done again.
func TestForgetFailsHalfway(t *testing.T) {
	for name, copied := range map[string]string{"of the same id": "id-1.json", "of another id": "id-0.json"} {
		l := newLibrary(t)
		l.remember("one", "Anna", "")
		obstacle := filepath.Join(l.former(), "id-1.json", "x")
		require.NoError(t, os.MkdirAll(obstacle, 0o700), name)
		if copied != "id-1.json" {
			require.NoError(t, os.Link(filepath.Join(l.folder(), "id-1.json"), filepath.Join(l.former(), copied)))
		}
		require.Error(t, l.Forget("id-1"), name)
		_, err := os.Stat(filepath.Join(l.folder(), "id-1.json"))
		_, known := l.o.Store.Name("id-1")
		require.Equal(t, err == nil, known, name)
		require.NoError(t, os.RemoveAll(filepath.Join(l.former(), "id-1.json")))
		require.NoError(t, l.Forget("id-1"), name)
		require.Empty(t, l.Speakers())
		for _, dir := range []string{l.folder(), l.former()} {
			entries, err := os.ReadDir(dir)
			require.NoError(t, err)
			require.Empty(t, entries, name)
		}
	}
}

func TestRename(t *testing.T) {
	l := newLibrary(t)
	anna, _ := l.remember("one", "Anna", "")
	l.remember("one", "Speaker 2", "Ben")
	renamed, err := l.Rename(anna.ID, " anna ")
	require.NoError(t, err)
	require.Equal(t, "anna", renamed.Name)
	l.open()
	name, ok := l.o.Store.Name(anna.ID)
	require.Equal(t, []any{"anna", true}, []any{name, ok})
	var invalid *backend.ValidationError
	for _, name := range []string{"BEN", " ", strings.Repeat("x", 101)} {
		_, err = l.Rename(anna.ID, name)
		require.ErrorAs(t, err, &invalid)
	}
	_, err = l.Rename("id-9", "Zoë")
	require.Equal(t, backend.CodeNotFound, backend.CodeOf(err))
}

// TestDamagedFiles: whatever is in the folder, the program starts with what can be read, and says which files cannot.
func TestDamagedFiles(t *testing.T) {
	l := newLibrary(t)
	l.remember("one", "Anna", "")
	good, err := os.ReadFile(filepath.Join(l.folder(), "id-1.json"))
	require.NoError(t, err)
	damaged := map[string]string{
		"id-2.json": "", "id-3.json": "{", "id-4.json": string(good[:len(good)/2]), "id-5.json": string(good), // of another id
		"id-6.json": `{"version":1,"id":"id-6","name":"Zoë","consent":{"kind":"own_voice"},"recordings":[{"seconds":3,"print":[0,0]}]}`,
		"id-7.json": `{"version":1,"id":"id-7","name":"Zoë","consent":{"kind":"own_voice"},"recordings":[{"seconds":3,"print":[1]},{"seconds":3,"print":[1,2]}]}`,
		"id-8.json": `{"version":2,"id":"id-8","name":"Zoë","consent":{"kind":"own_voice"},"recordings":[{"seconds":3,"print":[1]}]}`,
		"id-9.json": `{"version":1,"id":"id-9","name":"Zoë","consent":{"kind":"none"},"recordings":[{"seconds":3,"print":[1e38]}]}`,
	}
	for name, content := range damaged {
		require.NoError(t, os.WriteFile(filepath.Join(l.folder(), name), []byte(content), 0o600))
	}
	require.NoError(t, os.Mkdir(filepath.Join(l.folder(), "id-10.json"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(l.folder(), ".new-ABC"), []byte("half of a file"), 0o600))
	l.open()
	require.Len(t, l.Speakers(), 1)
	require.NoFileExists(t, filepath.Join(l.folder(), ".new-ABC"), "what a killed process left")
	people, files, err := Examine(l.folder())
	require.NoError(t, err)
	require.Equal(t, 1, people)
	require.Len(t, files, len(damaged), "that of a newer program is not damaged")
	require.NotContains(t, files, filepath.Join(l.folder(), "id-8.json"))
	require.NoError(t, l.Forget("id-3"), "a damaged one can be removed")
	require.NoFileExists(t, filepath.Join(l.folder(), "id-3.json"))
	people, files, err = Examine(filepath.Join(l.dir, "none"))
	require.NoError(t, err)
	require.Zero(t, people+len(files))
}

// TestNewerFiles: a file of a newer program stays, and who looks for faults is not told to delete it.
func TestNewerFiles(t *testing.T) {
	l := newLibrary(t)
	require.NoError(t, os.MkdirAll(l.folder(), 0o700))
	const content = `{"version":2,"id":{"new":"form"}}`
	path := filepath.Join(l.folder(), "id-1.json")
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	l.open()
	require.Empty(t, l.Speakers())
	_, _, err := Examine(l.folder())
	require.Equal(t, backend.CodeDatabaseNewer, backend.CodeOf(err))
	require.ErrorContains(t, err, path)
	require.Contains(t, backend.AsError(err).Remedy, "Install the current version")
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, content, string(raw))
}

// TestNothingOfThemIsLogged: neither a name nor a number of a print is in the log, at any level.
func TestNothingOfThemIsLogged(t *testing.T) {
	l := newLibrary(t)
	l.remember("one", "Anna", "")
	require.NoError(t, os.WriteFile(filepath.Join(l.folder(), "id-2.json"), []byte(`{"name":"Anna","print":[0.125]}`), 0o600))
	l.open()
	_, _, err := l.Remember(t.Context(), NewSpeaker{TranscriptID: "one", Speaker: "Speaker 3", Name: "Anna", Consent: backend.ConsentOwnVoice})
	require.Error(t, err)
	require.Contains(t, l.log.String(), "id-2")
	require.NotContains(t, l.log.String(), "Anna")
	require.NotContains(t, l.log.String(), "0.125")
}
