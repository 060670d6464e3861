package models_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

// clock stops the fixture's time. It returns a function that advances it by a minute and lists the models by name.
func (l *fixture) clock() (later func() map[string]backend.ModelStatus) {
	var mu sync.Mutex
	now := time.Now()
	l.options.Now = func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		return now
	}
	return func() map[string]backend.ModelStatus {
		mu.Lock()
		now = now.Add(time.Minute)
		mu.Unlock()
		out := map[string]backend.ModelStatus{}
		for _, s := range l.manager.Status(l.t.Context()) {
			out[s.ModelName] = s
		}
		return out
	}
}

// TestRemovedFiles removes the files of models: the list reports them as broken until the files are back or downloaded again.
func TestRemovedFiles(t *testing.T) {
	t.Parallel()
	var later func() map[string]backend.ModelStatus
	l := newFixture(t, func(l *fixture) {
		l.known("alpha", "anna")
		later = l.clock()
	})
	l.download("alpha")
	own := l.imported("mine", "mia")
	d, err := l.manager.Detail(t.Context(), "alpha")
	require.NoError(t, err)
	require.NotEmpty(t, d.Files)
	for _, f := range d.Files {
		require.Len(t, f.SHA256, 64, f.Path)
		require.Positive(t, f.Bytes)
	}
	require.Equal(t, backend.ModelDownloaded, l.state("alpha"))
	folders := []string{filepath.Join(l.dir, "models--acme--alpha"), filepath.Join(l.dir, "imported", own.ModelName)}
	for _, dir := range folders {
		require.NoError(t, os.Rename(dir, dir+".away"))
	}
	for range 2 {
		for _, s := range later() {
			require.Equal(t, backend.ModelBroken, s.State, s.ModelName)
			require.Equal(t, backend.CodeModelCorrupt, s.Error.Code)
			require.False(t, s.Downloaded)
		}
	}
	for _, dir := range folders {
		require.NoError(t, os.Rename(dir+".away", dir))
	}
	requireWhole(t, later())
	given := l.server.Bytes("alpha.graph")
	l.acquire("alpha").Release()
	l.acquire(own.ModelName).Release()
	require.Equal(t, given, l.server.Bytes("alpha.graph"), "nothing is downloaded again")

	_, err = l.manager.Unload(t.Context(), "alpha", true)
	require.NoError(t, err)
	require.NoError(t, os.RemoveAll(folders[0]))
	require.Equal(t, backend.ModelBroken, later()["alpha"].State)
	l.download("alpha")
	require.Equal(t, backend.ModelDownloaded, l.state("alpha"))
}

func requireWhole(t *testing.T, list map[string]backend.ModelStatus) {
	t.Helper()
	require.Len(t, list, 2)
	for name, s := range list {
		require.True(t, s.Downloaded, name)
		require.Equal(t, backend.ModelDownloaded, s.State, name)
		require.Nil(t, s.Error, name)
	}
}

