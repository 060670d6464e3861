// Package studiotest has a studio for tests: all that makes and changes speech, on a real library, with engines, models and a hosted
// service that need no download and no network.
package studiotest

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
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
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/proof"
	"github.com/voicewright/voicewright/backend/sqlite"
	"github.com/voicewright/voicewright/backend/sqlite/sqlitetest"
	"github.com/voicewright/voicewright/backend/studio"
	"github.com/voicewright/voicewright/engines"
)

// How long a test waits for what must happen, and how often it looks.
const (
	WaitLimit = 2 * time.Minute
	WaitStep  = 2 * time.Millisecond
)

// Lab is a studio on a library of its own, in a folder of the test. What a test changes in its exported fields takes effect when the
// studio starts, or at once where it is a setting.
type Lab struct {
	*studio.Studio
	T       *testing.T
	Dir     string // of the audio
	DB      *sqlite.DB
	Models  *ModelSet
	Options studio.Options          // of the next start
	Profile backend.Profile         // who speaks
	Words   []backend.Pronunciation // the user's dictionary
	Pauses  backend.Pauses          // of the settings
	Verify  proof.Settings          // of the settings

	Now  atomic.Pointer[time.Time] // nil = the real time
	mu   sync.Mutex
	told []backend.Generation // what Notify got
}

// New starts a studio in which every voice is speaker. change may alter the options and models before. The end of the test closes it,
// and requires that every model was released.
func New(t *testing.T, speaker engines.Speaker, change ...func(*Lab)) *Lab {
	t.Helper()
	return NewIn(t, t.TempDir(), speaker, change...)
}

// NewIn is New in a folder, which may be that of an earlier lab.
func NewIn(t *testing.T, root string, speaker engines.Speaker, change ...func(*Lab)) *Lab {
	t.Helper()
	l := &Lab{T: t, Dir: filepath.Join(root, "audio")}
	l.Pauses = backend.Pauses{Sentence: 0.35, Paragraph: 0.7, Heading: 1, Scene: 1.5}
	var err error
	l.DB, err = sqlite.Open(t.Context(), sqlite.Options{Path: sqlitetest.Migrated(t, filepath.Join(root, "voicewright.db"))})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, l.DB.Close()) })
	l.Profile, err = l.DB.Create(t.Context(), backend.Profile{Name: "Anna", Language: "en", VoiceType: backend.VoiceDefault})
	if backend.CodeOf(err) != backend.CodeNameTaken { // the profile of an earlier lab
		require.NoError(t, err)
	}
	l.Models = newModelSet(speaker)
	l.Options = l.options()
	for _, f := range change {
		f(l)
	}
	l.Start()
	return l
}

// options returns those of a studio whose settings are the lab's.
func (l *Lab) options() studio.Options {
	return studio.Options{
		Dir: l.Dir, Store: l.DB, Models: l.Models, Encoder: audio.FindCodecs(), BuiltIn: BuiltIn, BuiltInVoice: builtInVoice,
		DefaultVoice: func() (string, bool) { return BuiltIn + ":en-us", false },
		Pauses:       func() backend.Pauses { return l.Pauses },
		Retention:    func() time.Duration { return -1 },
		Verify:       l.verifySettings,
		Words:        func(context.Context) ([]backend.Pronunciation, error) { return l.Words, nil },
		Memory:       func() (total, free int64, ok bool) { return 16e9, 8e9, true },
		Notify:       l.notify,
		Phonemes: func(_ context.Context, engine, language, text string) (string, error) {
			return engine + " " + language + ": " + text, nil
		},
		Unread: func(_ context.Context, _ engines.Model, _, characters string) (bool, error) {
			return strings.ContainsAny(characters, "★字"), nil
		},
		QueueLimit: generations.DefaultQueueLimit, Version: "1.2.3",
		Now: func() time.Time {
			if now := l.Now.Load(); now != nil {
				return *now
			}
			return time.Now()
		},
		NewID:   func() string { return uuid.Must(uuid.NewV7()).String() },
		NewSeed: seeds(),
		Log:     slog.New(slog.DiscardHandler),
	}
}

// builtInVoice returns the voice of the built-in engine for a BCP 47 language.
func builtInVoice(language string) (string, bool) {
	voice, ok := map[string]string{
		"en": "en-us", "en-US": "en-us", "en-AU": "en-us", "de": "de", "zh": "cmn", "cmn": "cmn",
	}[language]
	if !ok && len(language) > 2 && (language[2] == '_' || language[2] == '-') { // as espeak-ng's: de of de-DE-KatjaNeural
		return map[string]string{"en": "en-us", "de": "de"}[language[:2]], true
	}
	return voice, ok
}

