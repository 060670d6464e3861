package transcribe

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/voicewright/voicewright/engines"
)

const second = engines.TranscriberRate

func TestCutPointIsInTheLongestPause(t *testing.T) {
	samples := make([]float32, 60*second)
	for _, c := range []struct {
		what   string
		speech []engines.Span
		want   int
	}{
		{"the longest pause", []engines.Span{{Start: 0, End: 10 * second}, {Start: 11 * second, End: 20 * second}, {Start: 24 * second, End: 60 * second}}, 22 * second},
		{"the later one of equal pauses", []engines.Span{{Start: 0, End: 10 * second}, {Start: 12 * second, End: 20 * second}, {Start: 22 * second, End: 60 * second}}, 21 * second},
		{"before the first speech", []engines.Span{{Start: 8 * second, End: 60 * second}}, 4 * second},
		{"after the last speech", []engines.Span{{Start: second, End: 50 * second}}, 55 * second},
	} {
		require.Equal(t, c.want, cutPoint(samples, c.speech), c.what)
	}
}

// Where speech never pauses, or none is found, the cut is where it is quietest.
func TestCutPointWithoutAPause(t *testing.T) {
	samples := make([]float32, 20*second)
	for i := range samples {
		samples[i] = float32(0.5 * math.Sin(float64(i)*0.3))
	}
	for i := 13 * second; i < 13*second+quietLength; i++ {
		samples[i] *= 0.2
	}
	want := 13*second + quietLength/2
	require.InDelta(t, want, cutPoint(samples, nil), quietStep)
	require.InDelta(t, want, cutPoint(samples, []engines.Span{{Start: 0, End: 20 * second}}), quietStep)
	shortPause := []engines.Span{{Start: 0, End: 5 * second}, {Start: 5*second + minPause - 1, End: 20 * second}}
	require.InDelta(t, want, cutPoint(samples, shortPause), quietStep)
	require.Equal(t, 100, cutPoint(samples[:100], nil), "shorter than what is searched for")
}

func TestCutPointIsInTheAudio(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		samples := make([]float32, rapid.IntRange(1, 3*second).Draw(rt, "n"))
		var speech []engines.Span
		for at := 0; ; {
			from := at + rapid.IntRange(0, second).Draw(rt, "gap")
			to := from + rapid.IntRange(1, second).Draw(rt, "length")
			if to > len(samples) {
				break
			}
			speech, at = append(speech, engines.Span{Start: from, End: to}), to
		}
		at := cutPoint(samples, speech)
		require.Positive(rt, at)
		require.LessOrEqual(rt, at, len(samples))
	})
}

func TestWithoutQuietStretches(t *testing.T) {
	quiet := []engines.Span{{End: 30 * second}, {Start: 40 * second, End: 90 * second}}
	require.Equal(t, []engines.Span{{Start: 30*second - margin, End: 40*second + margin}, {Start: 90*second - margin, End: 95 * second}},
		without(quiet, 95*second))
	require.Equal(t, []engines.Span{{Start: 30*second - margin, End: 40*second + margin}}, without(quiet, 90*second))
	require.Equal(t, []engines.Span{{End: second}}, without(nil, second))
	require.Empty(t, without([]engines.Span{{End: second}}, second))
}
