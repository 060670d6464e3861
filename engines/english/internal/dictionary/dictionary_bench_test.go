package dictionary_test

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines/english/internal/dictionary"
)

func BenchmarkOpenDictionary(b *testing.B) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	d, err := dictionary.Open(false)
	require.NoError(b, err)
	runtime.GC()
	runtime.ReadMemStats(&after)
	for b.Loop() {
		d, err = dictionary.Open(false)
		require.NoError(b, err)
	}
	runtime.KeepAlive(d)
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/(1<<20), "MiB")
}
