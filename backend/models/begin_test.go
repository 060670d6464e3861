package models_test

import (
	"context"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

// halting is a download that stops slowly.
type halting struct{ begun, asked, release chan struct{} }

// slowToStop makes the first download stop late: it blocks in the check of the free disk space.
func slowToStop(l *fixture) *halting {
	h := &halting{make(chan struct{}), make(chan struct{}), make(chan struct{})}
	var calls atomic.Int64
	l.hub.Free = func(ctx context.Context, _ string) uint64 {
		if calls.Add(1) == 2 { // the first is for what is refused at once
			close(h.begun)
			<-ctx.Done()
			close(h.asked)
			<-h.release
		}
		return 1 << 40
	}
	return h
}

// TestStartWhileADownloadStops starts a download while the last one is stopping.
func TestStartWhileADownloadStops(t *testing.T) {
	t.Parallel()
	stops := map[string]func(l *fixture) error{
		"pause":  func(l *fixture) error { _, err := l.manager.Pause(context.Background(), "alpha"); return err },
		"cancel": func(l *fixture) error { _, err := l.manager.Cancel(context.Background(), "alpha"); return err },
	}
	starts := map[string]func(l *fixture) error{
		"resume":   func(l *fixture) error { _, err := l.manager.Resume(context.Background(), "alpha"); return err },
		"download": func(l *fixture) error { _, err := l.manager.Download(context.Background(), "alpha", false); return err },
		"acquire": func(l *fixture) error {
			h, err := l.manager.Acquire(context.Background(), "alpha", nil)
			if err == nil {
				h.Release()
			}
			return err
		},
	}
	for stopName, stop := range stops {
		for startName, start := range starts {
			t.Run(stopName+" and "+startName, func(t *testing.T) {
				var h *halting
				l := newFixture(t, func(l *fixture) {
					l.known("alpha", "anna")
					h = slowToStop(l)
				})
				_, err := l.manager.Download(t.Context(), "alpha", false)
				require.NoError(t, err)
				<-h.begun
				var both sync.WaitGroup
				var stopped, started error
				both.Go(func() { stopped = stop(l) })
				<-h.asked
				both.Go(func() { started = start(l) })
				require.Never(t, func() bool { return l.state("alpha") != backend.ModelDownloading }, 50*time.Millisecond, 5*time.Millisecond)
				close(h.release)
				both.Wait()
				require.NoError(t, stopped)
				if stopName == "cancel" && startName == "resume" {
					requireCode(t, backend.CodeNotInProgress, started)
					require.Equal(t, backend.ModelNotDownloaded, l.state("alpha"), "no download can be resumed")
					return
				}
				require.NoError(t, started)
				l.until("alpha", backend.DownloadComplete)
			})
		}
	}
}

func TestStartThatIsGivenUpWhileADownloadStops(t *testing.T) {
	t.Parallel()
	var h *halting
	l := newFixture(t, func(l *fixture) {
		l.known("alpha", "anna")
		h = slowToStop(l)
	})
	_, err := l.manager.Download(t.Context(), "alpha", false)
	require.NoError(t, err)
	<-h.begun
	paused := make(chan error, 1)
	go func() {
		_, err := l.manager.Pause(context.Background(), "alpha")
		paused <- err
	}()
	<-h.asked
	ctx, leave := context.WithCancel(t.Context())
	leave()
	_, err = l.manager.Resume(ctx, "alpha")
	requireCode(t, backend.CodeCancelled, err)
	close(h.release)
	require.NoError(t, <-paused)
	require.Equal(t, backend.DownloadPaused, l.until("alpha", backend.DownloadPaused).Status)
}

func TestDownloadThatIsRefusedAtOnce(t *testing.T) {
	t.Parallel()
	requireUntouched := func(t *testing.T, l *fixture) {
		t.Helper()
		require.Equal(t, backend.ModelNotDownloaded, l.state("alpha"))
		require.Nil(t, l.get("alpha").Error)
		p, err := l.manager.Progress("alpha")
		require.NoError(t, err)
		require.Equal(t, backend.DownloadIdle, p.Status)
		require.Empty(t, l.reports("alpha"))
		require.Empty(t, l.server.Requests(""))
		require.Empty(t, l.files())
	}
	t.Run("offline", func(t *testing.T) {
		l := newFixture(t, func(l *fixture) {
			l.known("alpha", "anna")
			l.hub.Offline = func() bool { return true }
		})
		_, err := l.manager.Download(t.Context(), "alpha", false)
		requireCode(t, backend.CodeOffline, err)
		requireUntouched(t, l)
	})
	t.Run("no room", func(t *testing.T) {
		l := newFixture(t, func(l *fixture) {
			l.known("alpha", "anna")
			l.hub.Free = func(context.Context, string) uint64 { return size + 14 }
		})
		_, err := l.manager.Download(t.Context(), "alpha", false)
		e := failure(t, backend.CodeInsufficientDisk, err)
		require.EqualValues(t, size+15, e.Params["needed"])
		require.EqualValues(t, size+14, e.Params["free"])
		requireUntouched(t, l)
	})
	t.Run("address of the hub", func(t *testing.T) {
		l := newFixture(t, func(l *fixture) { l.known("alpha", "anna") })
		l.hub.Endpoint = "hub.example"
		l.start()
		_, err := l.manager.Download(t.Context(), "alpha", false)
		require.Contains(t, failure(t, backend.CodeDownloadFailed, err).Detail, "HF_ENDPOINT")
		requireUntouched(t, l)
		l.imported("own", "x")
		l.acquire("own").Release() // what is here works
	})
}

// TestDownloadThatStarts: these downloads need no network, or cannot fail before they start.
func TestDownloadThatStarts(t *testing.T) {
	t.Parallel()
	t.Run("another program has the files", func(t *testing.T) {
		l := newFixture(t, func(l *fixture) { l.known("alpha", "anna") })
		l.download("alpha")
		l.shared, l.dir = l.dir, filepath.Join(l.root, "other")
		l.hub.Offline = func() bool { return true }
		l.hub.Free = func(context.Context, string) uint64 { return 0 }
		l.start()
		l.download("alpha")
	})
	t.Run("part of it is here", func(t *testing.T) {
		l := newFixture(t, func(l *fixture) { l.known("alpha", "anna") })
		_, err := l.manager.ImportInto(t.Context(), "alpha", filepath.Join(lay(t, map[string]string{"alpha.graph": graph("anna")}), "alpha.graph"))
		requireCode(t, backend.CodeModelCorrupt, err)
		l.hub.Free = func(context.Context, string) uint64 { return 15 }
		l.start()
		l.download("alpha")
	})
	t.Run("sizes that only the hub knows", func(t *testing.T) {
		l := newFixture(t, branched)
		l.hub.Free = func(context.Context, string) uint64 { return 1 }
		l.start()
		_, err := l.manager.Download(t.Context(), "alpha", false)
		require.NoError(t, err)
		require.Equal(t, backend.CodeInsufficientDisk, l.until("alpha", backend.DownloadError).Code)
	})
	t.Run("it runs already", func(t *testing.T) {
		var full atomic.Bool
		l := newFixture(t, func(l *fixture) {
			l.known("alpha", "anna")
			l.hub.Free = func(context.Context, string) uint64 {
				if full.Load() {
					return 1
				}
				return 1e12
			}
		})
		l.holdHub()
		_, err := l.manager.Download(t.Context(), "alpha", false)
		require.NoError(t, err)
		l.waitHalf("alpha")
		full.Store(true)
		p, err := l.manager.Download(t.Context(), "alpha", false)
		require.NoError(t, err)
		require.Equal(t, backend.DownloadRunning, p.Status)
		l.releaseHub()
		l.until("alpha", backend.DownloadComplete)
	})
}
