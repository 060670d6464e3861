package models_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/models"
	"github.com/voicewright/voicewright/backend/models/registry"
)

func TestImport(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	source := l.folder("en_GB-Alpha-low", "anna bert")
	s, err := l.manager.Import(t.Context(), source, "", "")
	require.NoError(t, err)
	require.Equal(t, "en_gb-alpha-low", s.ModelName)
	require.Equal(t, "Fake en_GB-Alpha-low", s.DisplayName)
	require.Equal(t, "fake", s.Engine)
	require.True(t, s.Downloaded)
	require.False(t, s.Loaded)
	require.Equal(t, 1, s.SizeMB, "rounded up")
	require.Equal(t, 2, s.Voices)
	require.Len(t, s.Revision, 40)
	require.Zero(t, l.driver.inMemory(), "it was opened as a test, and closed")
	require.Equal(t, []string{
		"models/imported/en_gb-alpha-low/en_GB-Alpha-low.config",
		"models/imported/en_gb-alpha-low/en_GB-Alpha-low.graph", "models.json",
	}, l.files())

	var file struct{ Models []registry.Entry }
	raw, err := os.ReadFile(l.options.Registry)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &file))
	require.Len(t, file.Models, 1)
	sum := sha256.Sum256([]byte("anna bert"))
	require.Contains(t, file.Models[0].Variants[0].Files, registry.File{
		Path: "en_GB-Alpha-low.graph", Role: "graph", Bytes: 9, SHA256: hex.EncodeToString(sum[:]), Pinned: true,
	})

	for voice, name := range map[string]string{"anna": "ANNA", "bert": "BERT"} {
		p, err := l.db.ProfileByPreset(t.Context(), "fake", "en_GB-Alpha-low#"+voice)
		require.NoError(t, err)
		require.Equal(t, name, p.Name)
		require.Equal(t, "en_gb-alpha-low", p.ModelName)
		require.Equal(t, "en-GB", p.Language)
	}

	require.NoError(t, os.RemoveAll(source))
	l.start() // a new process
	require.Equal(t, []backend.ModelStatus{s}, l.manager.Status(t.Context()))
	loaded := l.acquire("en_gb-alpha-low")
	require.Equal(t, s.Revision, loaded.Revision)
	require.Len(t, loaded.Files, 2)
	loaded.Release()
}

func TestImportedNames(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	l.imported("solo", "one")
	p, err := l.db.ProfileByPreset(t.Context(), "fake", "solo#one")
	require.NoError(t, err)
	require.Equal(t, "ONE", p.Name, "the only voice of a model has its own name too")

	s, err := l.manager.Import(t.Context(), l.folder("duo", "one"), "fake", "my.own_name-2")
	require.NoError(t, err)
	require.Equal(t, "my.own_name-2", s.ModelName)
	p, err = l.db.ProfileByPreset(t.Context(), "fake", "duo#one")
	require.NoError(t, err)
	require.Equal(t, "ONE (Fake duo)", p.Name, "a taken name is followed by the model")

	for _, name := range []string{"solo", "my.own_name-2"} {
		_, err = l.manager.Import(t.Context(), l.folder("solo", "x"), "", name)
		require.Equal(t, name, failure(t, backend.CodeNameTaken, err).Params["name"])
	}
	for _, name := range []string{
		"UPPER", "with space", "a/b", "..", ".", "status", "import", "espeak", strings.Repeat("a", 65), "ä",
	} {
		_, err = l.manager.Import(t.Context(), l.folder("other", "x"), "", name)
		requireInvalid(t, "string_pattern_mismatch", "name", err)
	}
	s, err = l.manager.Import(t.Context(), l.folder("Ünï voice "+strings.Repeat("x", 80), "y"), "", "")
	require.NoError(t, err)
	require.Regexp(t, `^-n--voice-x{54}$`, s.ModelName, "a name from that of the file")
}

func TestImportOfWhatIsNoVoice(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	for _, path := range []string{"", filepath.Join(t.TempDir(), "nothing")} {
		_, err := l.manager.Import(t.Context(), path, "", "")
		requireInvalid(t, "path_not_exists", "path", err)
	}
	_, err := l.manager.Import(t.Context(), t.TempDir(), "", "")
	requireCode(t, backend.CodeModelCorrupt, err)
	_, err = l.manager.Import(t.Context(), l.folder("a", "x"), "other", "")
	requireInvalid(t, "enum", "engine", err)
	half := l.folder("half", "x")
	require.NoError(t, os.Remove(filepath.Join(half, "half.config")))
	_, err = l.manager.Import(t.Context(), half, "", "")
	require.Contains(t, failure(t, backend.CodeModelCorrupt, err).Detail, "half.config")
	require.Empty(t, l.files())
}

// TestImportChecksTheDiskFirst: a model that does not fit is not copied.
func TestImportChecksTheDiskFirst(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) { l.hub.Free = func(context.Context, string) uint64 { return 5 } })
	_, err := l.manager.Import(t.Context(), l.folder("big", "anna bert"), "", "")
	e := failure(t, backend.CodeInsufficientDisk, err)
	require.Equal(t, int64(len("anna bert")+len("config of big")), e.Params["needed"])
	require.Empty(t, l.files())
}

