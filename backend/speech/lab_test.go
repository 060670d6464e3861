package speech_test

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/proof"
	"github.com/voicewright/voicewright/backend/sqlite"
	"github.com/voicewright/voicewright/backend/sqlite/sqlitetest"
	"github.com/voicewright/voicewright/backend/studio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// How long a test waits for what must happen, and how often it looks.
const (
	waitLimit = 30 * time.Second
	waitStep  = 2 * time.Millisecond
)

// lab is a Service on a real store with fixture engines.
type lab struct {
	t        *testing.T
	dir      string // of the audio
	db       *sqlite.DB
	modelSet *modelSet
	options  studio.Options
	service  *studio.Studio
	profile  backend.Profile
	words    []backend.Pronunciation // the user's dictionary
	pauses   backend.Pauses          // of the settings
	verify   proof.Settings          // of the settings

	now  atomic.Pointer[time.Time] // nil = the real time
	mu   sync.Mutex
	told []backend.Generation // what Notify got
}

// newLab starts a service whose voice is speaker. change may alter the options before.
func newLab(t *testing.T, speaker engines.Speaker, change ...func(*lab)) *lab {
	t.Helper()
	return newLabIn(t, t.TempDir(), speaker, change...)
}

// newLabIn is newLab in a folder, which may be that of an earlier lab.
func newLabIn(t *testing.T, root string, speaker engines.Speaker, change ...func(*lab)) *lab {
	t.Helper()
	l := &lab{t: t, dir: filepath.Join(root, "audio")}
	l.pauses = backend.Pauses{Sentence: 0.35, Paragraph: 0.7, Heading: 1, Scene: 1.5}
	var err error
	l.db, err = sqlite.Open(t.Context(), sqlite.Options{Path: sqlitetest.Migrated(t, filepath.Join(root, "voicewright.db"))})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, l.db.Close()) })
	l.profile, err = l.db.Create(t.Context(), backend.Profile{Name: "Anna", Language: "en", VoiceType: backend.VoiceDefault})
	if backend.CodeOf(err) != backend.CodeNameTaken { // the profile of an earlier lab
		require.NoError(t, err)
	}
	l.modelSet = &modelSet{
		models: map[string]engines.Model{
			builtIn: {
				Name: builtIn, DisplayName: "Built-in voice", Engine: builtIn, Languages: []string{"en-US", "de", "cmn"},
				Voices: []engines.Voice{
					{ID: "en-us", Name: "English", Language: "en-US"},
					{ID: "de", Name: "German", Language: "de"},
					{ID: "cmn", Name: "Chinese", Language: "cmn"},
				},
			},
			robot: {
				Name: robot, DisplayName: "Robot", Engine: "robotic", Languages: []string{"en-GB"},
				Voices: []engines.Voice{{ID: "0", Name: "R2", Language: "en-GB"}, {ID: "1", Name: "C3", Language: "en-GB"}},
			},
			nordic: {
				Name: nordic, DisplayName: "Nordic", Engine: "nordic", Languages: []string{"no"}, Abilities: engines.Abilities{Mixes: true},
				Voices: []engines.Voice{{ID: "0", Name: "Ask", Language: "no"}, {ID: "1", Name: "Embla", Language: "no"}},
			},
		},
		keys:     map[string]string{"robotic:en_GB-robot#1": robot},
		speakers: map[string]engines.Speaker{builtIn: anyVoice{speaker}, robot: anyVoice{speaker}, nordic: anyVoice{speaker}},
	}
	l.options = studio.Options{
		Dir: l.dir, Store: l.db, Models: l.modelSet, Encoder: audio.FindCodecs(), BuiltIn: builtIn,
		BuiltInVoice: func(language string) (string, bool) {
			voice, ok := map[string]string{
				"en": "en-us", "en-US": "en-us", "en-AU": "en-us", "de": "de", "zh": "cmn", "cmn": "cmn",
			}[language]
			if !ok && len(language) > 2 && (language[2] == '_' || language[2] == '-') { // as espeak-ng's: de of de-DE-KatjaNeural
				return map[string]string{"en": "en-us", "de": "de"}[language[:2]], true
			}
			return voice, ok
		},
		DefaultVoice: func() (string, bool) { return builtIn + ":en-us", false },
		Pauses:       func() backend.Pauses { return l.pauses },
		Retention:    func() time.Duration { return -1 },
		Verify: func() proof.Settings {
			v := l.verify
			if v.Model == nil {
				v.Model = func(string) (string, bool) { return "", false }
			}
			return v
		},
		Words:  func(context.Context) ([]backend.Pronunciation, error) { return l.words, nil },
		Memory: func() (total, free int64, ok bool) { return 16e9, 8e9, true },
		Notify: func(g backend.Generation) {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.told = append(l.told, g)
		},
		Phonemes: func(_ context.Context, engine, language, text string) (string, error) {
			return engine + " " + language + ": " + text, nil
		},
		Unread: func(_ context.Context, _ engines.Model, _, characters string) (bool, error) {
			return strings.ContainsAny(characters, "★字"), nil
		},
		QueueLimit: generations.DefaultQueueLimit, Version: "1.2.3",
		Now: func() time.Time {
			if now := l.now.Load(); now != nil {
				return *now
			}
			return time.Now()
		},
		NewID:   func() string { return uuid.Must(uuid.NewV7()).String() },
		NewSeed: seeds(),
		Log:     slog.New(slog.DiscardHandler),
	}
	for _, f := range change {
		f(l)
	}
	l.start()
	return l
}

