package models_test

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/models/devices"
	"github.com/voicewright/voicewright/engines"
)

// slow makes every open after the first, which is the import's, wait for a value of the channel.
func slow(entered chan<- struct{}, gate <-chan error) func(*fixture) {
	return func(l *fixture) {
		l.driver.open = func(_ context.Context, n int) error {
			if n == 1 {
				return nil
			}
			entered <- struct{}{}
			return <-gate
		}
	}
}

func TestManyCallersShareOneLoad(t *testing.T) {
	t.Parallel()
	entered, gate := make(chan struct{}, 8), make(chan error, 8)
	l := newFixture(t, slow(entered, gate))
	l.imported("a", "x")
	var calls atomic.Int64
	var all sync.WaitGroup
	loaded := make([]*engines.Loaded, 8)
	errs := make([]error, 8)
	for i := range loaded {
		all.Go(func() {
			loaded[i], errs[i] = l.manager.Acquire(context.Background(), "a", func(s backend.Status) {
				if s == backend.StatusLoading {
					calls.Add(1)
				}
			})
		})
	}
	<-entered
	require.Eventually(t, func() bool { return calls.Load() == 8 }, waitLimit, time.Millisecond, "all callers are told of the load")
	require.False(t, l.manager.Status(t.Context())[0].Loaded)
	gate <- nil
	all.Wait()
	for i := range loaded {
		require.NoError(t, errs[i])
	}
	require.Equal(t, 1, l.driver.inMemory(), "all share one")
	status := l.manager.Status(t.Context())[0]
	require.True(t, status.Loaded)
	require.Equal(t, "cpu", status.Device)
	require.Nil(t, status.UnloadAt, "it is in use")

	again, err := l.manager.Acquire(t.Context(), "A", func(backend.Status) { t.Error("it is loaded already") })
	require.NoError(t, err, "names ignore case")
	again.Release()
	for _, h := range loaded {
		require.Nil(t, l.manager.Status(t.Context())[0].UnloadAt)
		h.Release()
		h.Release() // a second time counts for nothing
	}
	require.NotNil(t, l.manager.Status(t.Context())[0].UnloadAt)
	require.Equal(t, int64(2), l.driver.opened.Load())
}

func TestCallerThatLeavesDoesNotBreakTheLoad(t *testing.T) {
	t.Parallel()
	entered, gate := make(chan struct{}, 8), make(chan error, 8)
	l := newFixture(t, slow(entered, gate))
	l.imported("a", "x")
	ctx, leave := context.WithCancel(t.Context())
	first, second := make(chan error, 1), make(chan error, 1)
	go func() {
		_, err := l.manager.Acquire(ctx, "a", nil)
		first <- err
	}()
	<-entered
	go func() {
		h, err := l.manager.Acquire(context.Background(), "a", nil)
		if err == nil {
			h.Release()
		}
		second <- err
	}()
	leave()
	requireCode(t, backend.CodeCancelled, <-first)
	gate <- nil
	require.NoError(t, <-second)
	require.Equal(t, int64(2), l.driver.opened.Load())
}

func TestLoadThatNobodyWaitsForIsUnloaded(t *testing.T) {
	t.Parallel()
	entered, gate := make(chan struct{}, 8), make(chan error, 8)
	l := newFixture(t, slow(entered, gate))
	l.idle.Store(0)
	l.imported("a", "x")
	ctx, leave := context.WithCancel(t.Context())
	first := make(chan error, 1)
	go func() {
		_, err := l.manager.Acquire(ctx, "a", nil)
		first <- err
	}()
	<-entered
	leave()
	requireCode(t, backend.CodeCancelled, <-first)
	gate <- nil
	require.Eventually(t, func() bool {
		return l.driver.opened.Load() == 2 && l.driver.inMemory() == 0 && !l.manager.Status(t.Context())[0].Loaded
	}, waitLimit, time.Millisecond)
}

func TestFailedLoadCanBeTriedAgain(t *testing.T) {
	t.Parallel()
	entered, gate := make(chan struct{}, 8), make(chan error, 8)
	l := newFixture(t, slow(entered, gate))
	l.imported("a", "x")
	gate <- backend.E(backend.CodeOutOfMemory, "There is no room.", "Unload another model.")
	_, err := l.manager.Acquire(t.Context(), "a", nil)
	requireCode(t, backend.CodeOutOfMemory, err)
	require.False(t, l.manager.Status(t.Context())[0].Loaded)
	gate <- nil
	l.acquire("a").Release()
}

