package export_test

import (
	"archive/zip"
	"bytes"
	"context"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/export"
	"github.com/voicewright/voicewright/backend/filename"
)

// exportScript returns name and content of an export, and requires that nothing is left of it.
func (l *library) exportScript(id, format string) (string, []byte) {
	l.t.Helper()
	e, err := l.exports.Script(l.t.Context(), id, format, audio.ExportOptions{})
	require.NoError(l.t, err)
	raw, err := os.ReadFile(e.Path)
	require.NoError(l.t, err)
	e.Close()
	require.NoFileExists(l.t, e.Path)
	return e.Name, raw
}

func TestExportScript(t *testing.T) {
	l := newLibrary(t)
	s, err := l.speech.Scripts.Script(t.Context(), l.script("Who is there at this hour?", "Nobody at all, as you can see. [pause 1s] Good night, and sleep well.", "Good enough for the two of us."))
	require.NoError(t, err)
	for format, mark := range map[string]string{"": "WAVE", "wav": "WAVE", "flac": "fLaC", "mp3": "ID3", "opus": "OpusHead", "m4a": "ftyp"} {
		name, raw := l.exportScript(s.ID, format)
		if format == "" {
			format = "wav"
		}
		require.Equal(t, "A play."+format, name)
		require.Contains(t, string(raw[:min(len(raw), 200)]), mark, format)
		if format == "mp3" {
			require.Contains(t, string(raw[:512]), "synthetic speech")
		}
	}
	require.FileExists(t, s.AudioPath)

	_, srt := l.exportScript(s.ID, "srt")
	cues := strings.Split(strings.TrimSpace(string(srt)), "\n\n")
	require.Len(t, cues, 4, "a cue for each chunk, none over the pause")
	require.Contains(t, cues[3], "Good enough for the two of us.")
	require.NotContains(t, string(srt), "pause")
	at := func(seconds float64) string {
		return "00:00:" + strings.ReplaceAll(time.Time{}.Add(time.Duration(seconds*float64(time.Second)).Round(time.Millisecond)).Format("05.000"), ".", ",")
	}
	second := s.Turns[0].Duration + 0.3
	require.Contains(t, cues[1], at(second+s.Turns[1].Chunks[0].Start)+" --> ")
	third := second + s.Turns[1].Duration + 0.3
	require.Contains(t, cues[3], at(third+s.Turns[2].Chunks[0].Start)+" --> ")
	_, vtt := l.exportScript(s.ID, "vtt")
	require.True(t, strings.HasPrefix(string(vtt), "WEBVTT"))
}

// TestSpeakersOfAScript has their names in subtitles, tags and file names.
func TestSpeakersOfAScript(t *testing.T) {
	l := newLibrary(t)
	r := l.script("Who is there? [pause 1s] Answer me.", "Nobody.", "Good.")
	r.Speakers = []string{"Cleo", "Ben", ""}
	s, err := l.speech.Scripts.Script(t.Context(), r)
	require.NoError(t, err)
	profile := s.Turns[2].ProfileName
	_, srt := l.exportScript(s.ID, "srt")
	for _, line := range []string{"\nCleo: Who is there?", "\nAnswer me.", "\nBen: Nobody.", "\n" + profile + ": Good."} {
		require.Contains(t, string(srt), line)
	}
	_, vtt := l.exportScript(s.ID, "vtt")
	for _, line := range []string{"<v Cleo>Who is there?", "<v Cleo>Answer me.", "<v Ben>Nobody.", "<v " + profile + ">Good."} {
		require.Contains(t, string(vtt), line)
	}
	_, mp3 := l.exportScript(s.ID, "mp3")
	require.Contains(t, string(mp3[:512]), "Cleo, Ben, "+profile)

	var out bytes.Buffer
	require.NoError(t, l.exports.Zip(t.Context(), &out, []string{s.Turns[0].ID, s.Turns[1].ID}, []string{"01 Anna/ Who is there?"}, "wav", audio.ExportOptions{}))
	archive, err := zip.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len()))
	require.NoError(t, err)
	var names []string
	for _, f := range archive.File {
		names = append(names, f.Name)
	}
	require.Equal(t, filename.Safe("01 Anna/ Who is there?", "")+".wav", names[0])
	require.Equal(t, s.Turns[1].FileName()+".wav", names[1])
}

