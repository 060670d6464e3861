package filters

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestNoLevelBetweenSamplesIsMissed compares with the filters at every place, for sounds of all kinds.
func TestNoLevelBetweenSamplesIsMissed(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		window := someSound(t)
		floor := rapid.SampledFrom([]float32{0, 0.1, 0.5, 0.9, 1, 1.1, 1.5}).Draw(t, "floor") * Highest(window)
		want := floor
		for i := PeakTaps; i <= len(window); i++ {
			for _, row := range Peaks.rows {
				want = max(want, Abs(Dot(window[i-PeakTaps:i], row)))
			}
		}
		require.Equal(t, want, Peaks.Between(window, floor))
	})
}

// someSound returns noise, a tone or clicks at any level.
func someSound(t *rapid.T) []float32 {
	sound := make([]float32, rapid.IntRange(PeakTaps, 200).Draw(t, "samples"))
	level := math.Pow(10, rapid.Float64Range(-44, 38).Draw(t, "level"))
	kind, pitch := rapid.IntRange(0, 2).Draw(t, "kind"), rapid.Float64Range(0, math.Pi).Draw(t, "pitch")
	clicks := rapid.SampledFrom([]float64{0.01, 0.1, 0.5}).Draw(t, "clicks")
	random := rapid.SliceOfN(rapid.Float64Range(-1, 1), len(sound), len(sound)).Draw(t, "random")
	for i, x := range random {
		switch {
		case kind == 0:
			sound[i] = float32(level * x)
		case kind == 1:
			sound[i] = float32(level * math.Sin(pitch*float64(i)+random[0]))
		case math.Abs(x) < clicks:
			sound[i] = float32(math.Copysign(level, x))
		}
	}
	return sound
}