// TestDiskIsNotMounted: no model is broken while the disk of the models is not mounted.
func TestDiskIsNotMounted(t *testing.T) {
	t.Parallel()
	for name, instead := range map[string]func(dir string) error{
		"no folder":         func(string) error { return nil },
		"an empty folder":   func(dir string) error { return os.Mkdir(dir, 0o700) },
		"no folder to read": func(dir string) error { return writeFile(dir, nil) },
		"models that cannot be read": func(dir string) error {
			at := filepath.Join(dir, "models--acme--alpha")
			if err := os.MkdirAll(filepath.Join(dir, "imported"), 0o700); err != nil {
				return err
			}
			if err := os.Symlink(filepath.Base(at), at); err != nil {
				return err
			}
			return os.Symlink("mine", filepath.Join(dir, "imported", "mine"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			var later func() map[string]backend.ModelStatus
			l := newFixture(t, func(l *fixture) {
				l.known("alpha", "anna")
				later = l.clock()
			})
			l.download("alpha")
			l.imported("mine", "mia")
			require.NoError(t, os.Rename(l.dir, l.dir+".away"))
			require.NoError(t, instead(l.dir))
			requireWhole(t, later())
			require.NoError(t, os.RemoveAll(l.dir))
			require.NoError(t, os.Rename(l.dir+".away", l.dir))
			requireWhole(t, later())
			given := l.server.Bytes("alpha.graph")
			l.acquire("alpha").Release()
			l.acquire("mine").Release()
			require.Equal(t, given, l.server.Bytes("alpha.graph"), "nothing is downloaded again")
		})
	}
}

// TestLoadWhileTheDiskIsNotMounted: the model is broken by the load, and works again when the disk is mounted.
func TestLoadWhileTheDiskIsNotMounted(t *testing.T) {
	t.Parallel()
	var later func() map[string]backend.ModelStatus
	l := newFixture(t, func(l *fixture) {
		l.known("alpha", "anna")
		later = l.clock()
	})
	l.download("alpha")
	l.imported("mine", "mia")
	require.NoError(t, os.Rename(l.dir, l.dir+".away"))
	_, err := l.manager.Load(t.Context(), "alpha", false, false)
	requireCode(t, backend.CodeModelCorrupt, err)
	list := later()
	require.Equal(t, backend.ModelBroken, list["alpha"].State)
	require.True(t, list["mine"].Downloaded)
	require.NoError(t, os.RemoveAll(l.dir))
	require.NoError(t, os.Rename(l.dir+".away", l.dir))
	requireWhole(t, later())
}

// TestBrokenForAnotherReason has a model with all files, which its engine cannot open.
func TestBrokenForAnotherReason(t *testing.T) {
	t.Parallel()
	var later func() map[string]backend.ModelStatus
	l := newFixture(t, func(l *fixture) {
		l.known("alpha", "anna")
		l.driver.open = func(context.Context, int) error {
			return backend.E(backend.CodeModelCorrupt, "The graph makes no sense.", "Download it again.")
		}
		later = l.clock()
	})
	l.download("alpha")
	_, err := l.manager.Load(t.Context(), "alpha", false, false)
	requireCode(t, backend.CodeModelCorrupt, err)
	for range 2 {
		s := later()["alpha"]
		require.Equal(t, backend.ModelBroken, s.State)
		require.Equal(t, "The graph makes no sense.", s.Error.Detail)
	}
}

// TestSlowDisk: while a list waits for a slow disk, all other work continues.
func TestSlowDisk(t *testing.T) {
	t.Parallel()
	mkfifo, err := exec.LookPath("mkfifo")
	if err != nil {
		t.Skip("this system has no pipe that stands for a slow file")
	}
	var later func() map[string]backend.ModelStatus
	l := newFixture(t, func(l *fixture) {
		l.known("alpha", "anna")
		l.known("beta", "bert")
		later = l.clock()
	})
	l.download("alpha")
	l.download("beta")
	found, err := filepath.Glob(filepath.Join(l.dir, "models--acme--alpha", "verified", "*", "alpha.graph.json"))
	require.NoError(t, err)
	require.Len(t, found, 1)
	raw, err := os.ReadFile(found[0])
	require.NoError(t, err)
	require.NoError(t, os.Remove(found[0]))
	require.NoError(t, exec.CommandContext(t.Context(), mkfifo, found[0]).Run())
	looked := make(chan map[string]backend.ModelStatus, 1)
	go func() { looked <- later() }()
	pipe, err := os.OpenFile(found[0], os.O_WRONLY, 0) // ends when the look has come to the file
	require.NoError(t, err)
	t.Cleanup(func() { _ = pipe.Close() })

	requireWhole(t, later())
	require.Equal(t, backend.ModelDownloaded, l.state("alpha"))
	l.acquire("beta").Release()
	_, err = l.manager.Progress("alpha")
	require.NoError(t, err)
	_, err = l.manager.Unload(t.Context(), "beta", true)
	require.NoError(t, err)
	require.Empty(t, looked)

	require.NoError(t, os.Remove(found[0]))
	require.NoError(t, writeFile(found[0], raw))
	_, err = pipe.Write(raw)
	require.NoError(t, err)
	require.NoError(t, pipe.Close())
	requireWhole(t, <-looked)
	requireWhole(t, later())
}
