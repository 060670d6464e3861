package pace_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/studio"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// TestEstimateByThePaceOfTheVoice measures how long a voice takes for its texts: first those of the same speed.
func TestEstimateByThePaceOfTheVoice(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	text := strings.TrimSpace(strings.Repeat("The lamp on the harbour wall was lit at dusk, as it had been for years. ", 12))
	estimate := func(text string, speed float64) float64 {
		r := l.Request(text)
		r.Speed = &speed
		s, err := l.Generations.Previews.TextPreview(t.Context(), r)
		require.NoError(t, err)
		return s.Seconds
	}
	before := estimate(text, 1)
	heard := l.Speak(l.Request(text)).Duration
	require.Greater(t, heard, 5.0)
	require.InEpsilon(t, heard, estimate(text, 1), 0.05, "before: %g", before)
	require.InEpsilon(t, heard/1.5, estimate(text, 1.5), 0.05, "by the pace of another speed")
	paragraphs := strings.ReplaceAll(text, "years. ", "years.\n\n")
	require.InEpsilon(t, l.Speak(l.Request(paragraphs)).Duration, estimate(paragraphs, 1), 0.15, "pauses are not part of the pace")

	slow := l.Request(text)
	speed := 0.8
	slow.Speed = &speed
	heard = l.Speak(slow).Duration
	require.InEpsilon(t, heard, estimate(text, 0.8), 0.02, "by its own speed")
}

// readStore counts how often the generations of a voice are read.
type readStore struct {
	studio.Store
	reads atomic.Int32
}

func (s *readStore) Generations(ctx context.Context, f backend.GenerationFilter) (backend.List[backend.GenerationHit], error) {
	if f.ProfileID != "" {
		s.reads.Add(1)
	}
	return s.Store.Generations(ctx, f)
}

// TestPaceIsReadOnce previews a text repeatedly: the generations of its voice are read again only when one has ended or was
// deleted.
func TestPaceIsReadOnce(t *testing.T) {
	store := &readStore{}
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}), func(l *studiotest.Lab) {
		store.Store = l.Options.Store
		l.Options.Store = store
	})
	text := strings.TrimSpace(strings.Repeat("The lamp on the harbour wall was lit at dusk, as it had been for years. ", 12))
	estimate := func() float64 {
		spoken, err := l.Generations.Previews.TextPreview(t.Context(), l.Request(text))
		require.NoError(t, err)
		return spoken.Seconds
	}
	before := estimate()
	require.InDelta(t, before, estimate(), 0)
	require.EqualValues(t, 1, store.reads.Load())

	made := l.Speak(l.Request(text))
	require.InEpsilon(t, made.Duration, estimate(), 0.05)
	require.InEpsilon(t, made.Duration, estimate(), 0.05)
	require.EqualValues(t, 2, store.reads.Load(), "once more after a generation has ended")

	_, err := l.Generations.Archive.Delete(t.Context(), []string{made.ID})
	require.NoError(t, err)
	require.InDelta(t, before, estimate(), 0, "without generations")
	require.EqualValues(t, 3, store.reads.Load())
}
