package models_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
)

func TestDeletingASharedFile(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) {
		l.known("alpha", "anna")
		e := l.known("beta", "bert")
		e.Variants[0].Files[0] = l.options.Known[0].Variants[0].Files[0]
	})
	l.download("alpha")
	l.download("beta")
	freed, err := l.manager.Delete(t.Context(), "alpha", false)
	require.NoError(t, err)
	require.Equal(t, backend.ModelDeleted{ModelName: "alpha", FreedMB: 1}, freed)
	require.False(t, l.get("alpha").Downloaded)
	require.True(t, l.get("beta").Downloaded)
	l.acquire("beta").Release()
	l.start()
	require.True(t, l.get("beta").Downloaded)
	require.False(t, l.get("alpha").Downloaded)
	require.Equal(t, 1, l.get("alpha").PartialMB, "the shared file counts for both")
	_, err = l.manager.Delete(t.Context(), "beta", false)
	require.NoError(t, err)
	_, err = l.manager.Delete(t.Context(), "alpha", false)
	require.NoError(t, err, "a second call does nothing")
	require.Empty(t, without(l.files(), "models/CACHEDIR.TAG"))
	require.ElementsMatch(t, []string{"ANNA", "BERT"}, l.profiles(), "profiles stay")
}

func TestAnotherProgramsCacheIsOnlyRead(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) { l.known("alpha", "anna") })
	l.download("alpha")
	own := l.dir
	l.shared, l.dir = own, filepath.Join(l.root, "other")
	files := l.files()
	l.start()
	l.server.Close()
	_, err := l.manager.Download(t.Context(), "alpha", false)
	require.NoError(t, err)
	l.until("alpha", backend.DownloadComplete)
	freed, err := l.manager.Delete(t.Context(), "alpha", false)
	require.NoError(t, err)
	require.Zero(t, freed.FreedMB, "it frees nothing")
	require.Empty(t, without(l.files(), append(files, "other/CACHEDIR.TAG")...))
	for _, f := range files {
		require.FileExists(t, filepath.Join(l.root, f))
	}
	l.dir, l.shared = own, ""
	l.start()
	l.acquire("alpha").Release()
}

func TestDelete(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) { l.known("alpha", "anna") })
	_, err := l.manager.Delete(t.Context(), "nobody", false)
	requireCode(t, backend.CodeModelUnknown, err)
	l.holdHub()
	_, err = l.manager.Download(t.Context(), "alpha", false)
	require.NoError(t, err)
	l.waitHalf("alpha")
	_, err = l.manager.Delete(t.Context(), "alpha", false)
	requireCode(t, backend.CodeDownloadInProgress, err)
	_, err = l.manager.Pause(t.Context(), "alpha")
	require.NoError(t, err)
	_, err = l.manager.Delete(t.Context(), "alpha", false)
	requireCode(t, backend.CodeDownloadInProgress, err)
	require.NoError(t, l.manager.Close(context.Background()))
	l.start()
	require.Equal(t, 1, l.get("alpha").PartialMB)
	freed, err := l.manager.Delete(t.Context(), "alpha", false)
	require.NoError(t, err)
	require.Equal(t, 1, freed.FreedMB)
	require.Zero(t, l.get("alpha").PartialMB)
	require.Empty(t, without(l.files(), "models/CACHEDIR.TAG"), "partial files are removed too")

	l.imported("own", "x")
	deleted, err := l.manager.Delete(t.Context(), "OWN", false)
	require.NoError(t, err)
	require.Equal(t, backend.ModelDeleted{ModelName: "own", FreedMB: 1}, deleted)
	_, err = l.manager.Get(t.Context(), "own")
	requireCode(t, backend.CodeModelUnknown, err)
	require.Empty(t, without(l.files(), "models/CACHEDIR.TAG", "models.json"))
	l.imported("own", "x")
}

func TestDeleteOfABrokenModelFreesAllFiles(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) { l.known("alpha", "anna") })
	l.download("alpha")
	flip(t, filepath.Join(l.dir, "models--acme--alpha"), "alpha.graph")
	_, err := l.manager.Verify(t.Context(), "alpha")
	require.NoError(t, err)
	freed, err := l.manager.Delete(t.Context(), "alpha", false)
	require.NoError(t, err)
	require.Equal(t, 1, freed.FreedMB)
	require.Empty(t, without(l.files(), "models/CACHEDIR.TAG"))
}

