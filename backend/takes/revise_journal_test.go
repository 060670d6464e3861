package takes_test

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
)

// passageOf is what the engine is given for the nth passage of a text.
func passageOf(n int) string { return "This is the " + studiotest.Word(n) + " passage." }

// brokenChange returns a lab with a revision of five new passages, which fails at the fourth one.
func brokenChange(t *testing.T, crossfade int) (l *studiotest.Lab, engine *studiotest.Counting, before backend.Generation) {
	t.Helper()
	engine = studiotest.NewCounting()
	l = studiotest.New(t, engine)
	r := l.Sentences(3)
	r.CrossfadeMS = &crossfade
	before = l.Stored(l.Speak(r).ID)
	engine.Allow(studiotest.Failing(23))
	_, after := l.Revised(before.ID, before.Text+studiotest.FivePassages)
	require.Equal(t, backend.CodeEngineFailed, after.Error.Code)
	engine.Allow(nil)
	return l, engine, before
}

// TestReviseAgain makes the same change after one that failed.
func TestReviseAgain(t *testing.T) {
	t.Parallel()
	for name, crossfade := range map[string]int{"apart": 0, "overlapping": 20} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l, engine, before := brokenChange(t, crossfade)
			_, after := l.Revised(before.ID, before.Text+studiotest.FivePassages)
			require.Nil(t, after.Error)
			require.Len(t, after.Chunks, 8)
			for n := 20; n < 25; n++ {
				require.Equal(t, 1, engine.Calls(passageOf(n)), "passage %d is spoken once", n)
			}
			require.Empty(t, l.Journals())
		})
	}
}

// TestReviseAfterStopAndCancel makes the same change after one that was ended by a request: only a cancel drops what was spoken.
func TestReviseAfterStopAndCancel(t *testing.T) {
	t.Parallel()
	for name, calls := range map[string]int{"stop": 1, "cancel": 2} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			engine := studiotest.NewCounting()
			l := studiotest.New(t, engine)
			before := l.Stored(l.Speak(l.Sentences(3)).ID)
			engine.Allow(func(text string) error {
				if studiotest.Failing(23)(text) == nil {
					return nil
				}
				return studiotest.ErrWait
			})
			_, err := l.Takes.Revise(t.Context(), before.ID, before.Text+studiotest.FivePassages, nil)
			require.NoError(t, err)
			l.WaitForChunks(before.ID, 2)
			end := map[string]func(context.Context, string) (backend.Generation, error){"stop": l.Generations.Stop, "cancel": l.Generations.Cancel}[name]
			after, err := end(t.Context(), before.ID)
			require.NoError(t, err)
			require.Equal(t, before, after)
			require.Len(t, l.Journals(), 2-calls)
			engine.Allow(nil)
			_, after = l.Revised(before.ID, before.Text+studiotest.FivePassages)
			require.Len(t, after.Chunks, 8)
			require.Equal(t, calls, engine.Calls(passageOf(20)))
			require.Empty(t, l.Journals())
		})
	}
}

// TestJournalOfARevisionEnds removes it with its generation, and at a start a week later.
func TestJournalOfARevisionEnds(t *testing.T) {
	t.Parallel()
	l, _, before := brokenChange(t, 0)
	require.Len(t, l.Journals(), 1)
	_, err := l.Generations.Archive.Delete(t.Context(), []string{before.ID})
	require.NoError(t, err)
	require.Empty(t, l.Journals())

	l, _, _ = brokenChange(t, 0)
	path, now := l.Journals()[0], l.Options.Now()
	require.NoError(t, os.Chtimes(path, now, now))
	l.RestartAs("1.0.0")
	require.FileExists(t, path)
	old := now.Add(-8 * 24 * time.Hour)
	require.NoError(t, os.Chtimes(path, old, old))
	l.RestartAs("1.0.0")
	require.NoFileExists(t, path)
}