// TestImportOfAnInvalidModel: a model that is invalid in the list is an error of the model, not an internal one.
func TestImportOfAnInvalidModel(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	_, err := l.manager.Import(t.Context(), l.folder("odd", "anna#2"), "", "")
	require.Contains(t, failure(t, backend.CodeModelCorrupt, err).Detail, "voices[0].id")
	require.Empty(t, l.files())
}

func TestImportOfAnArchive(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	path := filepath.Join(t.TempDir(), "voice.zip")
	require.NoError(t, os.WriteFile(path, []byte("PK\x03\x04 and more"), 0o600))
	_, err := l.manager.Import(t.Context(), path, "", "")
	e := failure(t, backend.CodeModelCorrupt, err)
	require.Contains(t, e.Remedy, "Unpack it")
	require.Equal(t, "archive", e.Params["reason"])
	require.NotContains(t, e.Params, "file", "the page names what was chosen")
}

func TestImportThatFailsLeavesNothing(t *testing.T) {
	t.Parallel()
	broken := backend.E(backend.CodeModelCorrupt, "The graph has no output.", "Get it again.")
	l := newFixture(t, func(l *fixture) {
		l.driver.open = func(_ context.Context, n int) error {
			if n == 1 {
				return broken
			}
			return nil
		}
	})
	source := l.folder("late", "x")
	_, err := l.manager.Import(t.Context(), source, "", "")
	requireCode(t, backend.CodeModelCorrupt, err)
	require.Empty(t, l.files())
	require.Empty(t, l.manager.Status(t.Context()))

	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = l.manager.Import(cancelled, source, "", "")
	requireCode(t, backend.CodeCancelled, backend.AsError(err))
	require.Empty(t, l.files(), "a cancelled copy leaves nothing")

	_, err = l.manager.Import(t.Context(), source, "", "")
	require.NoError(t, err)
}

// noPresets is a store whose writes fail.
type noPresets struct{ models.Presets }

func (noPresets) AddPresets(context.Context, []backend.Preset) ([]backend.Profile, error) {
	return nil, errors.New("the store is full")
}

func TestImportWhoseProfilesCannotBeMade(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) { l.options.Presets = noPresets{} })
	_, err := l.manager.Import(t.Context(), l.folder("a", "x"), "", "")
	require.ErrorContains(t, err, "the store is full")
	require.Empty(t, l.manager.Status(t.Context()))
	require.Equal(t, []string{"models.json"}, l.files())
	l.start()
	require.Empty(t, l.manager.Status(t.Context()), "nor after a restart")
}

func TestImportWhoseListCannotBeWritten(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) { l.options.Registry = filepath.Join(l.root, "gone", "models.json") })
	_, err := l.manager.Import(t.Context(), l.folder("a", "x"), "", "")
	require.Error(t, err)
	require.Empty(t, l.files())
	list, err := l.db.Profiles(t.Context(), backend.ProfileFilter{})
	require.NoError(t, err)
	require.Zero(t, list.Total, "no profile without its model")
}

func TestModelsDirectoryThatCannotBeMade(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	l.dir = filepath.Join(file, "models")
	l.start()
	_, err := l.manager.Import(t.Context(), l.folder("a", "x"), "", "")
	require.ErrorContains(t, err, "models directory")
}

func TestImportTakesTheFolderThatACrashLeft(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	source := l.folder("again", "x")
	s, err := l.manager.Import(t.Context(), source, "", "")
	require.NoError(t, err)
	require.NoError(t, os.Remove(l.options.Registry))
	l.start()
	require.Empty(t, l.manager.Status(t.Context()))

	// The list is lost and the files are still there: they can be imported from their folder.
	again, err := l.manager.Import(t.Context(), filepath.Join(l.dir, "imported", s.ModelName), "", "")
	require.NoError(t, err)
	require.Equal(t, s, again)
	l.acquire(s.ModelName).Release()
}

func TestUnfinishedImportsAreSweptWhenOld(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	for name, age := range map[string]time.Duration{".import-old": 25 * time.Hour, ".import-new": time.Hour} {
		dir := filepath.Join(l.dir, "imported", name)
		require.NoError(t, os.MkdirAll(dir, 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "big.graph"), []byte("half"), 0o600))
		then := time.Now().Add(-age)
		require.NoError(t, os.Chtimes(dir, then, then))
	}
	l.start()
	require.Equal(t, []string{"models/imported/.import-new/big.graph"}, l.files())
}

func TestTwoImportsAtOnce(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	errs := make([]error, 6)
	sources := make([]string, len(errs))
	for i := range sources {
		sources[i] = l.folder("same", "x")
	}
	var all sync.WaitGroup
	for i := range errs {
		all.Go(func() { _, errs[i] = l.manager.Import(context.Background(), sources[i], "", "") })
	}
	all.Wait()
	won := 0
	for _, err := range errs {
		if err == nil {
			won++
		} else {
			requireCode(t, backend.CodeNameTaken, err)
		}
	}
	require.Equal(t, 1, won)
	require.Len(t, l.files(), 3)
	l.start()
	require.Len(t, l.manager.Status(t.Context()), 1)
}

func TestRestorePresets(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	l.imported("solo", "one")
	p, err := l.db.ProfileByPreset(t.Context(), "fake", "solo#one")
	require.NoError(t, err)
	require.NoError(t, l.db.DeleteProfile(t.Context(), p.ID))
	made, err := l.manager.RestorePresets(t.Context())
	require.NoError(t, err)
	require.Len(t, made, 1)
	require.Equal(t, p.Name, made[0].Name)
}