// TestExportOfAChangedScript requires that subtitles match the audio.
func TestExportOfAChangedScript(t *testing.T) {
	l := newLibrary(t)
	s, err := l.speech.Scripts.Script(t.Context(), l.script("One.", "Two."))
	require.NoError(t, err)
	_, err = l.exports.Script(t.Context(), s.ID, "exe", audio.ExportOptions{})
	requireInvalid(t, "enum", "format", err)
	_, err = l.exports.Script(t.Context(), "nobody", "wav", audio.ExportOptions{})
	requireCode(t, backend.CodeScriptNotFound, err)

	before := s.Turns[0]
	turn, err := l.speech.Takes.RegenerateChunk(t.Context(), before.ID, 0, nil, true)
	require.NoError(t, err)
	require.InDelta(t, before.Duration, turn.Duration, 1e-9, "the length is the same")
	_, err = l.exports.Script(t.Context(), s.ID, "srt", audio.ExportOptions{})
	require.Equal(t, s.ID, failure(t, backend.CodeNotInProgress, err).Params["script_id"])
	_, err = l.speech.Scripts.JoinScript(t.Context(), s.ID)
	require.NoError(t, err)
	l.exportScript(s.ID, "srt")

	// Of a script that was joined before the hashes of turns were stored, the length decides.
	for _, seconds := range []float64{0, 1} {
		_, err = l.db.UpdateScript(t.Context(), s.ID, func(row *backend.Script) error {
			row.Joined, row.Duration = nil, row.Duration+seconds
			return nil
		})
		require.NoError(t, err)
		_, err = l.exports.Script(t.Context(), s.ID, "vtt", audio.ExportOptions{})
		require.Equal(t, seconds > 0, err != nil, "%v", err)
	}

	_, err = l.speech.Generations.Archive.Delete(t.Context(), []string{s.Turns[0].ID})
	require.NoError(t, err)
	_, err = l.exports.Script(t.Context(), s.ID, "srt", audio.ExportOptions{})
	require.Equal(t, s.ID, failure(t, backend.CodeGenerationNotFound, err).Params["script_id"])
	name, _ := l.exportScript(s.ID, "wav")
	require.Equal(t, "A play.wav", name, "the audio still exists")
	require.NoError(t, os.Remove(s.AudioPath))
	_, err = l.exports.Script(t.Context(), s.ID, "wav", audio.ExportOptions{})
	missing := failure(t, backend.CodeAudioMissing, err)
	require.Contains(t, missing.Detail, "script")
	require.Contains(t, missing.Remedy, "Join")
}

// deletesFirst is an encoder whose source is deleted just before it begins.
type deletesFirst struct{ export.Encoder }

func (e deletesFirst) Export(ctx context.Context, from, to, format string, meta map[string]string, o audio.ExportOptions) error {
	if err := os.Remove(from); err != nil {
		return err
	}
	return e.Encoder.Export(ctx, from, to, format, meta, o)
}

// TestExportOfDeletedAudio deletes the audio of a script and of a generation during the export.
func TestExportOfDeletedAudio(t *testing.T) {
	l := newLibrary(t)
	l.options.Encoder = deletesFirst{l.options.Encoder}
	l.exports = export.New(l.options)
	s, err := l.speech.Scripts.Script(t.Context(), l.script("One.", "Two."))
	require.NoError(t, err)
	_, err = l.exports.Script(t.Context(), s.ID, "wav", audio.ExportOptions{})
	require.Equal(t, s.ID, failure(t, backend.CodeAudioMissing, err).Params["script_id"])
	_, err = l.exports.Generation(t.Context(), s.Turns[0].ID, "mp3", audio.ExportOptions{})
	require.Equal(t, s.Turns[0].ID, failure(t, backend.CodeAudioMissing, err).Params["generation_id"])
	require.Equal(t, []string{s.Turns[1].AudioPath}, l.files())
}

// replacesFirst is an encoder whose source is replaced just before it begins, once.
type replacesFirst struct {
	export.Encoder
	once    *sync.Once
	replace func()
}

func (e replacesFirst) Export(ctx context.Context, from, to, format string, meta map[string]string, o audio.ExportOptions) error {
	e.once.Do(e.replace)
	return e.Encoder.Export(ctx, from, to, format, meta, o)
}

// TestExportOfAudioThatIsReplaced chooses another take during the export, which is then of that take.
func TestExportOfAudioThatIsReplaced(t *testing.T) {
	l := newLibrary(t)
	g := l.speak(l.request(threeSentences))
	l.options.Encoder = replacesFirst{l.options.Encoder, new(sync.Once), func() {
		var err error
		g, err = l.speech.Takes.RegenerateChunk(t.Context(), g.ID, 0, nil, true)
		require.NoError(t, err)
	}}
	l.exports = export.New(l.options)
	e, err := l.exports.Generation(t.Context(), g.ID, "wav", audio.ExportOptions{})
	require.NoError(t, err)
	defer e.Close()
	stored, err := os.ReadFile(g.AudioPath)
	require.NoError(t, err)
	raw, err := os.ReadFile(e.Path)
	require.NoError(t, err)
	require.Equal(t, stored[44:], raw[44:len(stored)])
}
