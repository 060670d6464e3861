package audio_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines/enginetest"
)

func TestResampleSweepAndImpulse(t *testing.T) {
	enginetest.Parity(t)

	for _, c := range loadKit(t).Resample {
		t.Run(fmt.Sprintf("%d-%d", c.From, c.To), func(t *testing.T) {
			s := c.Sweep
			in := make([]float32, int(0.25*float64(c.From)))
			for i := range in {
				at := float64(i) / float64(c.From)
				in[i] = float32(0.8 * math.Sin(2*math.Pi*s.F0*s.T/s.K*(math.Exp(at/s.T*s.K)-1)))
			}
			want, _ := readNPY(t, s.Expected)
			got := audio.Resample(in, c.From, c.To)
			require.InDelta(t, len(want), len(got), 1)
			cut := len(want) / 20
			diff := make([]float32, 0, len(want))
			for i := cut; i < min(len(want), len(got))-cut; i++ {
				diff = append(diff, got[i]-want[i])
			}
			errDB := dB(rms(diff) / rms(want[cut:len(want)-cut]))
			require.Less(t, errDB, -50.0)

			one := make([]float32, c.Impulse.Length)
			one[c.Impulse.At] = 1
			out := audio.Resample(one, c.From, c.To)
			var sum float64
			peak := 0
			for i, x := range out {
				sum += float64(x)
				if x > out[peak] {
					peak = i
				}
			}
			require.InDelta(t, c.Impulse.PeakAt, peak, 1)
			require.InEpsilon(t, c.Impulse.Sum, sum, 0.01)
			t.Logf("sweep error %.1f dB", errDB)
		})
	}
}

// gain returns the level in dB of a unit tone after resampling, over the middle half.
func gain(from, to int, hz float64, alias bool) float64 {
	out := audio.Resample(sine(from/2, from, hz, 1, 0), from, to)
	mid := out[len(out)/4 : len(out)*3/4]
	if alias {
		return dB(rms(mid) * math.Sqrt2)
	}
	return dB(toneAmplitude(mid, to, hz))
}

func TestResampleTones(t *testing.T) {
	for _, c := range loadKit(t).Resample {
		nyquist := float64(min(c.From, c.To)) / 2
		worst := 0.0
		for _, part := range []float64{0.02, 0.1, 0.25, 0.5, 0.7, 0.8, 0.85} {
			g := gain(c.From, c.To, part*nyquist, false)
			require.InDelta(t, 0, g, 0.1, "%d to %d at %.2f", c.From, c.To, part)
			worst = max(worst, math.Abs(g))
		}
		edge := gain(c.From, c.To, 0.9*nyquist, false)
		require.InDelta(t, 0, edge, 1, "%d to %d at 0.9", c.From, c.To)
		alias := math.Inf(-1)
		for _, part := range []float64{1.1, 1.2, 1.3, 1.5, 1.8, 2.5} {
			if hz := part * nyquist; c.To < c.From && hz < float64(c.From)/2 {
				g := gain(c.From, c.To, hz, true)
				require.Less(t, g, -80.0, "%d to %d at %.2f", c.From, c.To, part)
				alias = max(alias, g)
			}
		}
		t.Logf("%d to %d: pass band %.4f dB, 0.9: %.2f dB, aliases %.1f dB", c.From, c.To, worst, edge, alias)
	}
}

// Ratios whose exact filter table would be huge are interpolated and must be as good.
func TestResampleOddRatios(t *testing.T) {
	for _, c := range [][2]int{{44_101, 24_000}, {383_999, 16_000}, {11_127, 24_000}, {384_000, 1001}} {
		nyquist := float64(min(c[0], c[1])) / 2
		require.InDelta(t, 0, gain(c[0], c[1], 0.5*nyquist, false), 0.1, "%v", c)
		require.InDelta(t, 0, gain(c[0], c[1], 0.85*nyquist, false), 0.1, "%v", c)
		if c[1] < c[0] {
			require.Less(t, gain(c[0], c[1], 1.1*nyquist, true), -80.0, "%v", c)
		}
	}
}

func TestResampleLengthAndLevel(t *testing.T) {
	rates := []int{8000, 11025, 16000, 22050, 24000, 44100, 48000}
	rapid.Check(t, func(rt *rapid.T) {
		from, to := rapid.SampledFrom(rates).Draw(rt, "from"), rapid.SampledFrom(rates).Draw(rt, "to")
		n := rapid.IntRange(0, 3000).Draw(rt, "n")
		in := make([]float32, n)
		for i := range in {
			in[i] = 0.5
		}
		out := audio.Resample(in, from, to)
		require.Equal(rt, int(math.Round(float64(n)*float64(to)/float64(from))), len(out))
		margin := int(math.Ceil(36 * max(1, float64(to)/float64(from)))) // half of the filter, in output samples
		for i := margin; i < len(out)-margin; i++ {
			require.InDelta(rt, 0.5, out[i], 1e-4)
		}
	})
}

func TestResampleEdges(t *testing.T) {
	require.Empty(t, audio.Resample(nil, 44100, 24000))
	require.Nil(t, audio.Resample([]float32{1}, 0, 24000))
	require.Nil(t, audio.Resample([]float32{1}, 24000, -1))
	in := []float32{0.1, 0.2}
	require.Equal(t, in, audio.Resample(in, 24000, 24000))
}

func TestBufferResampledKeepsChannelsApart(t *testing.T) {
	left, right := sine(4800, 48000, 1000, 0.5, 0), sine(4800, 48000, 3000, 0.25, 0)
	b := audio.Buffer{Samples: stereo(left, right), Rate: 48000, Channels: 2}
	got := b.Resampled(16000)
	require.Equal(t, 16000, got.Rate)
	require.Equal(t, 2, got.Channels)
	require.Equal(t, stereo(audio.Resample(left, 48000, 16000), audio.Resample(right, 48000, 16000)), got.Samples)
	require.Equal(t, b, b.Resampled(48000))
	require.Empty(t, audio.Buffer{Rate: 48000, Channels: 2}.Resampled(16000).Samples)
}

func TestBufferMono(t *testing.T) {
	b := audio.Buffer{Samples: []float32{1, 0, -0.5, 0.25}, Rate: 8000, Channels: 2}
	require.Equal(t, audio.Buffer{Samples: []float32{0.5, -0.125}, Rate: 8000, Channels: 1}, b.Mono())
	require.Equal(t, b.Mono(), b.Mono().Mono())
}
