package audio_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/voicewright/voicewright/backend/audio"
)

func TestPeaks(t *testing.T) {
	b := audio.Buffer{Samples: []float32{0.1, -0.2, 0.3, 0.4, -0.5, 0.6, 0.7, 0.8, 0.9, 1}, Rate: 8000, Channels: 1}
	require.Equal(t, []audio.Peak{{-0.2, 0.4}, {-0.5, 0.7}, {0.8, 1}}, b.Peaks(3))
	require.Equal(t, []audio.Peak{{-0.5, 1}}, b.Peaks(1))
	require.Len(t, b.Peaks(50), 10)
	require.Empty(t, b.Peaks(0))
	require.Empty(t, audio.Buffer{Channels: 1}.Peaks(5))
	two := audio.Buffer{Samples: []float32{0.1, -0.9, 0.3, 0.4}, Rate: 8000, Channels: 2}
	require.Equal(t, []audio.Peak{{-0.9, 0.1}, {0.3, 0.4}}, two.Peaks(2))
}

func TestWaveformOfWrongLength(t *testing.T) {
	w := audio.NewWaveform(4, 1, 2)
	w.Write([]float32{1, 2})
	require.Equal(t, []audio.Peak{{1, 2}, {}}, w.Peaks())
	w.Write([]float32{3, 4, 5, -6})
	require.Equal(t, []audio.Peak{{1, 2}, {-6, 5}}, w.Peaks())
}

func TestPeaksCoverEverySample(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		channels := rapid.IntRange(1, 2).Draw(rt, "channels")
		s := rapid.SliceOfN(rapid.Float32Range(-1, 1), channels, 400).Draw(rt, "samples")
		s = s[:len(s)/channels*channels]
		n := rapid.IntRange(1, 90).Draw(rt, "n")
		b := audio.Buffer{Samples: s, Rate: 8000, Channels: channels}
		got := b.Peaks(n)
		count := min(n, b.Frames())
		require.Len(rt, got, count)
		want := make([]audio.Peak, count)
		seen := make([]bool, count)
		for i, x := range s {
			k := i / channels * count / b.Frames()
			if !seen[k] {
				want[k], seen[k] = audio.Peak{Min: x, Max: x}, true
			}
			want[k] = audio.Peak{Min: min(want[k].Min, x), Max: max(want[k].Max, x)}
		}
		require.Equal(rt, want, got)

		w := audio.NewWaveform(int64(b.Frames()), channels, n)
		cut := rapid.IntRange(0, b.Frames()).Draw(rt, "cut") * channels
		w.Write(s[:cut])
		w.Write(s[cut:])
		require.Equal(rt, got, w.Peaks())
	})
}
