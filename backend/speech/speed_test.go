package speech_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
	"github.com/voicewright/voicewright/engines/enginetest"
)

func TestSpeedsBeyondTheEngine(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{})) // it speaks from half to double pace itself
	length := func(speed float64) float64 {
		r := generations.Request{ProfileID: l.Profile.ID, Text: "The first sentence has some words. The second one is longer."}
		r.Speed = &speed
		g := l.Speak(r)
		require.InDelta(t, speed, g.Speed, 0)
		studiotest.RequireLevel(t, g.AudioPath, 0.5)
		return g.Duration
	}
	normal := length(1)
	for _, speed := range []float64{0.25, 0.4, 0.5, 2, 3, 4} {
		require.InEpsilon(t, normal/speed, length(speed), 0.05, "speed %g", speed)
	}
}