func TestIdleUnload(t *testing.T) {
	t.Parallel()
	t.Run("at once", func(t *testing.T) {
		l := newFixture(t)
		l.idle.Store(0)
		l.imported("a", "x")
		freed := l.freed.Load()
		h := l.acquire("a")
		require.Equal(t, 1, l.driver.inMemory())
		h.Release()
		require.Eventually(t, func() bool { return l.driver.inMemory() == 0 && l.freed.Load() == freed+1 }, waitLimit, time.Millisecond)
		require.Equal(t, "a", l.manager.Status(t.Context())[0].ModelName)
		l.acquire("a").Release() // and loaded again
	})
	t.Run("never", func(t *testing.T) {
		l := newFixture(t)
		l.idle.Store(-1)
		l.imported("a", "x")
		l.acquire("a").Release()
		status := l.manager.Status(t.Context())[0]
		require.True(t, status.Loaded)
		require.Nil(t, status.UnloadAt)
		require.NotNil(t, status.LastUsedAt)
	})
	t.Run("after a while", func(t *testing.T) {
		l := newFixture(t)
		l.idle.Store(int64(50 * time.Millisecond))
		l.imported("a", "x")
		h := l.acquire("a")
		h.Release()
		busy := l.acquire("a") // in use again: the clock stands
		time.Sleep(150 * time.Millisecond)
		require.Equal(t, 1, l.driver.inMemory())
		l.idle.Store(int64(time.Hour))
		busy.Release()
		require.NotNil(t, l.manager.Status(t.Context())[0].UnloadAt)
		l.idle.Store(int64(50 * time.Millisecond))
		l.acquire("a").Release()
		require.Eventually(t, func() bool { return l.driver.inMemory() == 0 }, waitLimit, time.Millisecond)
	})
}

func TestAcquireAndReleaseUnderPressure(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	l.idle.Store(0)
	l.imported("a", "x")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 50 {
				h, err := l.manager.Acquire(context.Background(), "a", nil)
				if err != nil {
					t.Error(err)
					return
				}
				if err := h.Speak(context.Background(), engines.Utterance{Text: "Hi."}, emitNothing); err != nil {
					t.Errorf("a model in use was closed: %v", err)
				}
				h.Release()
			}
		})
	}
	all.Wait()
	require.Eventually(t, func() bool { return l.driver.inMemory() == 0 }, waitLimit, time.Millisecond)
}

func TestClose(t *testing.T) {
	t.Parallel()
	entered, gate := make(chan struct{}, 8), make(chan error, 8)
	l := newFixture(t, slow(entered, gate))
	l.imported("a", "x")
	waiting := make(chan error, 1)
	go func() {
		h, err := l.manager.Acquire(context.Background(), "a", nil)
		if err == nil {
			h.Release()
		}
		waiting <- err
	}()
	<-entered
	closed := make(chan error, 1)
	go func() { closed <- l.manager.Close(context.Background()) }()
	gate <- nil
	require.NoError(t, <-closed)
	require.NoError(t, <-waiting)
	require.Zero(t, l.driver.inMemory(), "also the model that was still loading")
	_, err := l.manager.Acquire(t.Context(), "a", nil)
	requireCode(t, backend.CodeCancelled, err)
	require.NoError(t, l.manager.Close(context.Background()), "a second call does nothing")
}

func TestFilesChangedAfterTheImport(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(t *testing.T, path string)
		says   string
	}{
		"a byte flipped": {
			says: "changed",
			change: func(t *testing.T, path string) {
				raw, err := os.ReadFile(path)
				require.NoError(t, err)
				raw[0] ^= 1
				require.NoError(t, os.WriteFile(path, raw, 0o600))
			},
		},
		"truncated": {says: "bytes instead of", change: func(t *testing.T, path string) { require.NoError(t, os.Truncate(path, 2)) }},
		"missing":   {says: "missing", change: func(t *testing.T, path string) { require.NoError(t, os.Remove(path)) }},
	} {
		t.Run(name, func(t *testing.T) {
			l := newFixture(t)
			l.imported("a", "voice")
			path := filepath.Join(l.dir, "imported", "a", "a.graph")
			file, err := os.ReadFile(path)
			require.NoError(t, err)
			c.change(t, path)
			_, err = l.manager.Acquire(t.Context(), "a", nil)
			e := failure(t, backend.CodeModelCorrupt, err)
			require.Contains(t, e.Detail, "a.graph")
			require.Contains(t, e.Detail, c.says)
			require.Equal(t, "a.graph", e.Params["file"])
			require.Equal(t, int64(1), l.driver.opened.Load(), "nothing unverified is opened")
			require.Equal(t, backend.ModelBroken, l.state("a"))
			require.Equal(t, backend.CodeModelCorrupt, l.get("a").Error.Code)
			_, err = l.manager.Download(t.Context(), "a", false)
			requireCode(t, backend.CodeModelCorrupt, err)
			require.NoError(t, os.WriteFile(path, file, 0o600))
			l.acquire("a").Release() // repaired
		})
	}
}