// verifySettings returns Verify, with a function for its model.
func (l *Lab) verifySettings() proof.Settings {
	v := l.Verify
	if v.Model == nil {
		v.Model = func(string) (string, bool) { return "", false }
	}
	return v
}

func (l *Lab) notify(g backend.Generation) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.told = append(l.told, g)
}

// Start starts the studio with Options, after it was closed.
func (l *Lab) Start() {
	l.T.Helper()
	s, err := studio.New(l.T.Context(), l.Options)
	require.NoError(l.T, err)
	l.Studio = s
	l.T.Cleanup(func() {
		now, cancel := context.WithCancel(context.Background())
		cancel() // nothing may still run when a test ends well
		require.NoError(l.T, s.Close(now))
		require.Zero(l.T, l.Models.inUse.Load(), "a model was not released")
	})
}

// RestartAs starts the studio again as another version of the program.
func (l *Lab) RestartAs(version string) {
	l.T.Helper()
	require.NoError(l.T, l.Close(l.T.Context()))
	l.Options.Version = version
	l.Start()
}

// seeds counts from 1.
func seeds() func() int64 {
	var n atomic.Int64
	return func() int64 { return n.Add(1) }
}

// Events returns all changes of generations that were notified so far.
func (l *Lab) Events() []backend.Generation {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.told)
}

// States returns the states of a generation in the order in which they were notified.
func (l *Lab) States(id string) []backend.Status {
	var out []backend.Status
	for _, g := range l.Events() {
		if g.ID == id && (len(out) == 0 || out[len(out)-1] != g.Status) {
			out = append(out, g.Status)
		}
	}
	return out
}

// Stored returns a row as the store has it.
func (l *Lab) Stored(id string) backend.Generation {
	l.T.Helper()
	g, err := l.DB.Generation(l.T.Context(), id)
	require.NoError(l.T, err)
	return g
}

// Becomes waits until the row has a status, and returns it.
func (l *Lab) Becomes(id string, want backend.Status) backend.Generation {
	l.T.Helper()
	var g backend.Generation
	require.Eventually(l.T, func() bool {
		var err error
		g, err = l.DB.Generation(l.T.Context(), id)
		return err == nil && g.Status == want
	}, WaitLimit, WaitStep, "the status never becomes %s", want)
	return g
}

// Ended waits until a generation is not being changed, and returns it.
func (l *Lab) Ended(id string) backend.Generation {
	l.T.Helper()
	var g backend.Generation
	require.Eventually(l.T, func() bool {
		var err error
		g, err = l.Generations.Generation(l.T.Context(), id)
		return err == nil && g.Status.Ended()
	}, WaitLimit, WaitStep)
	return g
}

// WaitForChunks waits until a generation shows that its first n chunks are finished.
func (l *Lab) WaitForChunks(id string, n int) {
	l.T.Helper()
	require.Eventually(l.T, func() bool {
		g, err := l.Generations.Generation(l.T.Context(), id)
		return err == nil && g.ChunksDone-g.ChunksBehind >= n
	}, WaitLimit, WaitStep)
}

// Files lists everything below the audio directory.
func (l *Lab) Files() []string {
	l.T.Helper()
	var out []string
	err := filepath.WalkDir(l.Dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			out = append(out, path)
		}
		return err
	})
	if !errors.Is(err, fs.ErrNotExist) {
		require.NoError(l.T, err)
	}
	return out
}

// Leftovers is Files without the journals, which the finished chunks of a stopped or failed generation are in.
func (l *Lab) Leftovers() []string {
	return slices.DeleteFunc(l.Files(), func(path string) bool { return filepath.Ext(path) == ".journal" })
}

// Journals returns the files of finished chunks.
func (l *Lab) Journals() []string {
	l.T.Helper()
	paths, err := filepath.Glob(filepath.Join(l.Dir, "partial", "*"))
	require.NoError(l.T, err)
	return paths
}

// Settled waits until the directory holds these files and no other.
func (l *Lab) Settled(want ...string) {
	l.T.Helper()
	require.Eventually(l.T, func() bool { return slices.Equal(slices.Sorted(slices.Values(want)), l.Leftovers()) },
		WaitLimit, WaitStep, "files: %v", l.Leftovers())
}
