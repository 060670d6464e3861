package models_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

func keepNothing(string) error { return nil }

// populated returns a fixture with a loaded hub model, an imported one and a partial download.
func populated(t *testing.T, change ...func(*fixture)) *fixture {
	t.Helper()
	l := newFixture(t, append([]func(*fixture){func(l *fixture) {
		l.known("alpha", "anna")
		l.known("beta", "bert")
	}}, change...)...)
	l.download("alpha")
	l.imported("own", "x")
	l.holdHub()
	_, err := l.manager.Download(t.Context(), "beta", false)
	require.NoError(t, err)
	l.waitHalf("beta")
	l.start()
	l.acquire("alpha").Release()
	l.releaseHub()
	return l
}

// requireMoved checks that everything works in the new directory, now and after a restart.
func requireMoved(t *testing.T, l *fixture, to string) {
	t.Helper()
	dir := l.manager.Directory(func(string) (int64, bool) { return 0, false })
	require.Equal(t, to, dir.Path)
	require.False(t, dir.Moving)
	require.Nil(t, dir.FreeBytes)
	require.Greater(t, dir.UsedBytes, int64(size))
	l.dir = to
	for range 2 {
		require.Equal(t, 1, l.get("beta").PartialMB)
		for _, name := range []string{"alpha", "own"} {
			require.True(t, l.get(name).Downloaded)
			v, err := l.manager.Verify(t.Context(), name)
			require.NoError(t, err)
			require.True(t, v.OK)
			l.acquire(name).Release()
		}
		l.start()
	}
	had := l.server.Bytes("alpha.graph")
	l.download("alpha")
	require.Equal(t, had, l.server.Bytes("alpha.graph"), "nothing is downloaded again")
	l.download("beta")
	require.Less(t, l.server.Bytes("beta.graph"), int64(2*size))
}

func TestMoveDirectory(t *testing.T) {
	t.Parallel()
	for name, made := range map[string]bool{"new": false, "empty": true} {
		t.Run(name, func(t *testing.T) {
			l := populated(t)
			from, to := l.dir, filepath.Join(l.root, "deep", "elsewhere")
			if made {
				require.NoError(t, os.MkdirAll(to, 0o700))
			}
			var kept []string
			begin := func(path string) error {
				require.Equal(t, to, path)
				require.DirExists(t, from, "nothing has moved yet")
				return nil
			}
			err := l.manager.MoveDirectory(t.Context(), to, begin, func(path string) error {
				require.DirExists(t, path)
				require.True(t, l.manager.Directory(func(string) (int64, bool) { return 1, true }).Moving)
				require.Zero(t, l.driver.inMemory(), "loaded models are unloaded")
				_, err := l.manager.Download(t.Context(), "beta", false)
				requireCode(t, backend.CodeDownloadInProgress, err)
				requireCode(t, backend.CodeDownloadInProgress, l.manager.MoveDirectory(t.Context(), to+"2", func(string) error {
					t.Error("a second move takes the place of the note of the first")
					return nil
				}, keepNothing))
				kept = append(kept, path)
				return nil
			})
			require.NoError(t, err)
			require.Equal(t, []string{to}, kept)
			require.NoDirExists(t, from)
			requireMoved(t, l, to)
		})
	}
}

func TestMoveDirectoryThatIsRefused(t *testing.T) {
	t.Parallel()
	l := populated(t)
	full := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(full, "x"), nil, 0o600))
	link := filepath.Join(l.root, "link")
	require.NoError(t, os.Symlink(l.dir, link))
	file := filepath.Join(full, "x")
	begin := func(path string) error {
		t.Error("a move is noted that was refused:", path)
		return nil
	}
	for typ, paths := range map[string][]string{
		"path_not_absolute":  {"", "relative"},
		"path_in_old_folder": {l.dir, l.dir + "/", filepath.Join(l.dir, "below"), filepath.Join(link, "below"), filepath.Join(l.dir, "..", "models")},
		"path_not_empty":     {full},
		"path_not_directory": {file, filepath.Join(file, "below")},
		"path_not_creatable": {filepath.Join(full, "new", strings.Repeat("long", 100))},
	} {
		for _, path := range paths {
			requireInvalid(t, typ, "path", l.manager.MoveDirectory(t.Context(), path, begin, keepNothing))
		}
	}
	require.NoDirExists(t, filepath.Join(full, "new"), "the new folder is removed")
	require.False(t, l.manager.Directory(func(string) (int64, bool) { return 0, false }).Moving)
	require.True(t, l.get("alpha").Loaded, "no model is unloaded")

	l.holdHub()
	_, err := l.manager.Download(t.Context(), "beta", false)
	require.NoError(t, err)
	requireCode(t, backend.CodeDownloadInProgress, l.manager.MoveDirectory(t.Context(), l.root+"/new", keepNothing, keepNothing))
	l.releaseHub()
	l.until("beta", backend.DownloadComplete)
	require.NoError(t, l.manager.MoveDirectory(t.Context(), l.root+"/..names", keepNothing, keepNothing))
}

func TestMoveDirectoryThatIsNotKept(t *testing.T) {
	t.Parallel()
	l := populated(t)
	before := l.files()
	noted := l.manager.MoveDirectory(t.Context(), filepath.Join(l.root, "elsewhere"), func(string) error {
		return errors.New("the move cannot be noted")
	}, keepNothing)
	require.ErrorContains(t, noted, "the move cannot be noted")
	require.Equal(t, before, l.files())
	err := l.manager.MoveDirectory(t.Context(), filepath.Join(l.root, "elsewhere"), keepNothing, func(string) error {
		return errors.New("the settings are read-only")
	})
	require.ErrorContains(t, err, "the settings are read-only")
	require.NoDirExists(t, filepath.Join(l.root, "elsewhere"))
	require.Equal(t, before, l.files())
	requireMoved(t, l, l.dir)
}

func TestMoveDirectoryWaitsForRunningWork(t *testing.T) {
	t.Parallel()
	l := populated(t)
	busy := l.acquire("alpha")
	ctx, leave := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer leave()
	requireCode(t, backend.CodeCancelled, l.manager.MoveDirectory(ctx, l.root+"/a", keepNothing, keepNothing))
	moved := make(chan error, 1)
	go func() { moved <- l.manager.MoveDirectory(context.Background(), l.root+"/b", keepNothing, keepNothing) }()
	l.waitGated("alpha")
	other := l.acquire("own") // work that goes on may need another model
	other.Release()
	busy.Release()
	require.NoError(t, <-moved)
	requireMoved(t, l, l.root+"/b")
}

func TestMoveDirectoryThatIsNotThereYet(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) { l.known("alpha", "anna") })
	require.NoError(t, l.manager.MoveDirectory(t.Context(), l.root+"/new", keepNothing, keepNothing))
	l.download("alpha")
	require.DirExists(t, l.root+"/new/models--acme--alpha")
}
