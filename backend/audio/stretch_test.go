package audio_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
)

var speeds = []float64{0.25, 0.5, 0.8, 0.95, 1.05, 1.5, 2, 4}

// frequency returns the frequency of a nearly pure tone, by its upward zero crossings.
func frequency(samples []float32, rate int) float64 {
	first, last, n := 0.0, 0.0, -1
	for i := 1; i < len(samples); i++ {
		a, b := float64(samples[i-1]), float64(samples[i])
		if a < 0 && b >= 0 {
			last = float64(i) - b/(b-a)
			if n++; n == 0 {
				first = last
			}
		}
	}
	return float64(n) * float64(rate) / (last - first)
}

func TestStretchKeepsPitch(t *testing.T) {
	const rate = 24000
	for _, hz := range []float64{70, 220, 3011} {
		for _, speed := range speeds {
			t.Run(fmt.Sprintf("%g Hz at %g", hz, speed), func(t *testing.T) {
				in := sine(3*rate/2, rate, hz, 0.5, 0.3)
				out := stretch(t, in, rate, speed)
				require.Len(t, out, int(math.Round(float64(len(in))/speed)))
				mid := out[len(out)/8 : len(out)*7/8]
				require.InEpsilon(t, hz, frequency(mid, rate), 0.005)
				require.InDelta(t, 0.5/math.Sqrt2, rms(mid), 0.03)
			})
		}
	}
}

// Four bursts stay four bursts, each at its place in the new tempo.
func TestStretchChangesTempo(t *testing.T) {
	const rate = 22050
	in := make([]float32, 4*rate)
	for k := range 4 {
		copy(in[k*rate+rate/4:], sine(rate/2, rate, 330, 0.5, 0))
	}
	for _, speed := range speeds {
		out := stretch(t, in, rate, speed)
		at := func(second float64) float64 {
			i := int(second * rate / speed)
			return rms(out[i-int(0.1*rate/speed) : i+int(0.1*rate/speed)])
		}
		for k := range 4 {
			require.Greater(t, at(float64(k)+0.5), 0.3, "burst %d at speed %g", k, speed)
			require.Less(t, at(float64(k)+0.11), 0.05, "gap %d at speed %g", k, speed)
		}
	}
}

func TestStretchSpeechHasNoClicks(t *testing.T) {
	b := readClip(t, "jfk.wav")
	b.Samples = b.Samples[:4*b.Rate]
	natural := largestStep(b.Samples)
	for _, speed := range speeds {
		out := stretch(t, b.Samples, b.Rate, speed)
		require.LessOrEqual(t, float64(largestStep(out)), 1.1*float64(natural), "speed %g", speed)
		require.InDelta(t, rms(b.Samples), rms(out), 0.1*rms(b.Samples), "speed %g", speed)
	}
}

// TestStretchChannels stretches the tones of two channels, each at its pitch.
func TestStretchChannels(t *testing.T) {
	const rate = 48000
	left, right := sine(rate, rate, 220, 0.5, 0), sine(rate, rate, 330, 0.3, 0)
	var both []float32
	for i := range left {
		both = append(both, left[i], right[i])
	}
	out, err := audio.Stretch(t.Context(), both, rate, 2, 1.25)
	require.NoError(t, err)
	require.Len(t, out, 2*rate*4/5)
	var apart [2][]float32
	for i, x := range out {
		apart[i%2] = append(apart[i%2], x)
	}
	require.InEpsilon(t, 220, frequency(apart[0], rate), 0.01)
	require.InEpsilon(t, 330, frequency(apart[1], rate), 0.01)
}

func TestStretchEdges(t *testing.T) {
	in := sine(5000, 24000, 300, 0.5, 0)
	require.Equal(t, in, stretch(t, in, 24000, 1))
	require.Equal(t, in, stretch(t, in, 24000, math.NaN()))
	require.Len(t, stretch(t, in, 24000, 100), 1250)
	require.Len(t, stretch(t, in, 24000, -1), 20000)
	require.Empty(t, stretch(t, nil, 24000, 2))
	for n := range 1200 {
		require.Len(t, stretch(t, in[:n], 24000, 2), int(math.Round(float64(n)/2)))
	}
	require.Equal(t, make([]float32, 12000), stretch(t, make([]float32, 24000), 24000, 2))
}

func largestStep(samples []float32) float32 {
	var step float32
	for i := 1; i < len(samples); i++ {
		step = max(step, float32(math.Abs(float64(samples[i]-samples[i-1]))))
	}
	return step
}

// stretch is audio.Stretch without cancelling.
func stretch(t testing.TB, samples []float32, rate int, speed float64) []float32 {
	t.Helper()
	out, err := audio.Stretch(t.Context(), samples, rate, 1, speed)
	require.NoError(t, err)
	return out
}

func TestStretchIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := audio.Stretch(ctx, make([]float32, 24000), 24000, 1, 2)
	require.ErrorIs(t, err, backend.ErrCancelled)
}
