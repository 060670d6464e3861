package models_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

// foreignCache returns a folder as another program leaves it: blobs and snapshots of the repositories of the models, without the
// records of this program.
func (l *fixture) foreignCache(names ...string) string {
	l.t.Helper()
	dir := filepath.Join(l.root, "foreign")
	for _, name := range names {
		l.download(name)
		repo := "models--acme--" + name
		require.NoError(l.t, os.MkdirAll(dir, 0o700))
		require.NoError(l.t, os.CopyFS(filepath.Join(dir, repo), os.DirFS(filepath.Join(l.dir, repo))))
		require.NoError(l.t, os.RemoveAll(filepath.Join(dir, repo, "verified")))
		_, err := l.manager.Delete(l.t.Context(), name, false)
		require.NoError(l.t, err)
	}
	return dir
}

func TestAdoptDirectory(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) {
		for _, name := range []string{"alpha", "beta", "gamma"} {
			l.known(name, name+"-voice")
		}
	})
	to := l.foreignCache("alpha", "beta")
	flip(t, filepath.Join(to, "models--acme--beta"), "beta.graph")
	l.download("gamma")
	l.imported("own", "x")
	l.acquire("gamma").Release()
	from := l.dir
	before := l.server.Bytes("alpha.graph")
	requireInvalid(t, "path_not_empty", "path", l.manager.MoveDirectory(t.Context(), to, keepNothing, keepNothing))

	failed := l.manager.AdoptDirectory(t.Context(), to, func(string) error { return errors.New("the settings are read-only") })
	require.ErrorContains(t, failed, "read-only")
	require.True(t, l.get("gamma").Downloaded, "nothing has changed")

	require.NoError(t, l.manager.AdoptDirectory(t.Context(), to, keepNothing))
	for range 2 { // and after a restart
		require.Equal(t, to, l.manager.Directory(func(string) (int64, bool) { return 0, false }).Path)
		require.True(t, l.get("alpha").Downloaded)
		require.False(t, l.get("beta").Downloaded, "its file has other content")
		require.False(t, l.get("gamma").Downloaded)
		l.acquire("alpha").Release()
		l.dir = to
		l.start()
	}
	require.Contains(t, l.profiles(), "ALPHA-VOICE")
	require.Equal(t, before, l.server.Bytes("alpha.graph"), "nothing is downloaded")
	l.download("beta")

	require.NoError(t, l.manager.AdoptDirectory(t.Context(), from, keepNothing))
	require.True(t, l.get("gamma").Downloaded, "the former folder was left as it was")
	require.True(t, l.get("own").Downloaded)
	require.False(t, l.get("alpha").Downloaded)
}

func TestAdoptDirectoryThatIsRefused(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) { l.known("alpha", "anna") })
	full := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(full, "models--acme--alpha"), nil, 0o600))
	keep := func(path string) error {
		t.Error("kept a refused folder:", path)
		return nil
	}
	for typ, paths := range map[string][]string{
		"path_not_absolute":  {"", "relative"},
		"path_in_old_folder": {l.dir},
		"path_no_models":     {full, t.TempDir(), filepath.Join(full, "absent")},
	} {
		for _, path := range paths {
			requireInvalid(t, typ, "path", l.manager.AdoptDirectory(t.Context(), path, keep))
		}
	}
	to := l.foreignCache("alpha")
	ctx, stop := context.WithCancel(t.Context())
	stop()
	requireCode(t, backend.CodeCancelled, l.manager.AdoptDirectory(ctx, to, keep))
	require.False(t, l.manager.Directory(func(string) (int64, bool) { return 0, false }).Moving)
}

// TestAdoptAnImportedModelWithOtherContent does not show it as downloaded, nor after a restart; a correct file is used again.
func TestAdoptAnImportedModelWithOtherContent(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	l.imported("own", "x")
	l.imported("fine", "y")
	to := filepath.Join(l.root, "adopted")
	require.NoError(t, os.MkdirAll(to, 0o700))
	require.NoError(t, os.CopyFS(filepath.Join(to, "imported"), os.DirFS(filepath.Join(l.dir, "imported"))))
	folder := filepath.Join(to, "imported", "own")
	good, err := os.ReadFile(filepath.Join(folder, "own.graph"))
	require.NoError(t, err)
	flip(t, folder, "own.graph")

	require.NoError(t, l.manager.AdoptDirectory(t.Context(), to, keepNothing))
	for range 2 { // and after a restart
		s := l.get("own")
		require.False(t, s.Downloaded)
		_, err := l.manager.Acquire(t.Context(), "own", nil)
		require.Equal(t, "own.graph", failure(t, backend.CodeModelCorrupt, err).Params["file"])
		require.True(t, l.get("fine").Downloaded)
		l.dir = to
		l.start()
	}
	write := func(content []byte) {
		require.NoError(t, os.Remove(filepath.Join(folder, "own.graph")))
		require.NoError(t, os.WriteFile(filepath.Join(folder, "own.graph"), content, 0o600))
	}
	write(good)
	l.acquire("own").Release()
	require.True(t, l.get("own").Downloaded)
	l.start()
	require.True(t, l.get("own").Downloaded)
}

// TestWrongImportedModelAfterARestart: what a check found is still known.
func TestWrongImportedModelAfterARestart(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	l.imported("own", "x")
	flip(t, filepath.Join(l.dir, "imported", "own"), "own.graph")
	v, err := l.manager.Verify(t.Context(), "own")
	require.NoError(t, err)
	require.False(t, v.OK)
	l.start()
	require.False(t, l.get("own").Downloaded)
}
