package samples_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/samples"
	"github.com/voicewright/voicewright/engines/enginetest"
)

func TestMeasure(t *testing.T) {
	t.Parallel()
	o := options(t)
	m, err := samples.Measure(t.Context(), times(interleaved(woman(t), woman(t)), 0.5), o)
	require.NoError(t, err)
	require.InDelta(t, -26.2, *m.LevelLUFS, 0.5)
	require.InDelta(t, 0, samples.Semitones(214, *m.PitchHz), 1)
	require.InDelta(t, 9, m.Speech, 0.5)
	wpm, ok := samples.WordsPerMinute("Printing, in the only sense with which we are at present concerned, differs from most "+
		"if not from all the arts and crafts represented in the Exhibition", m.Speech)
	require.True(t, ok)
	require.InDelta(t, 27*60/m.Speech, wpm, 0.1)

	m, err = samples.Measure(t.Context(), silence(2, 24000), o)
	require.NoError(t, err)
	require.Equal(t, samples.Measures{}, m, "nothing is known of silence")
	m, err = samples.Measure(t.Context(), noise(0.1, 24000, 0.1), o)
	require.NoError(t, err)
	require.Nil(t, m.LevelLUFS, "too short to measure")
}

func TestMeasureReturnsErrors(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	o := samples.Options{Detect: func(context.Context, []float32) ([]samples.Span, error) { return nil, broken }}
	_, err := samples.Measure(t.Context(), enginetest.Clip(t, "jfk.wav"), o)
	require.ErrorIs(t, err, broken)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = samples.Measure(ctx, enginetest.Clip(t, "jfk.wav"), o)
	require.ErrorIs(t, err, backend.ErrCancelled)
	_, err = samples.Measure(t.Context(), audio.Buffer{}, o)
	require.NoError(t, err)
}

func TestWordsPerMinute(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text   string
		speech float64
		want   float64
		ok     bool
	}{
		{"one two three four", 2, 120, true},
		{"Don't — really! 3 o'clock.", 2, 120, true},
		{"Größe zählt überall", 1, 180, true},
		{"", 5, 0, false},
		{"… — !", 5, 0, false},
		{"真っ昼間なのに", 5, 0, false},
		{"สวัสดี", 5, 0, false},
		{"word", 0.1, 0, false},
		{"word", math.NaN(), 0, false},
		{"word", math.Inf(1), 0, false},
	} {
		wpm, ok := samples.WordsPerMinute(c.text, c.speech)
		require.Equal(t, c.ok, ok, c.text)
		require.InDelta(t, c.want, wpm, 1e-9, c.text)
	}
}
