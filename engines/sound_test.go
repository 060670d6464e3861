package engines_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// TestTrimmer removes silence at the chosen ends, whatever pieces the output comes in.
func TestTrimmer(t *testing.T) {
	silence, sound := make([]float32, 50), slices.Repeat([]float32{0.5, 0, 0, -0.5}, 30)
	all := slices.Concat(silence, sound, silence, sound, silence)
	for _, size := range []int{1, 7, 1000} {
		for name, tt := range map[string]struct {
			start, end bool
			want       []float32
		}{
			"neither": {false, false, all},
			"start":   {true, false, all[50:]},
			"end":     {false, true, all[:len(all)-50]},
			"both":    {true, true, all[50 : len(all)-50]},
		} {
			var got []float32
			trimmer := engines.Trimmer{Start: tt.start, End: tt.end, Rate: 1000, Channels: 1, Emit: func(s engines.Sound) error {
				got = append(got, s.Samples...)
				return nil
			}}
			for piece := range slices.Chunk(all, size) {
				require.NoError(t, trimmer.Write(engines.Sound{Buffer: audio.Buffer{Samples: piece, Rate: 1000, Channels: 1}}))
			}
			require.NoError(t, trimmer.Close())
			require.Equal(t, tt.want, got, "%s in pieces of %d", name, size)
		}
	}
}

// TestSpeakAt speaks at speeds within and beyond the range of an engine.
func TestSpeakAt(t *testing.T) {
	f := enginetest.NewFixture(enginetest.FixtureOptions{}) // from half to double speed
	length := func(speed float64) (frames int) {
		u := engines.Utterance{Text: "Some words that take a while to say.", Speed: speed}
		require.NoError(t, engines.SpeakAt(t.Context(), f, u, func(s engines.Sound) error {
			require.Equal(t, 24000, s.Rate)
			frames += s.Frames()
			return nil
		}))
		return frames
	}
	normal := float64(length(1))
	for _, speed := range []float64{0.25, 0.5, 2, 4} {
		require.InEpsilon(t, normal/speed, length(speed), 0.05, "speed %g", speed)
	}
}
