package models_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hub"
)

// blob returns the path of the blob of a known model's graph.
func (l *fixture) blob(name string) string {
	l.t.Helper()
	id := "acme/" + name
	return filepath.Join(l.dir, "models--acme--"+name, "blobs", l.server.SHA256(id, name+".graph"))
}

// entry returns the path of the graph of a known model in its snapshot.
func (l *fixture) entry(name string) string {
	l.t.Helper()
	found, err := filepath.Glob(filepath.Join(l.dir, "models--acme--"+name, "snapshots", "*", name+".graph"))
	require.NoError(l.t, err)
	require.Len(l.t, found, 1)
	return found[0]
}

// TestCorruptBlobIsQuarantined finds a corrupt blob by a check and by a load.
func TestCorruptBlobIsQuarantined(t *testing.T) {
	t.Parallel()
	for name, find := range map[string]func(l *fixture) error{
		"by a check": func(l *fixture) error {
			v, err := l.manager.Verify(t.Context(), "alpha")
			require.False(t, v.OK)
			return err
		},
		"by a load": func(l *fixture) error {
			_, err := l.manager.Load(t.Context(), "alpha", false, false)
			requireCode(t, backend.CodeModelCorrupt, err)
			return nil
		},
		"by a load of a shorter file": func(l *fixture) error {
			require.NoError(t, os.Truncate(l.blob("alpha"), 1000))
			_, err := l.manager.Load(t.Context(), "alpha", false, false)
			requireCode(t, backend.CodeModelCorrupt, err)
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			l := newFixture(t, func(l *fixture) {
				l.known("alpha", "anna")
				l.driver.open = func(_ context.Context, n int) error {
					if n == 1 && name == "by a load" {
						return backend.E(backend.CodeModelCorrupt, "The graph makes no sense.", "Download it again.")
					}
					return nil
				}
			})
			l.download("alpha")
			blob := l.blob("alpha")
			flip(t, filepath.Join(l.dir, "models--acme--alpha"), "alpha.graph")
			require.NoError(t, find(l))
			require.Equal(t, backend.ModelBroken, l.state("alpha"))
			require.NoFileExists(t, blob, "no other program finds it")
			require.FileExists(t, blob+".corrupt")

			l.start()
			s := l.get("alpha")
			require.Equal(t, backend.ModelNotDownloaded, s.State, "it is not downloaded after a restart")
			require.False(t, s.Downloaded)
			require.Nil(t, s.Error)
			require.Equal(t, 1, s.PartialMB, "the other files are")
			require.Nil(t, s.Downloading)
			l.download("alpha")
			require.NoFileExists(t, blob+".corrupt")
			require.Equal(t, int64(15), l.server.Bytes("alpha.config"), "only the corrupt file is downloaded again")
			l.acquire("alpha").Release()
		})
	}
}

func TestQuarantineIsDeletedWithTheModel(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) { l.known("alpha", "anna") })
	l.download("alpha")
	flip(t, filepath.Join(l.dir, "models--acme--alpha"), "alpha.graph")
	_, err := l.manager.Verify(t.Context(), "alpha")
	require.NoError(t, err)
	l.start()
	_, err = l.manager.Delete(t.Context(), "alpha", false)
	require.NoError(t, err)
	require.Empty(t, without(l.files(), "models/CACHEDIR.TAG"))
}

