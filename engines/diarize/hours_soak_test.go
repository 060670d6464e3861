//go:build soak

package diarize_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/diarize/diarizetest"
)

// TestSoakHoursOfTones finds the speakers of three hours, the tones of the kit again and again, which are too many voices to compare
// each with each: they are those of a minute. Between the minutes are ten seconds of silence, as the toy network takes A and D for one
// in a window that has both.
func TestSoakHoursOfTones(t *testing.T) {
	const times, period = 3 * 3600 / 70, 70
	minute, once := diarizetest.Tones(t, 0, 60), diarizetest.Truth(t)
	var truth []diarizetest.Turn
	for i := range times {
		for _, turn := range once {
			turn.Start, turn.End = turn.Start+float64(i*period), turn.End+float64(i*period)
			truth = append(truth, turn)
		}
	}
	sound := slices.Repeat(slices.Concat(minute, make([]float32, 10*engines.TranscriberRate)), times)
	for _, pace := range []engines.Pace{engines.Fast, engines.Thorough} {
		e, n := errorsOf(t, sound, truth, engines.DiarizeOptions{Pace: pace, Max: 20})
		t.Log(e)
		require.Equal(t, 4, n)
		require.Less(t, e.Rate(), 0.02, e)
	}
}
