package audio

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Audio in pieces of any size becomes the same samples as in one piece, also with the interpolated filters of odd rates.
func TestResamplerEqualsResample(t *testing.T) {
	rates := []int{1000, 8000, 11025, 16000, 22050, 44100, 44101, 48000, 192000, 384000}
	rapid.Check(t, func(rt *rapid.T) {
		from, to := rapid.SampledFrom(rates).Draw(rt, "from"), rapid.SampledFrom(rates[:6]).Draw(rt, "to")
		in := make([]float32, rapid.IntRange(0, 5000).Draw(rt, "n"))
		for i := range in {
			in[i] = float32(math.Sin(float64(i) * float64(i) / 3000))
		}
		want := Resample(in, from, to)
		got := []float32{}
		r := newResampler(from, to, func(samples []float32) error {
			got = append(got, samples...)
			return nil
		})
		for remaining := in; len(remaining) > 0; {
			n := rapid.IntRange(1, len(remaining)).Draw(rt, "piece")
			require.NoError(rt, r.write(remaining[:n]))
			remaining = remaining[n:]
		}
		require.NoError(rt, r.close())
		require.Len(rt, got, len(want))
		for i := range want {
			require.Equal(rt, want[i], got[i], "sample %d", i)
		}
	})
}