// TestCorruptModelNamesTheFile has a file whose size or time is wrong.
func TestCorruptModelNamesTheFile(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(path string) error{
		"its size": func(path string) error { return os.Truncate(path, 1000) },
		"its time": func(path string) error {
			info, err := os.Stat(path)
			if err != nil {
				return err
			}
			return os.Chtimes(path, info.ModTime(), info.ModTime().Add(time.Hour))
		},
		"missing": os.Remove,
	} {
		t.Run(name, func(t *testing.T) {
			l := newFixture(t, func(l *fixture) { l.known("alpha", "anna") })
			l.download("alpha")
			require.NoError(t, change(l.entry("alpha")))
			_, err := l.manager.Load(t.Context(), "alpha", false, false)
			e := failure(t, backend.CodeModelCorrupt, err)
			require.Equal(t, "alpha.graph", e.Params["file"])
			require.Contains(t, e.Detail, "alpha.graph")
			require.Equal(t, "alpha.graph", l.get("alpha").Error.Params["file"])
			v, err := l.manager.Verify(t.Context(), "alpha")
			require.NoError(t, err)
			require.Equal(t, "alpha.graph", v.Error.Params["file"])
			l.download("alpha")
			l.acquire("alpha").Release()
			if name == "its time" {
				require.Equal(t, int64(size), l.server.Bytes("alpha.graph"), "the bytes were correct")
			}
		})
	}
}

func TestCorruptImportedModelNamesTheFile(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	l.imported("a", "voice")
	require.NoError(t, os.Remove(filepath.Join(l.dir, "imported", "a", "a.graph")))
	l.start()
	_, err := l.manager.Download(t.Context(), "a", false)
	require.Equal(t, "a.graph", failure(t, backend.CodeModelCorrupt, err).Params["file"])
}

// TestErrorOfALoadedModel: a check finds a corrupt file of a model in memory.
func TestErrorOfALoadedModel(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) { l.known("alpha", "anna") })
	l.download("alpha")
	l.acquire("alpha").Release()
	flip(t, filepath.Join(l.dir, "models--acme--alpha"), "alpha.config")
	_, err := l.manager.Verify(t.Context(), "alpha")
	require.NoError(t, err)
	s := l.get("alpha")
	require.Equal(t, backend.ModelLoaded, s.State)
	require.Equal(t, "alpha.config", s.Error.Params["file"], "the error is in the status of the loaded model")
	l.acquire("alpha").Release()
	require.NotNil(t, l.get("alpha").Error, "and stays after use")

	_, err = l.manager.Unload(t.Context(), "alpha", false)
	require.NoError(t, err)
	s = l.get("alpha")
	require.Equal(t, backend.ModelBroken, s.State, "a model with a corrupt file is broken")
	require.Equal(t, "alpha.config", s.Error.Params["file"])
	l.download("alpha")
	require.Nil(t, l.get("alpha").Error)
	l.acquire("alpha").Release()
}

// TestErrorOfALoadedModelThatWasRepaired: the correct file is back before the model is unloaded.
func TestErrorOfALoadedModelThatWasRepaired(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	l.imported("own", "voice")
	l.acquire("own").Release()
	for _, ok := range []bool{false, true} {
		flip(t, filepath.Join(l.dir, "imported", "own"), "own.graph")
		v, err := l.manager.Verify(t.Context(), "own")
		require.NoError(t, err)
		require.Equal(t, ok, v.OK)
		require.Equal(t, ok, l.get("own").Error == nil)
		require.Equal(t, backend.ModelLoaded, l.state("own"))
	}
	_, err := l.manager.Unload(t.Context(), "own", false)
	require.NoError(t, err)
	require.Equal(t, backend.ModelDownloaded, l.state("own"))
}

// TestErrorFoundWhileAModelIsLoading: a check finds a corrupt file while the model is being loaded.
func TestErrorFoundWhileAModelIsLoading(t *testing.T) {
	t.Parallel()
	var l *fixture
	l = newFixture(t, func(made *fixture) {
		made.known("alpha", "anna")
		made.driver.open = func(_ context.Context, n int) error {
			if n == 1 {
				flip(t, filepath.Join(l.dir, "models--acme--alpha"), "alpha.config")
				v, err := l.manager.Verify(t.Context(), "alpha")
				require.NoError(t, err)
				require.False(t, v.OK)
			}
			return nil
		}
	})
	l.download("alpha")
	l.acquire("alpha").Release()
	s := l.get("alpha")
	require.Equal(t, backend.ModelLoaded, s.State)
	require.Equal(t, "alpha.config", s.Error.Params["file"])
	_, err := l.manager.Unload(t.Context(), "alpha", false)
	require.NoError(t, err)
	require.Equal(t, backend.ModelBroken, l.state("alpha"))
}

