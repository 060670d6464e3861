package models_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

const mb = 1_000_000

// machine is a machine with so much memory, of which each loaded model takes a part.
type machine struct {
	total, unused int64
	each          int64
	l             *fixture
}

func (m machine) memory() (total, free int64, ok bool) {
	return m.total, m.unused - int64(m.l.driver.inMemory())*m.each, true
}

// withMemory adds four models that need 100 MB each, and a machine with this memory in MB.
func withMemory(total, unused int64) func(*fixture) {
	return func(l *fixture) {
		for _, name := range []string{"alpha", "beta", "gamma", "delta"} {
			l.known(name, "anna-"+name).Variants[0].MemoryMB = 100
		}
		m := machine{total * mb, unused * mb, 100 * mb, l}
		l.memory = m.memory
		l.options.Resident = func() int64 { return int64(l.driver.inMemory()) * 90 * mb }
	}
}

func TestFits(t *testing.T) {
	t.Parallel()
	l := newFixture(t, withMemory(8000, 4000))
	for want, m := range map[backend.Fits]struct {
		total, free int64
		known       bool
	}{
		backend.FitsYes:     {8000, 143, true},
		backend.FitsTight:   {8000, 142, true},
		backend.FitsNo:      {99, 99, true},
		backend.FitsUnknown: {8000, 4000, false},
	} {
		l.memory = func() (int64, int64, bool) { return m.total * mb, m.free * mb, m.known }
		require.Equal(t, want, l.get("alpha").Fits)
		require.Equal(t, want, l.manager.Status(t.Context())[0].Fits)
	}
	l.memory = func() (int64, int64, bool) { return 8000 * mb, 0, true }
	require.Equal(t, backend.FitsTight, l.get("alpha").Fits)
}

func TestLeastUsedModelsAreUnloaded(t *testing.T) {
	t.Parallel()
	var clock atomic.Int64
	l := newFixture(t, withMemory(1000, 310), func(l *fixture) {
		l.options.Now = func() time.Time { return time.Unix(1_790_000_000+clock.Add(1), 0) }
	})
	for _, name := range []string{"alpha", "beta", "gamma", "delta"} {
		l.download(name)
	}
	busy := l.acquire("alpha") // the longest unused, and busy
	l.acquire("beta").Release()
	l.acquire("gamma").Release()
	l.acquire("beta").Release()
	require.Equal(t, 3, l.driver.inMemory())

	loaded, err := l.manager.Load(t.Context(), "delta", false, false)
	require.NoError(t, err)
	require.Equal(t, 90, loaded.MemoryMB, "as measured")
	require.False(t, l.get("gamma").Loaded, "the idle one that was used least recently")
	require.True(t, l.get("alpha").Loaded)
	require.True(t, l.get("beta").Loaded)
	require.Equal(t, 90, *l.get("delta").Memory.Measured)
	require.Equal(t, 100, *l.get("delta").Memory.Estimate)
	freed, err := l.manager.Unload(t.Context(), "delta", false)
	require.NoError(t, err)
	require.Equal(t, 90, freed.FreedMB)
	require.Equal(t, 90, *l.get("delta").Memory.Measured, "the measurement is stored")
	busy.Release()
}

func TestOutOfMemory(t *testing.T) {
	t.Parallel()
	l := newFixture(t, withMemory(1000, 210))
	for _, name := range []string{"alpha", "beta", "gamma"} {
		l.download(name)
	}
	first, second := l.acquire("alpha"), l.acquire("beta")
	_, err := l.manager.Load(t.Context(), "gamma", false, false)
	e := failure(t, backend.CodeOutOfMemory, err)
	require.Equal(t, "Fake gamma needs about 100 MB of memory, and 10 MB are free.", e.Detail)
	require.Contains(t, e.Remedy, "Unload alpha (100 MB) or beta (100 MB)")
	require.Equal(t, map[string]int{"alpha": 100, "beta": 100}, e.Params["loaded"])
	require.Equal(t, int64(100), e.Params["needed_mb"])
	require.Equal(t, backend.ModelDownloaded, l.state("gamma"))
	require.Equal(t, backend.CodeOutOfMemory, l.get("gamma").Error.Code)
	_, err = l.manager.Acquire(t.Context(), "gamma", nil)
	requireCode(t, backend.CodeOutOfMemory, err)

	_, err = l.manager.Load(t.Context(), "gamma", false, true)
	require.NoError(t, err, "with force it is loaded anyway")
	require.Nil(t, l.get("gamma").Error)
	require.True(t, l.get("alpha").Loaded)
	first.Release()
	second.Release()
}

func TestOutOfMemoryOfTheEngine(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) {
		l.known("alpha", "anna")
		l.driver.open = func(_ context.Context, n int) error {
			if n == 1 {
				return backend.E(backend.CodeOutOfMemory, "There is no room.", "Unload another model.")
			}
			return nil
		}
	})
	l.download("alpha")
	_, err := l.manager.Load(t.Context(), "alpha", false, true)
	requireCode(t, backend.CodeOutOfMemory, err)
	require.Equal(t, backend.ModelDownloaded, l.state("alpha"), "its files are intact")
	_, err = l.manager.Load(t.Context(), "alpha", false, false)
	require.NoError(t, err)
}