func TestLoadAndUnload(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) { l.known("alpha", "anna") })
	_, err := l.manager.Load(t.Context(), "alpha", false, false)
	require.Equal(t, "alpha", failure(t, backend.CodeModelNotDownloaded, err).Params["model_name"])
	require.Empty(t, l.server.Requests(""), "a load downloads nothing")
	_, err = l.manager.Load(t.Context(), "nobody", false, false)
	requireCode(t, backend.CodeModelUnknown, err)
	_, err = l.manager.Unload(t.Context(), "nobody", false)
	requireCode(t, backend.CodeModelUnknown, err)
	freed, err := l.manager.Unload(t.Context(), "alpha", false)
	require.NoError(t, err)
	require.Equal(t, backend.ModelFreed{ModelName: "alpha"}, freed)

	l.download("alpha")
	done, err := l.manager.Load(t.Context(), "Alpha", false, false)
	require.NoError(t, err)
	require.Equal(t, "alpha", done.ModelName)
	require.True(t, done.Loaded)
	require.Equal(t, "cpu", done.Device)
	require.Equal(t, "cpu", l.get("alpha").Device)
	_, err = l.manager.Load(t.Context(), "alpha", false, false)
	require.NoError(t, err)
	require.Equal(t, int64(1), l.driver.opened.Load(), "it is loaded already")
	_, err = l.manager.Unload(t.Context(), "alpha", false)
	require.NoError(t, err)
	require.Zero(t, l.driver.inMemory())
	require.Empty(t, l.get("alpha").Device)
}

func TestBrokenModelIsMendedByADownload(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) {
		l.known("alpha", "anna")
		l.driver.open = func(_ context.Context, n int) error {
			if n == 1 {
				return backend.E(backend.CodeModelCorrupt, "The graph makes no sense.", "Download it again.")
			}
			return nil
		}
	})
	l.download("alpha")
	flip(t, filepath.Join(l.dir, "models--acme--alpha"), "alpha.graph")
	_, err := l.manager.Load(t.Context(), "alpha", false, false)
	require.Equal(t, "alpha.graph", failure(t, backend.CodeModelCorrupt, err).Params["file"])
	s := l.get("alpha")
	require.Equal(t, backend.ModelBroken, s.State)
	require.False(t, s.Downloaded)
	require.Equal(t, backend.CodeModelCorrupt, s.Error.Code)
	_, err = l.manager.Load(t.Context(), "alpha", false, false)
	requireCode(t, backend.CodeModelCorrupt, err)
	p, err := l.manager.Progress("alpha")
	require.NoError(t, err)
	require.Equal(t, backend.CodeModelCorrupt, p.Code)

	l.download("alpha")
	require.Nil(t, l.get("alpha").Error)
	require.Equal(t, int64(2*size), l.server.Bytes("alpha.graph"), "the corrupt file is downloaded again")
	require.Equal(t, int64(15), l.server.Bytes("alpha.config"), "and only that")
	_, err = l.manager.Load(t.Context(), "alpha", false, false)
	require.NoError(t, err)
}

func speaking(t *testing.T, l *fixture, name string) (result chan error, leave context.CancelFunc) {
	t.Helper()
	l.driver.speaker.Block = true
	h := l.acquire(name)
	ctx, leave := context.WithCancel(context.Background())
	result = make(chan error, 1)
	go func() {
		result <- h.Speak(ctx, say("Hello."), emitNothing)
		h.Release()
	}()
	return result, leave
}

func TestUnloadWaitsForRunningWork(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) { l.known("alpha", "anna") })
	l.download("alpha")
	result, leave := speaking(t, l, "alpha")
	defer leave()
	unloaded := make(chan error, 1)
	go func() {
		_, err := l.manager.Unload(context.Background(), "alpha", false)
		unloaded <- err
	}()
	l.waitGated("alpha")
	gated := make(chan error, 1)
	require.Never(t, func() bool { return len(unloaded) > 0 }, 50*time.Millisecond, 5*time.Millisecond)
	go func() {
		h, err := l.manager.Acquire(context.Background(), "alpha", nil)
		if err == nil {
			h.Release()
		}
		gated <- err
	}()
	require.Never(t, func() bool { return len(gated) > 0 }, 50*time.Millisecond, 5*time.Millisecond)
	leave()
	requireCode(t, backend.CodeCancelled, <-result)
	require.NoError(t, <-unloaded)
	require.NoError(t, <-gated)
	require.Equal(t, int64(2), l.driver.opened.Load(), "the waiting work loads it again")
}

