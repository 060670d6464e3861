package samples_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/samples"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// lufs returns the loudness of mono audio.
func lufs(t *testing.T, b audio.Buffer) float64 {
	t.Helper()
	m := audio.NewMeter(b.Rate, 1)
	m.Write(b.Samples)
	l, ok := m.Integrated()
	require.True(t, ok)
	return l
}

func TestJoin(t *testing.T) {
	t.Parallel()
	her, him := woman(t), times(man(t).Resampled(24000), 0.2)
	out := samples.Join([]audio.Buffer{her, {}, him}, 0)
	require.Equal(t, 24000, out.Rate, "the higher of the rates")
	require.Equal(t, 1, out.Channels)
	first, second := her.Duration().Seconds(), him.Duration().Seconds()
	require.InDelta(t, first+0.2+second, out.Duration().Seconds(), 0.001)
	at := int(first * 24000)
	for _, x := range out.Samples[at+10 : at+4790] {
		require.Zero(t, x, "0.2 s of silence")
	}
	require.InDelta(t, lufs(t, her), lufs(t, audio.Buffer{Samples: out.Samples[at+4800:], Rate: 24000, Channels: 1}), 0.5)
	for i := 1; i < len(out.Samples); i++ {
		require.LessOrEqual(t, math.Abs(float64(out.Samples[i])), 1.0)
	}
}

func TestJoinOfOneAndNone(t *testing.T) {
	t.Parallel()
	require.Zero(t, samples.Join(nil, 10).Frames())
	require.Zero(t, samples.Join([]audio.Buffer{{}, {Rate: -1, Channels: 3, Samples: []float32{1}}}, 10).Frames())
	her := woman(t)
	require.Equal(t, her.Frames(), samples.Join([]audio.Buffer{her}, 30).Frames())
	require.Equal(t, her.Frames(), samples.Join([]audio.Buffer{interleaved(her, her)}, 30).Frames())
}

// What is beyond the limit is cut off in a pause, if there is one.
func TestJoinCutsInPauses(t *testing.T) {
	t.Parallel()
	o := options(t)
	for _, name := range []string{"LJ001-0001.wav", "jfk.wav"} {
		clip := enginetest.Clip(t, name)
		speech, err := o.Detect(t.Context(), clip.Resampled(16000).Samples)
		require.NoError(t, err)
		for longest := 4.6; longest < clip.Duration().Seconds()-0.5; longest += 0.9 {
			out := samples.Join([]audio.Buffer{clip, clip}, longest)
			end := out.Duration().Seconds()
			require.LessOrEqual(t, end, longest)
			require.GreaterOrEqual(t, end, longest/3)
			for _, s := range speech {
				require.False(t, end > s.Start+0.05 && end < s.End-0.05, "%s: %.2f s of %.2f is in the speech %v", name, end, longest, s)
			}
		}
	}
}

// A second sample is begun only where a second of it fits.
func TestJoinLeavesOutScraps(t *testing.T) {
	t.Parallel()
	her := woman(t)
	first := her.Duration().Seconds()
	require.InDelta(t, first, samples.Join([]audio.Buffer{her, her}, first+1.1).Duration().Seconds(), 0.001)
	out := samples.Join([]audio.Buffer{her, her}, first+4)
	require.Greater(t, out.Duration().Seconds(), first+2)
	for longest, want := range map[float64]int{0: 3, first: 1, first + 1.1: 1, first + 4: 2, 2*first + 0.5: 2, 2*first + 1.5: 3} {
		require.Equal(t, want, samples.Used([]float64{first, first, first}, longest), "%g", longest)
	}
	require.Zero(t, samples.Used(nil, 5))
	require.LessOrEqual(t, out.Duration().Seconds(), first+4)
}
