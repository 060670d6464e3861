package models_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/models"
)

// TestStateTable compares the table with the meaning of the states. Every other test of this package fails when the Manager
// changes a state against the table.
func TestStateTable(t *testing.T) {
	t.Parallel()
	for _, from := range backend.ModelStates() {
		next := 0
		for _, to := range backend.ModelStates() {
			if !from.CanMove(to) {
				continue
			}
			next++
			require.NotEqual(t, from, to)
			if to == backend.ModelLoading {
				require.Equal(t, backend.ModelDownloaded, from, "only a downloaded model is loaded")
			}
			if from == backend.ModelLoaded {
				require.Equal(t, backend.ModelUnloading, to, "no model in memory is deleted")
			}
		}
		require.Positive(t, next, "%s is a dead end", from)
	}
}

// TestAllStates moves a model through all states, which its status and its events report.
func TestAllStates(t *testing.T) {
	t.Parallel()
	gate, entered := make(chan error, 1), make(chan struct{}, 1)
	l := newFixture(t, func(l *fixture) {
		l.known("alpha", "anna")
		l.driver.open = func(context.Context, int) error {
			entered <- struct{}{}
			return <-gate
		}
	})
	require.Equal(t, backend.ModelNotDownloaded, l.state("alpha"))
	l.holdHub()
	_, err := l.manager.Download(t.Context(), "alpha", false)
	require.NoError(t, err)
	require.Equal(t, backend.ModelDownloading, l.state("alpha"))
	l.releaseHub()
	l.until("alpha", backend.DownloadComplete)
	require.Equal(t, backend.ModelDownloaded, l.state("alpha"))

	loaded := make(chan error, 1)
	go func() {
		_, err := l.manager.Load(context.Background(), "alpha", false, false)
		loaded <- err
	}()
	<-entered
	require.Equal(t, backend.ModelLoading, l.state("alpha"))
	gate <- nil
	require.NoError(t, <-loaded)
	require.Equal(t, backend.ModelLoaded, l.state("alpha"))
	require.Len(t, l.manager.Loaded(t.Context()), 1)
	_, err = l.manager.Unload(t.Context(), "alpha", false)
	require.NoError(t, err)
	require.Equal(t, backend.ModelDownloaded, l.state("alpha"))

	flip(t, filepath.Join(l.dir, "models--acme--alpha"), "alpha.graph")
	v, err := l.manager.Verify(t.Context(), "alpha")
	require.NoError(t, err)
	require.False(t, v.OK)
	require.Equal(t, backend.ModelBroken, l.state("alpha"))
	l.download("alpha")
	_, err = l.manager.Delete(t.Context(), "alpha", false)
	require.NoError(t, err)
	require.Equal(t, backend.ModelNotDownloaded, l.state("alpha"))

	require.Eventually(t, func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		return len(l.changes) >= 9
	}, waitLimit, time.Millisecond, "every change is reported")
}

// flip changes a byte of a file of a snapshot, and keeps its size and time.
func flip(t *testing.T, dir, name string) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "snapshots", "*", name))
	require.NoError(t, err)
	if len(found) == 0 {
		found = []string{filepath.Join(dir, name)}
	}
	info, err := os.Stat(found[0])
	require.NoError(t, err)
	raw, err := os.ReadFile(found[0])
	require.NoError(t, err)
	raw[len(raw)/2] ^= 1
	require.NoError(t, os.WriteFile(found[0], raw, 0o600))
	require.NoError(t, os.Chtimes(found[0], info.ModTime(), info.ModTime()))
}

// TestEverythingAtOnce uses two models from many goroutines; states and users must stay correct.
func TestEverythingAtOnce(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) {
		l.known("alpha", "anna")
		l.known("beta", "bert")
	})
	l.idle.Store(int64(2 * time.Millisecond))
	l.imported("own", "x")
	names := []string{"alpha", "beta", "own"}
	stop := time.Now().Add(1500 * time.Millisecond)
	var all sync.WaitGroup
	for i := range 12 {
		all.Go(func() {
			r := rand.New(rand.NewPCG(uint64(i), 1))
			for time.Now().Before(stop) {
				ctx, leave := context.WithTimeout(context.Background(), time.Duration(1+r.IntN(60))*time.Millisecond)
				if err := act(ctx, l.manager, r, names); err != nil {
					t.Error(err)
				}
				leave()
			}
		})
	}
	all.Wait()
	for _, name := range names[:2] {
		_, err := l.manager.Resume(t.Context(), name)
		if err == nil {
			l.until(name, backend.DownloadComplete)
		}
		h := l.acquire(name)
		require.NoError(t, h.Speak(t.Context(), say("Hi."), emitNothing))
		h.Release()
	}
	_, err := l.manager.Unload(t.Context(), "alpha", false)
	require.NoError(t, err)
}

// act performs one action of a user, and ignores the expected errors.
func act(ctx context.Context, m *models.Manager, r *rand.Rand, names []string) error {
	name, force := names[r.IntN(len(names))], r.IntN(2) == 0
	var err error
	switch r.IntN(12) {
	case 0:
		_, err = m.Download(ctx, name, false)
	case 1:
		_, err = m.Pause(ctx, name)
	case 2:
		_, err = m.Cancel(ctx, name)
	case 3:
		_, err = m.Resume(ctx, name)
	case 4:
		_, err = m.Load(ctx, name, false, force)
	case 5:
		_, err = m.Unload(ctx, name, force)
	case 6:
		if name != "own" {
			_, err = m.Delete(ctx, name, force)
		}
	case 7:
		_, err = m.Verify(ctx, name)
	case 8:
		m.Status(ctx)
	default:
		h, acquired := m.Acquire(ctx, name, nil)
		if err = acquired; err == nil {
			err = h.Speak(ctx, say("Hi. There."), emitNothing)
			h.Release()
		}
	}
	switch backend.CodeOf(err) {
	case "", backend.CodeCancelled, backend.CodeNotInProgress, backend.CodeDownloadInProgress, backend.CodeModelNotDownloaded:
		return nil
	default:
		return fmt.Errorf("%s: %w", name, err)
	}
}

// speaking starts speech that ends only by its context.