func (l *lab) start() {
	l.t.Helper()
	s, err := studio.New(l.t.Context(), l.options)
	require.NoError(l.t, err)
	l.service = s
	l.t.Cleanup(func() {
		now, cancel := context.WithCancel(context.Background())
		cancel() // nothing may still run when a test ends well
		require.NoError(l.t, s.Close(now))
		require.Zero(l.t, l.modelSet.inUse.Load(), "a model was not released")
	})
}

// restartAs starts the service again as another version of the program.
func (l *lab) restartAs(version string) {
	l.t.Helper()
	require.NoError(l.t, l.service.Close(l.t.Context()))
	l.options.Version = version
	l.start()
}

func (l *lab) request(text string) generations.Request {
	return generations.Request{ProfileID: l.profile.ID, Text: text}
}

// speak generates and expects success.
func (l *lab) speak(r generations.Request) backend.Generation {
	l.t.Helper()
	g, err := l.service.Generations.Generate(l.t.Context(), r)
	require.NoError(l.t, err)
	require.Equal(l.t, backend.StatusComplete, g.Status)
	return g
}

func (l *lab) submit(text string) backend.Generation {
	l.t.Helper()
	g, err := l.service.Generations.Submit(l.t.Context(), l.request(text))
	require.NoError(l.t, err)
	return g
}

// stored returns a row as the store has it.
func (l *lab) stored(id string) backend.Generation {
	l.t.Helper()
	g, err := l.db.Generation(l.t.Context(), id)
	require.NoError(l.t, err)
	return g
}

// becomes waits until the row has a status.
func (l *lab) becomes(id string, want backend.Status) backend.Generation {
	l.t.Helper()
	for late := time.Now().Add(waitLimit); time.Now().Before(late); time.Sleep(waitStep) {
		if g := l.stored(id); g.Status == want {
			return g
		}
	}
	require.Failf(l.t, "the status never comes", "%s, but %s", l.stored(id).Status, want)
	return backend.Generation{}
}

// events returns all changes of generations that were told so far.
func (l *lab) events() []backend.Generation {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.told)
}

// states returns the states of a generation in the order in which they were told.
func (l *lab) states(id string) []backend.Status {
	var out []backend.Status
	for _, g := range l.events() {
		if g.ID == id && (len(out) == 0 || out[len(out)-1] != g.Status) {
			out = append(out, g.Status)
		}
	}
	return out
}

