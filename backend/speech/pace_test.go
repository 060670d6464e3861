package speech_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines/enginetest"
)

// TestEstimateByThePaceOfTheVoice measures how long a voice takes for its texts: first those of the same speed.
func TestEstimateByThePaceOfTheVoice(t *testing.T) {
	l := newLab(t, fixture(enginetest.FixtureOptions{}))
	text := strings.TrimSpace(strings.Repeat("The lamp on the harbour wall was lit at dusk, as it had been for years. ", 12))
	estimate := func(text string, speed float64) float64 {
		r := l.request(text)
		r.Speed = &speed
		s, err := l.service.TextPreview(t.Context(), r)
		require.NoError(t, err)
		return s.Seconds
	}
	before := estimate(text, 1)
	heard := l.speak(l.request(text)).Duration
	require.Greater(t, heard, 5.0)
	require.InEpsilon(t, heard, estimate(text, 1), 0.05, "before: %g", before)
	require.InEpsilon(t, heard/1.5, estimate(text, 1.5), 0.05, "by the pace of another speed")
	paragraphs := strings.ReplaceAll(text, "years. ", "years.\n\n")
	require.InEpsilon(t, l.speak(l.request(paragraphs)).Duration, estimate(paragraphs, 1), 0.15, "pauses are not part of the pace")

	slow := l.request(text)
	speed := 0.8
	slow.Speed = &speed
	heard = l.speak(slow).Duration
	require.InEpsilon(t, heard, estimate(text, 0.8), 0.02, "by its own speed")
}
