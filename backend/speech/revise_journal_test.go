package speech_test

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

// passageOf is what the engine is given for the nth passage of a text.
func passageOf(n int) string { return "This is the " + nth(n) + " passage." }

// brokenChange returns a lab with a revision of five new passages, which fails at the fourth one.
func brokenChange(t *testing.T, crossfade int) (l *lab, engine *counting, before backend.Generation) {
	t.Helper()
	engine = newCounting()
	l = newLab(t, engine)
	r := sentences(l, 3)
	r.CrossfadeMS = &crossfade
	before = l.stored(l.speak(r).ID)
	engine.allow(failing(23))
	_, after := l.revised(before.ID, before.Text+newSentences)
	require.Equal(t, backend.CodeEngineFailed, after.Error.Code)
	engine.allow(nil)
	return l, engine, before
}

// TestReviseAgain makes the same change after one that failed.
func TestReviseAgain(t *testing.T) {
	t.Parallel()
	for name, crossfade := range map[string]int{"apart": 0, "overlapping": 20} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l, engine, before := brokenChange(t, crossfade)
			_, after := l.revised(before.ID, before.Text+newSentences)
			require.Nil(t, after.Error)
			require.Len(t, after.Chunks, 8)
			for n := 20; n < 25; n++ {
				require.Equal(t, 1, engine.of(passageOf(n)), "passage %d is spoken once", n)
			}
			require.Empty(t, l.journals())
		})
	}
}

// TestReviseAfterStopAndCancel makes the same change after one that was ended by a request: only a cancel drops what was spoken.
func TestReviseAfterStopAndCancel(t *testing.T) {
	t.Parallel()
	for name, calls := range map[string]int{"stop": 1, "cancel": 2} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			engine := newCounting()
			l := newLab(t, engine)
			before := l.stored(l.speak(sentences(l, 3)).ID)
			engine.allow(func(text string) error {
				if failing(23)(text) == nil {
					return nil
				}
				return errWait
			})
			_, err := l.service.Takes.Revise(t.Context(), before.ID, before.Text+newSentences, nil)
			require.NoError(t, err)
			l.madeBefore(before.ID, 2)
			end := map[string]func(context.Context, string) (backend.Generation, error){"stop": l.service.Generations.Stop, "cancel": l.service.Generations.Cancel}[name]
			after, err := end(t.Context(), before.ID)
			require.NoError(t, err)
			require.Equal(t, before, after)
			require.Len(t, l.journals(), 2-calls)
			engine.allow(nil)
			_, after = l.revised(before.ID, before.Text+newSentences)
			require.Len(t, after.Chunks, 8)
			require.Equal(t, calls, engine.of(passageOf(20)))
			require.Empty(t, l.journals())
		})
	}
}

// TestJournalOfARevisionEnds removes it with its generation, and at a start a week later.
func TestJournalOfARevisionEnds(t *testing.T) {
	t.Parallel()
	l, _, before := brokenChange(t, 0)
	require.Len(t, l.journals(), 1)
	_, err := l.service.Generations.Delete(t.Context(), []string{before.ID})
	require.NoError(t, err)
	require.Empty(t, l.journals())

	l, _, _ = brokenChange(t, 0)
	path, now := l.journals()[0], l.options.Now()
	require.NoError(t, os.Chtimes(path, now, now))
	l.restartAs("1.0.0")
	require.FileExists(t, path)
	old := now.Add(-8 * 24 * time.Hour)
	require.NoError(t, os.Chtimes(path, old, old))
	l.restartAs("1.0.0")
	require.NoFileExists(t, path)
}
