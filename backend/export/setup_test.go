package export_test

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/backend/export"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/proof"
	"github.com/voicewright/voicewright/backend/scripts"
	"github.com/voicewright/voicewright/backend/sqlite"
	"github.com/voicewright/voicewright/backend/sqlite/sqlitetest"
	"github.com/voicewright/voicewright/backend/studio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const threeSentences = "The first sentence has some words. The second one is a little longer than that. And here is the third."

// oneModel is a set of one model, which is always loaded.
type oneModel struct {
	model   engines.Model
	speaker engines.Speaker
}

func (m oneModel) Model(string) (engines.Model, error)           { return m.model, nil }
func (m oneModel) ModelOf(string, string) (engines.Model, error) { return m.model, nil }

func (m oneModel) Acquire(context.Context, string, func(backend.Status)) (*engines.Loaded, error) {
	return &engines.Loaded{Speaker: m.speaker, Model: m.model.Name, Revision: "r1", Release: func() {}}, nil
}

func (m oneModel) AcquireDownloaded(ctx context.Context, name string) (*engines.Loaded, error) {
	return m.Acquire(ctx, name, nil)
}

func (m oneModel) AcquireTranscriber(context.Context, string, func(backend.Status)) (*engines.LoadedTranscriber, error) {
	return nil, backend.E(backend.CodeRuntimeMissing, "There is no transcription model.", "Install one.")
}

func (m oneModel) AcquireTranscriberDownloaded(ctx context.Context, name string) (*engines.LoadedTranscriber, error) {
	return m.AcquireTranscriber(ctx, name, nil)
}

func (m oneModel) Installed(string) error { return nil }

func (m oneModel) Download(context.Context, string, bool) (backend.ModelProgress, error) {
	return backend.ModelProgress{}, nil
}

// library is a history with a voice that fills it, and its exports.
type library struct {
	t       *testing.T
	dir     string // of the audio
	db      *sqlite.DB
	profile backend.Profile
	speech  *studio.Studio
	options export.Options
	exports *export.Service
}

func newLibrary(t *testing.T) *library {
	t.Helper()
	root := t.TempDir()
	l := &library{t: t, dir: filepath.Join(root, "audio")}
	var err error
	l.db, err = sqlite.Open(t.Context(), sqlite.Options{Path: sqlitetest.Migrated(t, filepath.Join(root, "voicewright.db"))})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, l.db.Close()) })
	l.profile, err = l.db.Create(t.Context(), backend.Profile{Name: "Anna", Language: "en", VoiceType: backend.VoiceDefault})
	require.NoError(t, err)
	voice := engines.Voice{ID: "en", Name: "English", Language: "en"}
	model := engines.Model{Name: "builtin", Engine: "fixture", Languages: []string{"en"}, Voices: []engines.Voice{voice}}
	var seed atomic.Int64
	l.speech, err = studio.New(t.Context(), studio.Options{
		Dir: l.dir, Store: l.db, Encoder: audio.FindCodecs(),
		Models: oneModel{model, enginetest.NewFixture(enginetest.FixtureOptions{Voices: model.Voices})}, BuiltIn: model.Name,
		BuiltInVoice: func(string) (string, bool) { return voice.ID, true },
		DefaultVoice: func() (string, bool) { return "", false },
		Pauses:       func() backend.Pauses { return backend.Pauses{Sentence: 0.35, Paragraph: 0.7, Heading: 1, Scene: 1.5} },
		Retention:    func() time.Duration { return -1 },
		Verify: func() proof.Settings {
			return proof.Settings{Model: func(string) (string, bool) { return "", false }}
		},
		Words:      func(context.Context) ([]backend.Pronunciation, error) { return nil, nil },
		Memory:     func() (total, free int64, ok bool) { return 16e9, 8e9, true },
		Phonemes:   func(_ context.Context, _, _, text string) (string, error) { return text, nil },
		Unread:     func(context.Context, engines.Model, string, string) (bool, error) { return false, nil },
		QueueLimit: generations.DefaultQueueLimit, Now: time.Now, Log: slog.New(slog.DiscardHandler),
		NewID:   func() string { return uuid.Must(uuid.NewV7()).String() },
		NewSeed: func() int64 { return seed.Add(1) },
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, l.speech.Close(context.Background())) })
	l.options = export.Options{
		Store: l.db, Script: l.speech.Scripts.StoredScript, Encoder: audio.FindCodecs(), TempDir: l.speech.Synthesizer.TempDir(), Now: time.Now,
	}
	l.exports = export.New(l.options)
	return l
}

func (l *library) request(text string) generations.Request {
	return generations.Request{ProfileID: l.profile.ID, Text: text}
}

// speak generates and expects success.
func (l *library) speak(r generations.Request) backend.Generation {
	l.t.Helper()
	g, err := l.speech.Generations.Generate(l.t.Context(), r)
	require.NoError(l.t, err)
	return g
}

func (l *library) script(texts ...string) scripts.Request {
	r := scripts.Request{Gap: 300 * time.Millisecond, Title: "A play"}
	for _, text := range texts {
		r.Turns = append(r.Turns, l.request(text))
	}
	return r
}

// files lists everything below the audio directory.
func (l *library) files() []string {
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
