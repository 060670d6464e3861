package audio_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
)

// toneWithPeak returns a tone of two seconds with a peak in the middle.
func toneWithPeak(amplitude, peak float64) audio.Buffer {
	b := audio.Buffer{Rate: 24000, Channels: 1, Samples: make([]float32, 48000)}
	for i := range b.Samples {
		b.Samples[i] = float32(amplitude * math.Sin(2*math.Pi*300*float64(i)/24000))
	}
	b.Samples[24000] = float32(peak)
	return b
}

// TestNormalize measures the loudness and the true peak of what was quiet, loud, or quiet with one peak.
func TestNormalize(t *testing.T) {
	for name, b := range map[string]audio.Buffer{
		"quiet": toneWithPeak(0.01, 0), "loud": toneWithPeak(0.9, 0), "beyond the range": toneWithPeak(4, 0), "a peak": toneWithPeak(0.1, 0.9),
	} {
		heard, err := audio.Normalize(t.Context(), b)
		require.NoError(t, err)
		require.True(t, heard)
		m := audio.NewMeter(b.Rate, b.Channels)
		m.Write(b.Samples)
		lufs, ok := m.Integrated()
		require.True(t, ok)
		require.InDelta(t, audio.TargetLUFS, lufs, 0.3, name)
		require.LessOrEqual(t, audio.ToDB(m.TruePeak()), audio.CeilingDBTP+0.01, name)
	}
	silence := audio.Buffer{Rate: 24000, Channels: 1, Samples: make([]float32, 24000)}
	heard, err := audio.Normalize(t.Context(), silence)
	require.NoError(t, err)
	require.False(t, heard)
	require.Equal(t, make([]float32, 24000), silence.Samples)
}

func TestMonoAt(t *testing.T) {
	stereo := audio.Buffer{Rate: 44100, Channels: 2}
	for i := range 100_000 {
		stereo.Samples = append(stereo.Samples, float32(math.Sin(float64(i)/20)), 0)
	}
	kept := slices.Clone(stereo.Samples)
	for _, rate := range []int{8000, 24000, 44100, 48000} {
		got, err := stereo.MonoAt(t.Context(), rate)
		require.NoError(t, err)
		require.Equal(t, stereo.Mono().Resampled(rate), got)
	}
	require.Equal(t, kept, stereo.Samples)
	same, err := stereo.Mono().MonoAt(t.Context(), 44100)
	require.NoError(t, err)
	same.Samples[0] = 7
	require.Equal(t, kept, stereo.Samples, "a copy")
}

// TestGoneCallers ends the work on long audio when nobody waits for it.
func TestGoneCallers(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	b := toneWithPeak(0.1, 0.9)
	_, err := b.MonoAt(ctx, 8000)
	require.Equal(t, backend.CodeCancelled, backend.CodeOf(err))
	_, err = audio.Normalize(ctx, b)
	require.Equal(t, backend.CodeCancelled, backend.CodeOf(err))
	for _, limit := range []bool{false, true} {
		require.Equal(t, backend.CodeCancelled, backend.CodeOf(audio.Amplify(ctx, b, 2, limit)))
	}
}