func TestUnloadAndDeleteByForce(t *testing.T) {
	t.Parallel()
	for name, act := range map[string]func(l *fixture) error{
		"unload": func(l *fixture) error { _, err := l.manager.Unload(t.Context(), "alpha", true); return err },
		"delete": func(l *fixture) error { _, err := l.manager.Delete(t.Context(), "alpha", true); return err },
	} {
		t.Run(name, func(t *testing.T) {
			l := newFixture(t, func(l *fixture) { l.known("alpha", "anna") })
			l.download("alpha")
			result, leave := speaking(t, l, "alpha")
			defer leave()
			require.NoError(t, act(l))
			require.Contains(t, failure(t, backend.CodeCancelled, <-result).Detail, "unloaded")
			require.Zero(t, l.driver.inMemory())
			l.driver.speaker.Block = false
			h := l.acquire("alpha")
			require.NoError(t, h.Speak(t.Context(), say("Again."), emitNothing))
			h.Release()
		})
	}
}

func TestUnloadThatIsGivenUp(t *testing.T) {
	t.Parallel()
	for _, force := range []bool{false, true} {
		t.Run(fmt.Sprint(force), func(t *testing.T) {
			l := newFixture(t, func(l *fixture) { l.known("alpha", "anna") })
			l.download("alpha")
			busy := l.acquire("alpha") // and held, whatever is wished
			ctx, leave := context.WithTimeout(t.Context(), 30*time.Millisecond)
			defer leave()
			_, err := l.manager.Unload(ctx, "alpha", force)
			requireCode(t, backend.CodeCancelled, err)
			_, err = l.manager.Delete(ctx, "alpha", force)
			requireCode(t, backend.CodeCancelled, err)
			require.Equal(t, backend.ModelLoaded, l.state("alpha"))
			next := l.acquire("alpha") // the gate is open again
			require.NoError(t, next.Speak(t.Context(), say("Hello."), emitNothing), "later work is not cancelled")
			next.Release()
			busy.Release()
			_, err = l.manager.Unload(t.Context(), "alpha", false)
			require.NoError(t, err)
		})
	}
}

func TestDownloadWaitsForADelete(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) { l.known("alpha", "anna") })
	l.download("alpha")
	busy := l.acquire("alpha")
	deleted := make(chan error, 1)
	go func() {
		_, err := l.manager.Delete(context.Background(), "alpha", false)
		deleted <- err
	}()
	l.waitGated("alpha")
	again := make(chan error, 1)
	go func() {
		h, err := l.manager.Acquire(context.Background(), "alpha", nil)
		if err == nil {
			h.Release()
		}
		again <- err
	}()
	busy.Release()
	require.NoError(t, <-deleted)
	require.NoError(t, <-again, "it was downloaded again for the waiting caller")
	require.Equal(t, int64(2*size), l.server.Bytes("alpha.graph"))
}

func TestForcedUnloadEndsALoad(t *testing.T) {
	t.Parallel()
	entered := make(chan struct{})
	l := newFixture(t, func(l *fixture) {
		l.known("alpha", "anna")
		l.driver.open = func(ctx context.Context, n int) error {
			if n > 1 {
				return nil
			}
			close(entered)
			<-ctx.Done()
			return backend.ErrCancelled.WithCause(ctx.Err())
		}
	})
	l.download("alpha")
	waiting := make(chan error, 1)
	go func() {
		_, err := l.manager.Acquire(context.Background(), "alpha", nil)
		waiting <- err
	}()
	<-entered
	_, err := l.manager.Unload(t.Context(), "alpha", true)
	require.NoError(t, err)
	requireCode(t, backend.CodeCancelled, <-waiting)
	require.Equal(t, backend.ModelDownloaded, l.state("alpha"))
	require.Nil(t, l.get("alpha").Error)
	l.acquire("alpha").Release()
}

func TestCloseUnderWork(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) { l.known("alpha", "anna") })
	l.download("alpha")
	h := l.acquire("alpha")
	defer h.Release()
	require.NoError(t, l.manager.Close(context.Background()))
	requireCode(t, backend.CodeCancelled, h.Speak(t.Context(), say("Hello."), emitNothing))
}

// TestDeviceOfTheSetting opens a model on the current device of the setting.
func TestDeviceOfTheSetting(t *testing.T) {
	t.Parallel()
	device := "auto"
	l := newFixture(t, func(l *fixture) {
		l.known("alpha", "a")
		l.options.Device = func(string) string { return device }
	})
	for _, device = range []string{"cpu", "auto"} {
		loaded, err := l.manager.Acquire(t.Context(), "alpha", nil)
		require.NoError(t, err)
		require.Equal(t, device, l.driver.options.Load().(engines.Options).Device)
		loaded.Release()
		_, err = l.manager.Unload(t.Context(), "alpha", false)
		require.NoError(t, err)
	}
}