// files lists everything below the audio directory.
func (l *lab) files() []string {
	l.t.Helper()
	var out []string
	err := filepath.WalkDir(l.dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			out = append(out, path)
		}
		return err
	})
	if !errors.Is(err, fs.ErrNotExist) {
		require.NoError(l.t, err)
	}
	return out
}

// leftovers is files without the journals, which the finished chunks of a stopped or failed generation are in.
func (l *lab) leftovers() []string {
	return slices.DeleteFunc(l.files(), func(path string) bool { return filepath.Ext(path) == ".journal" })
}

// settled waits until the directory holds these files and no other.
func (l *lab) settled(want ...string) {
	l.t.Helper()
	require.Eventually(l.t, func() bool { return slices.Equal(slices.Sorted(slices.Values(want)), l.leftovers()) },
		waitLimit, waitStep, "files: %v", l.leftovers())
}

// seeds counts from 1.
func seeds() func() int64 {
	var n atomic.Int64
	return func() int64 { return n.Add(1) }
}

var (
	requireCode = backendtest.RequireCode
	failure     = backendtest.Failure
)

func requireInvalid(t *testing.T, typ, field string, err error) {
	t.Helper()
	var invalid *backend.ValidationError
	require.ErrorAs(t, err, &invalid)
	require.Equal(t, typ, invalid.Fields[0].Type)
	require.Equal(t, field, invalid.Fields[0].Loc[len(invalid.Fields[0].Loc)-1])
}

func readWAV(t *testing.T, path string) audio.Buffer {
	t.Helper()
	f, err := os.Open(path)
	require.NoError(t, err)
	defer func() { require.NoError(t, f.Close()) }()
	b, err := audio.ReadWAV(f)
	require.NoError(t, err)
	return b
}

// fixture makes an engine of the shared kind.
func fixture(o enginetest.FixtureOptions) *enginetest.Fixture { return enginetest.NewFixture(o) }

// anyVoice lets a speaker with one voice stand for models with other voices.
type anyVoice struct{ engines.Speaker }

func (a anyVoice) Speak(ctx context.Context, u engines.Utterance, emit emitFunc) error {
	u.Voice = ""
	return a.Speaker.Speak(ctx, u, emit)
}

type emitFunc = func(audio.Buffer) error

func soundOf(samples []float32) audio.Buffer {
	return audio.Buffer{Samples: samples, Rate: 24000, Channels: 1}
}

// longSentence is one sentence of about n characters.
func longSentence(n int) string { return strings.Repeat("word and ", n/9) + "end." }

// hooked is a fixture with something done before, or instead of, its speaking.
type hooked struct {
	*enginetest.Fixture
	speak func(ctx context.Context, u engines.Utterance, emit emitFunc) error
}

func (h hooked) Speak(ctx context.Context, u engines.Utterance, emit emitFunc) error {
	return h.speak(ctx, u, emit)
}

// speaksOnly is an engine that speaks these sentences, and waits in every other one until its context ends.
func speaksOnly(sentences ...string) hooked {
	f := fixture(enginetest.FixtureOptions{})
	return hooked{f, func(ctx context.Context, u engines.Utterance, emit emitFunc) error {
		if slices.Contains(sentences, u.Text) {
			return f.Speak(ctx, u, emit)
		}
		<-ctx.Done()
		return backend.ErrCancelled.WithCause(ctx.Err())
	}}
}

// gated is an engine that waits in every chunk until it is opened, or its context ends. entered gets a value for each.
func gated() (h hooked, entered chan engines.Utterance, open func()) {
	gate := make(chan struct{})
	entered = make(chan engines.Utterance, 1000)
	f := fixture(enginetest.FixtureOptions{})
	return hooked{f, func(ctx context.Context, u engines.Utterance, emit emitFunc) error {
		entered <- u
		select {
		case <-gate:
			return f.Speak(ctx, u, emit)
		case <-ctx.Done():
			return backend.ErrCancelled.WithCause(ctx.Err())
		}
	}}, entered, sync.OnceFunc(func() { close(gate) })
}
