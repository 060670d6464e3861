package samples_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/samples"
)

// minute returns a minute of speech in stereo at 48 kHz.
func minute(b *testing.B) audio.Buffer {
	b.Helper()
	var one audio.Buffer
	for range 6 {
		one = after(one, woman(b))
	}
	one = seconds(one, 57).Resampled(48000)
	return interleaved(one, one)
}

// BenchmarkAnalyse is a minute of speech in stereo at 48 kHz, without and with the detector.
func BenchmarkAnalyse(b *testing.B) {
	in := minute(b)
	real := options(b)
	spans, err := real.Detect(b.Context(), in.Mono().Resampled(16000).Samples)
	require.NoError(b, err)
	for name, o := range map[string]samples.Options{"known": speechAt(spans...), "detector": real} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, err := samples.Analyse(b.Context(), in, o)
				require.NoError(b, err)
			}
			b.ReportMetric(in.Duration().Seconds()*float64(b.N)/b.Elapsed().Seconds(), "x-real-time")
		})
	}
}

// BenchmarkJoin is three minutes of speech of which 30 seconds are used.
func BenchmarkJoin(b *testing.B) {
	in := minute(b).Mono()
	b.ReportAllocs()
	for b.Loop() {
		require.Positive(b, samples.Join([]audio.Buffer{in, in, in}, 30).Frames())
	}
}
