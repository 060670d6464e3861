package models_test

import (
	"context"
	"log/slog"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/backendtest"
)

// panicPresets is a store of profiles with a panicTrigger.
type panicPresets struct {
	presetStore
	*backendtest.PanicTrigger
}

type presetStore interface {
	AddPresets(ctx context.Context, presets []backend.Preset) ([]backend.Profile, error)
	RestorePresets(ctx context.Context, presets []backend.Preset) ([]backend.Profile, error)
}

func (p panicPresets) AddPresets(ctx context.Context, presets []backend.Preset) ([]backend.Profile, error) {
	p.At("presets")
	return p.presetStore.AddPresets(ctx, presets)
}

// newPanicFixture returns a fixture with a panicTrigger in everything that the Manager calls, and its log.
func newPanicFixture(t *testing.T, change ...func(*fixture)) (*fixture, *backendtest.PanicTrigger, *backendtest.Log) {
	t.Helper()
	b, log := &backendtest.PanicTrigger{}, &backendtest.Log{}
	b.Set("")
	l := newFixture(t, append(change, func(l *fixture) {
		l.driver.open = func(context.Context, int) error {
			b.At("open")
			return nil
		}
		l.options.Presets = panicPresets{l.db, b}
		changed, progress := l.options.Changed, l.options.Progress
		l.options.Changed = func(name string) {
			b.At("changed")
			changed(name)
		}
		l.options.Progress = func(p backend.ModelProgress) {
			b.At("progress")
			progress(p)
		}
		l.options.AfterFree = func() { b.At("free") }
		l.options.Log = slog.New(slog.NewTextHandler(log, nil))
	})...)
	return l, b, log
}

// steady waits until there are no more goroutines than before.
func steady(t *testing.T, goroutines int) {
	t.Helper()
	for late := time.Now().Add(waitLimit); runtime.NumGoroutine() > goroutines; time.Sleep(time.Millisecond) {
		require.True(t, time.Now().Before(late), "goroutines are left over")
	}
}

func TestPanicWhileLoading(t *testing.T) {
	l, b, _ := newPanicFixture(t)
	l.imported("a", "x")
	goroutines := runtime.NumGoroutine()
	b.Set("open")
	_, err := l.manager.Acquire(t.Context(), "a", nil)
	e := failure(t, backend.CodeEngineFailed, err)
	require.Equal(t, "load", e.Params["stage"])
	require.Equal(t, backend.ModelDownloaded, l.state("a"), "a retry is possible")
	l.acquire("a").Release()
	steady(t, goroutines)
}

// TestPanicWhileImporting: nothing of the model is left.
func TestPanicWhileImporting(t *testing.T) {
	t.Parallel()
	l, b, _ := newPanicFixture(t)
	before := l.files()
	b.Set("open")
	_, err := l.manager.Import(t.Context(), l.folder("a", "x"), "", "")
	_ = failure(t, backend.CodeEngineFailed, err)
	require.Equal(t, before, l.files())
	l.imported("a", "x")
}

func TestPanicWhileUnloading(t *testing.T) {
	t.Parallel()
	l, b, _ := newPanicFixture(t)
	l.imported("a", "x")
	l.acquire("a").Release()
	b.Set("free")
	_, err := l.manager.Unload(t.Context(), "a", false)
	require.NoError(t, err)
	require.Equal(t, backend.ModelDownloaded, l.state("a"))
	l.acquire("a").Release()
}

// TestPanicWhileDownloading panics in the store of the profiles: the download fails, and the next one completes.
func TestPanicWhileDownloading(t *testing.T) {
	l, b, log := newPanicFixture(t, func(l *fixture) { l.known("alpha", "anna") })
	goroutines := runtime.NumGoroutine()
	b.Set("presets")
	_, err := l.manager.Download(backend.WithRequestID(t.Context(), "request-7"), "alpha", false)
	require.NoError(t, err)
	p := l.until("alpha", backend.DownloadError)
	require.Equal(t, backend.CodeInternal, p.Code)
	require.NotContains(t, p.Detail, "on demand")
	require.Equal(t, "request-7", l.get("alpha").Error.Params["request_id"])
	require.Contains(t, log.String(), "request-7")
	require.Contains(t, log.String(), "panic_test.go", "the stack")
	_, err = l.manager.Download(t.Context(), "alpha", false)
	require.NoError(t, err)
	l.until("alpha", backend.DownloadComplete)
	l.options.Hub.Close() // its idle connections
	steady(t, goroutines)
}

// TestPanicInAnEvent panics in a callback: the download completes, and later events are sent.
func TestPanicInAnEvent(t *testing.T) {
	t.Parallel()
	for _, place := range []string{"changed", "progress"} {
		t.Run(place, func(t *testing.T) {
			l, b, log := newPanicFixture(t, func(l *fixture) { l.known("alpha", "anna") })
			b.Set(place)
			_, err := l.manager.Download(t.Context(), "alpha", false)
			require.NoError(t, err)
			l.until("alpha", backend.DownloadComplete)
			require.Contains(t, log.String(), "on demand in "+place)
			l.acquire("alpha").Release()
		})
	}
}