// during is a context that calls a function at the n-th call of its Err, in the middle of the work.
type during struct {
	context.Context

	looks *atomic.Int64
	do    map[int64]func()
}

func (d during) Err() error {
	if do := d.do[d.looks.Add(1)]; do != nil {
		do()
	}
	return d.Context.Err()
}

// TestVerifyWhileFilesAreRemoved changes the files when the first one is open (3), and when the second was found missing (5).
func TestVerifyWhileFilesAreRemoved(t *testing.T) {
	t.Parallel()
	remove := func(l *fixture) {
		_, err := l.manager.Delete(t.Context(), "alpha", false)
		require.NoError(t, err)
	}
	unload := func(l *fixture) {
		_, err := l.manager.Unload(t.Context(), "alpha", false)
		require.NoError(t, err)
	}
	fetch := func(l *fixture) { l.download("alpha") }
	for name, c := range map[string]struct {
		do   map[int64]func(*fixture)
		code backend.Code
	}{
		"deleted":                   {map[int64]func(*fixture){3: remove}, backend.CodeModelNotDownloaded},
		"deleted and fetched again": {map[int64]func(*fixture){3: remove, 5: fetch}, ""},
		"unloaded":                  {map[int64]func(*fixture){3: unload}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			l := newFixture(t, func(l *fixture) { l.known("alpha", "anna") })
			l.download("alpha")
			l.acquire("alpha").Release()
			done := 0
			ctx := during{t.Context(), new(atomic.Int64), map[int64]func(){}}
			for n, do := range c.do {
				ctx.do[n] = func() {
					do(l)
					done++
				}
			}
			v, err := l.manager.Verify(ctx, "alpha")
			require.Equal(t, len(c.do), done)
			s := l.get("alpha")
			require.Nil(t, s.Error)
			if c.code != "" {
				requireCode(t, c.code, err)
				require.Equal(t, backend.ModelNotDownloaded, s.State)
				return
			}
			require.NoError(t, err)
			require.True(t, v.OK)
			require.Equal(t, backend.ModelDownloaded, s.State)
			l.acquire("alpha").Release()
		})
	}
}

// TestVerifyOfAModelThatIsBeingDeleted verifies while some files are deleted and some are not.
func TestVerifyOfAModelThatIsBeingDeleted(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	l.imported("own", "x")
	flip(t, filepath.Join(l.dir, "imported", "own"), "own.graph")
	v, err := l.manager.Verify(t.Context(), "own")
	require.NoError(t, err)
	require.False(t, v.OK, "it is still broken")
	asked := false
	ctx := during{t.Context(), new(atomic.Int64), map[int64]func(){2: func() {
		asked = true
		_, err := l.manager.Verify(t.Context(), "own")
		requireCode(t, backend.CodeModelNotDownloaded, err)
	}}}
	_, err = l.manager.Delete(ctx, "own", false)
	require.NoError(t, err)
	require.True(t, asked)
	_, err = l.manager.Verify(t.Context(), "own")
	requireCode(t, backend.CodeModelUnknown, err)
}

// TestWithoutSymbolicLinks sets the environment variable that disables them.
func TestWithoutSymbolicLinks(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) {
		l.known("alpha", "anna")
		l.hub.NoSymlinks = hub.FromEnv(func(name string) string {
			return map[string]string{"HF_HUB_DISABLE_SYMLINKS": "1"}[name]
		}).NoSymlinks
	})
	l.download("alpha")
	for _, name := range l.files() {
		info, err := os.Lstat(filepath.Join(l.root, name))
		require.NoError(t, err)
		require.True(t, info.Mode().IsRegular(), name)
		require.False(t, strings.Contains(name, "/blobs/"), "%s: each file is there once", name)
	}
	l.start()
	l.acquire("alpha").Release()
}
