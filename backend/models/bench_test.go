package models_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hub"
	"github.com/voicewright/voicewright/backend/models"
	"github.com/voicewright/voicewright/backend/models/registry"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// BenchmarkStatus lists 300 models: those of the registry, and imported ones whose files each list checks. The goal is a p95 of
// 5 ms.
func BenchmarkStatus(b *testing.B) {
	dir := b.TempDir()
	known, err := registry.Load()
	require.NoError(b, err)
	var own []registry.Entry
	for i := range 300 - len(known) {
		e := entry(fmt.Sprintf("own-%03d", i), "anna", "bert")
		folder := filepath.Join(dir, "models", "imported", e.Name)
		require.NoError(b, os.MkdirAll(folder, 0o700))
		for j := range e.Variants[0].Files {
			f := &e.Variants[0].Files[j]
			f.Repo, f.Revision = "", ""
			require.NoError(b, writeFile(filepath.Join(folder, f.Path), nil))
			require.NoError(b, os.Truncate(filepath.Join(folder, f.Path), f.Bytes))
		}
		own = append(own, e)
	}
	clock := time.Now()
	raw, err := registry.Format(own)
	require.NoError(b, err)
	o := models.Options{
		Known: known, Registry: dir + "/models.json", Licenses: dir + "/licenses.json",
		BuiltIn: enginetest.NewFixture(enginetest.FixtureOptions{}),
		Memory:  func() (int64, int64, bool) { return 8000 * mb, 4000 * mb, true },
		Now: func() time.Time {
			clock = clock.Add(time.Minute)
			return clock
		},
		Log: quiet(),
	}
	require.NoError(b, writeFile(o.Registry, raw))
	o.Hub, err = hub.New(hub.NewCache(dir+"/models", ""), hub.Options{})
	require.NoError(b, err)
	b.Cleanup(o.Hub.Close)
	start := time.Now()
	m, err := models.New(o)
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, m.Close(context.Background())) })
	opened := time.Since(start)

	var times []time.Duration
	var list []backend.ModelStatus
	for b.Loop() {
		start := time.Now()
		list = m.Status(b.Context())
		times = append(times, time.Since(start))
	}
	require.Len(b, list, 300)
	here := slices.DeleteFunc(list, func(s backend.ModelStatus) bool { return !s.Downloaded })
	require.Len(b, here, len(own))
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)*95/100].Microseconds())/1000, "p95-ms")
	b.ReportMetric(float64(opened.Microseconds())/1000, "open-ms")
}
