//go:build unix

package vad_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/vad"
)

// BenchmarkVAD finds the speech of a clip and of silence. x-real-time is seconds of audio per second of processor time.
func BenchmarkVAD(b *testing.B) {
	speech := enginetest.Clip(b, "jfk.wav").Samples
	for name, samples := range map[string][]float32{"speech": speech, "silence": make([]float32, len(speech))} {
		b.Run(name, func(b *testing.B) {
			d := newDetector(b)
			_, err := d.Speech(b.Context(), samples[:vad.Rate]) // loads the network
			require.NoError(b, err)
			before, _ := enginetest.ProcessorTime()
			for b.Loop() {
				_, err := d.Speech(b.Context(), samples)
				require.NoError(b, err)
			}
			after, _ := enginetest.ProcessorTime()
			b.ReportMetric(float64(b.N*len(samples))/vad.Rate/(after-before), "x-real-time")
		})
	}
}
