package diarize_test

import (
	"context"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/diarize/diarizetest"
)

// sound is all in memory.
type sound []float32

func (s sound) Samples() int { return len(s) }

func (s sound) Read(_ context.Context, into []float32, start int) error {
	copy(into, s[start:])
	return nil
}

// errorsOf returns the errors of the toy networks in sound with known speakers, and how many they find.
func errorsOf(t *testing.T, s sound, truth []diarizetest.Turn, o engines.DiarizeOptions) (diarizetest.Errors, int) {
	t.Helper()
	model, err := diarizetest.New(t).AcquireDiarizerDownloaded(t.Context())
	require.NoError(t, err)
	found, err := model.Diarize(t.Context(), s, o)
	require.NoError(t, err)
	var turns []diarizetest.Turn
	for _, turn := range found.Turns {
		turns = append(turns, diarizetest.Turn{Start: turn.Start, End: turn.End, Speaker: strconv.Itoa(turn.Speaker)})
	}
	return diarizetest.Score(truth, turns), len(found.Prints)
}

// TestErrorRateOfTones prints the error rates of the toy networks. They say nothing about people and published networks.
func TestErrorRateOfTones(t *testing.T) {
	t.Parallel()
	for name, pace := range map[string]engines.Pace{"thorough": engines.Thorough, "balanced": engines.Balanced, "fast": engines.Fast} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e, n := errorsOf(t, diarizetest.Tones(t, 0, 60), diarizetest.Truth(t), engines.DiarizeOptions{Pace: pace})
			t.Log(e)
			require.Equal(t, 4, n)
			require.Less(t, e.Rate(), 0.02, e)
		})
	}
}

func TestForty(t *testing.T) {
	t.Parallel()
	s, truth := diarizetest.People(diarizetest.MostPeople)
	e, n := errorsOf(t, s, truth, engines.DiarizeOptions{Count: diarizetest.MostPeople, Pace: engines.Balanced})
	t.Log(e)
	require.Equal(t, diarizetest.MostPeople, n)
	require.Less(t, e.Rate(), 0.02, e)
}
