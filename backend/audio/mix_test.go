package audio_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/voicewright/voicewright/backend/audio"
)

// channels returns channels as interleaved samples.
func channels(each ...[]float32) (out []float32) {
	for i := range each[0] {
		for _, one := range each {
			out = append(out, one[i])
		}
	}
	return out
}

func scaled(samples []float32, by float32) []float32 {
	out := slices.Clone(samples)
	for i := range out {
		out[i] *= by
	}
	return out
}

// TestOppositePhaseIsHeard mixes recordings whose channels cancel each other in the mean.
func TestOppositePhaseIsHeard(t *testing.T) {
	const rate = 24000
	speech := readClip(t, "jfk.wav").Resampled(rate).Samples
	speech = speech[:len(speech)/100*100]
	noise := make([]float32, len(speech))
	for i := range noise {
		noise[i] = float32(0.002 * math.Sin(float64(i*i%9973)))
	}
	silence := make([]float32, len(speech))
	noisy := scaled(speech, -1)
	for i := range noisy {
		noisy[i] += noise[i]
	}
	for name, each := range map[string][][]float32{
		"two":            {speech, scaled(speech, -1)},
		"two with noise": {speech, noisy},
		"not as loud":    {speech, scaled(speech, -0.8)},
		"second louder":  {scaled(speech, -0.7), speech},
		"four":           {speech, scaled(speech, -1), scaled(speech, 0.5), scaled(speech, -0.5)},
		"surround":       {speech, scaled(speech, -1), silence, silence, silence, noise},
	} {
		t.Run(name, func(t *testing.T) {
			in := channels(each...)
			path := writeWAV(t, rate, len(each), in)
			want := rms(speech)
			for _, path := range []string{path, makeMedia(t, "a.flac", "-i", path)} {
				got, err := streamMono(t, audio.FindCodecs(), path)
				require.NoError(t, err)
				require.InDelta(t, 0, dB(rms(got)/want), 0.7)
				original := audio.Resample(speech, rate, 16000)
				require.Greater(t, max(correlation(original, got, 10), correlation(scaled(original, -1), got, 10)), 0.99)
			}
			low, err := audio.Buffer{Samples: in, Rate: rate, Channels: len(each)}.MonoAt(t.Context(), 16000)
			require.NoError(t, err)
			require.InDelta(t, 0, dB(rms(low.Samples)/want), 0.7)
		})
	}
}

// TestPhaseThatChanges has no click where a channel is turned around in the middle, and no loss before or after it.
func TestPhaseThatChanges(t *testing.T) {
	const rate, n = 24000, 3 * 24000
	tone := sine(n, rate, 200, 0.5, 0)
	other := slices.Concat(tone[:n/3], scaled(tone[n/3:2*n/3], -1), tone[2*n/3:])
	got := audio.Buffer{Samples: channels(tone, other), Rate: rate, Channels: 2}.Mono().Samples
	require.Len(t, got, n)
	for i := 1; i < n; i++ {
		require.Less(t, math.Abs(float64(got[i]-got[i-1])), 0.06, "a click at %d", i)
	}
	for at := 0; at+rate/2 <= n; at += rate / 2 {
		require.InDelta(t, rms(tone), rms(got[at:at+rate/2]), 0.02)
	}
}

// Channels that do not cancel each other are their mean, bit by bit, however the samples arrive.
// A rest that is shorter than a window has too few samples to tell phases apart.
func TestRestKeepsTheChoice(t *testing.T) {
	const frames = 801
	in := make([]float32, 2*frames)
	for i := range in {
		in[i] = 0.1
	}
	in[2*frames-1] = -0.1
	got := audio.Buffer{Samples: in, Rate: 8000, Channels: 2}.Mono()
	require.Zero(t, got.Samples[frames-1], "the mean of the last frame")
}

func TestMeanOfChannels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		count := rapid.IntRange(2, 6).Draw(t, "channels")
		frames := rapid.IntRange(0, 5000).Draw(t, "frames")
		rate := rapid.SampledFrom([]int{8000, 16000, 44100}).Draw(t, "rate")
		in := make([]float32, frames*count)
		want := make([]float32, frames)
		for i := range frames {
			var sum float32
			for c := range count {
				in[i*count+c] = float32(0.1 * math.Sin(float64(i*(c+1))/30))
				sum += in[i*count+c]
			}
			want[i] = sum / float32(count)
		}
		got := audio.Buffer{Samples: in, Rate: rate, Channels: count}.Mono()
		if !slices.Equal(want, got.Samples) || got.Rate != rate || got.Channels != 1 {
			t.Fatalf("%d channels: not their mean", count)
		}
	})
}
