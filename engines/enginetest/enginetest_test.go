package enginetest_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestFixtureKeepsTheContract(t *testing.T) {
	enginetest.Run(t, func(*testing.T) engines.Speaker {
		return enginetest.NewFixture(enginetest.FixtureOptions{
			Voices: []engines.Voice{{ID: "a", Name: "A", Language: "en"}, {ID: "b", Name: "B", Language: "en-GB"}},
		})
	}, enginetest.Suite{Text: "Hello.", LongText: strings.Repeat("One two three. ", 10)})
}

func TestSlowFixtureKeepsTheContract(t *testing.T) {
	enginetest.Run(t, func(*testing.T) engines.Speaker {
		return enginetest.NewFixture(enginetest.FixtureOptions{Delay: 2 * time.Millisecond})
	}, enginetest.Suite{Text: "Hello.", LongText: strings.Repeat("One two three. ", 10), Opens: 10})
}

func TestFixtureFailsWhereAsked(t *testing.T) {
	broken := errors.New("broken")
	f := enginetest.NewFixture(enginetest.FixtureOptions{Fail: broken, FailAfter: 2})
	emits := 0
	err := f.Speak(t.Context(), engines.Utterance{Text: "One. Two. Three.", Speed: 1}, func(audio.Buffer) error {
		emits++
		return nil
	})
	require.ErrorIs(t, err, broken)
	require.Equal(t, 2, emits)
}

func TestFixtureDependsOnItsUtterance(t *testing.T) {
	f := enginetest.NewFixture(enginetest.FixtureOptions{})
	say := func(u engines.Utterance) (out []float32) {
		require.NoError(t, f.Speak(t.Context(), u, func(b audio.Buffer) error {
			out = append(out, b.Samples...)
			return nil
		}))
		return out
	}
	base := say(engines.Utterance{Text: "Hello there", Speed: 1, Seed: 1})
	require.NotEqual(t, base, say(engines.Utterance{Text: "Hello where", Speed: 1, Seed: 1}))
	require.NotEqual(t, base, say(engines.Utterance{Text: "Hello there", Speed: 1, Seed: 2}))
	require.Len(t, say(engines.Utterance{Text: "Hello there", Speed: 2, Seed: 1}), len(base)/2)
	require.Equal(t, 4, f.Spoken())
}

// tones writes frames of the tone code: pairs of bin and amplitude.
func tones(frame int, pairs ...[4]float64) []float32 {
	var out []float32
	for _, p := range pairs {
		for n := range frame {
			w := 2 * math.Pi * float64(n) / float64(frame)
			out = append(out, float32(p[1]*math.Sin(w*p[0])+p[3]*math.Sin(w*p[2])))
		}
	}
	return out
}

func TestDecodeTones(t *testing.T) {
	const frame = 256
	samples := tones(frame,
		[4]float64{4, 0.3, 6, 0.15}, [4]float64{4, 0.3, 6, 0.3},
		[4]float64{10 + 4*3 + 2, 0.3, 50 + 1, 0.3}, [4]float64{10 + 4*3 + 2, 0.15, 50 + 1, 0.15}, // id 11, speaker 2
		[4]float64{10 + 4*3 + 2, 0.3, 50 + 1, 0.3}, // id 11 again
		[4]float64{0, 0, 0, 0},
		[4]float64{4, 0.1, 6, 0.1}, [4]float64{10, 0.1, 50 + 31, 0.1}, // a quieter run: id 248
	)
	got, err := enginetest.DecodeTones(samples, frame)
	require.NoError(t, err)
	require.Len(t, got, 2)
	require.InDeltaSlice(t, []float64{0.5, 1}, got[0].Header, 1e-6)
	require.Equal(t, []int{11, 11}, got[0].IDs)
	require.Equal(t, []int{2, 1}, got[0].Frames)
	require.Equal(t, 2, got[0].Speaker)
	require.Equal(t, []int{248}, got[1].IDs)
}

func TestDecodeTonesRefusesOtherSounds(t *testing.T) {
	for name, samples := range map[string][]float32{
		"no header":       tones(256, [4]float64{10, 0.3, 50, 0.3}),
		"no loud frame":   tones(256, [4]float64{4, 0.3, 6, 0.1}, [4]float64{10, 0.15, 50, 0.15}),
		"another id":      tones(256, [4]float64{4, 0.3, 6, 0.1}, [4]float64{10, 0.3, 50, 0.3}, [4]float64{14, 0.1, 50, 0.1}),
		"another speaker": tones(256, [4]float64{4, 0.3, 6, 0.1}, [4]float64{10, 0.3, 50, 0.3}, [4]float64{11, 0.3, 50, 0.3}),
	} {
		_, err := enginetest.DecodeTones(samples, 256)
		require.Error(t, err, name)
	}
}