func TestModelsByNameAndByVoice(t *testing.T) {
	t.Parallel()
	l := newFixture(t)
	l.imported("key-one", "anna bert")
	l.imported("key-two", "cleo")
	m, err := l.manager.Model("KEY-one")
	require.NoError(t, err)
	require.Equal(t, "key-one", m.Name)
	require.Equal(t, "fake", m.Engine)
	require.Len(t, m.Voices, 2)
	_, err = l.manager.Model("nobody")
	require.Equal(t, "nobody", failure(t, backend.CodeModelUnknown, err).Params["model_name"])
	_, err = l.manager.Acquire(t.Context(), "nobody", nil)
	requireCode(t, backend.CodeModelUnknown, err)

	for voice, want := range map[string]string{
		"key-one#anna": "key-one", "key-two#cleo": "key-two", "cleo": "key-two", "bert": "key-one", "": "key-one",
		"key-one#cleo": "", "key-three#anna": "", "dora": "",
	} {
		m, err := l.manager.ModelOf("fake", voice)
		if want == "" {
			requireCode(t, backend.CodeModelUnknown, err)
			continue
		}
		require.NoError(t, err, voice)
		require.Equal(t, want, m.Name, voice)
	}
	_, err = l.manager.ModelOf("other", "anna")
	requireCode(t, backend.CodeModelUnknown, err)

	own, err := l.manager.ModelOf("fixture", "0")
	require.NoError(t, err)
	require.Equal(t, backend.BuiltInProfileName, own.DisplayName)
	h := l.acquire("fixture")
	h.Release()
	require.NoError(t, h.Speak(t.Context(), engines.Utterance{Text: "Hi."}, emitNothing), "the built-in voice is never closed here")
}

func TestModelOfAnEngineThatThisBuildLacks(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) { l.known("alpha", "anna") })
	l.imported("a", "x")
	l.options.Drivers = nil
	l.start()
	for _, name := range []string{"a", "alpha"} {
		_, err := l.manager.Acquire(t.Context(), name, nil)
		requireCode(t, backend.CodeRuntimeMissing, err)
	}
	require.Empty(t, l.server.Requests(""), "nothing is downloaded")
	_, err := l.manager.Load(t.Context(), "alpha", false, false)
	requireCode(t, backend.CodeModelNotDownloaded, err)
}

// TestMemoryOfAGPU is free again for other models after an import, which only tries a model, a load that fails and an unload.
func TestMemoryOfAGPU(t *testing.T) {
	t.Parallel()
	var fails atomic.Bool
	l := newFixture(t, func(l *fixture) {
		l.options.Device = func(string) string { return "cuda" }
		l.options.Devices = devices.New(devices.Options{
			Memory: func(string) (int64, int64, bool) { return 1_200_000_000, 1_200_000_000, true }, // enough for one
			Log:    l.options.Log,
		})
		l.driver.open = func(context.Context, int) error {
			if fails.Load() {
				return backend.E(backend.CodeOutOfMemory, "There is not enough memory.", "Try again.")
			}
			return nil
		}
	})
	device := func() string { return l.driver.options.Load().(engines.Options).Device }
	l.imported("a", "x")
	require.Equal(t, "cuda", device())
	l.imported("b", "x")
	require.Equal(t, "cuda", device(), "the first one was only tried")
	fails.Store(true)
	_, err := l.manager.Load(t.Context(), "a", false, false)
	require.Equal(t, backend.CodeOutOfMemory, backend.CodeOf(err))
	fails.Store(false)
	for _, name := range []string{"b", "a"} {
		_, err = l.manager.Load(t.Context(), name, false, false)
		require.NoError(t, err)
		require.Equal(t, "cuda", device(), name)
		_, err = l.manager.Unload(t.Context(), name, false)
		require.NoError(t, err)
	}
}
