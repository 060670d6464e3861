package takes_test

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/backend/generations"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
	"github.com/voicewright/voicewright/backend/takes"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// listing is a fixture that lists what it spoke.
type listing struct {
	studiotest.Engine
	mu     sync.Mutex
	spoken []string
}

func newListing() *listing {
	c := &listing{}
	f := enginetest.NewFixture(enginetest.FixtureOptions{})
	c.Engine = studiotest.Engine{Fixture: f, SpeakFunc: func(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
		c.mu.Lock()
		c.spoken = append(c.spoken, u.Text)
		c.mu.Unlock()
		return f.Speak(ctx, u, emit)
	}}
	return c
}

// since returns what was spoken since the last call.
func (c *listing) since() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := c.spoken
	c.spoken = nil
	return out
}

// requireKept checks that the chunks of both generations with the same text have the same samples, and that the receipt is true.
func requireKept(t *testing.T, before, after backend.Generation, old map[string][]float32) {
	t.Helper()
	for i, c := range after.Chunks {
		if samples, ok := old[c.Text]; ok {
			require.Equal(t, samples, studiotest.Part(t, after, i), "%q keeps its samples", c.Text)
		}
		require.Equal(t, c.Text, after.Receipt.Chunks[i].Text)
	}
	require.Equal(t, studiotest.FileHash(t, after.AudioPath), after.Receipt.AudioSHA256)
	require.Len(t, studiotest.ReadWAV(t, after.AudioPath).Samples, int(after.Duration*float64(after.SampleRate)+0.5))
	require.InDelta(t, before.Receipt.GainDB, after.Receipt.GainDB, 0, "the level stays")
	seeds := map[int64]bool{}
	for _, c := range after.Receipt.Chunks {
		require.False(t, seeds[c.Seed], "a seed is used twice")
		seeds[c.Seed] = true
	}
}

// TestRevise changes a text in several ways: only what is new is spoken, all else keeps its samples.
func TestRevise(t *testing.T) {
	for _, c := range []struct {
		name, text                 string
		spoken                     []string
		reused, generated, removed int
	}{
		{"changed", strings.Replace(studiotest.FiveParagraphs, "second one", "second paragraph", 1), []string{"The second paragraph follows it."}, 4, 1, 1},
		{"inserted first", "Something before.\n\n" + studiotest.FiveParagraphs, []string{"Something before."}, 5, 1, 0},
		{"inserted last", studiotest.FiveParagraphs + "\n\nA later line.", []string{"A later line."}, 5, 1, 0},
		{"deleted", strings.Replace(studiotest.FiveParagraphs, "And a third one.\n\n", "", 1), nil, 4, 0, 1},
		{"moved", "# One\n\nThe end.\n\nThe first paragraph is here.\n\nThe second one follows it.\n\nAnd a third one.", nil, 5, 0, 0},
		{"pauses", strings.Replace(studiotest.FiveParagraphs, "\n\nThe end", " [pause 2s] The end", 1), nil, 5, 0, 0},
		{"scene", strings.Replace(studiotest.FiveParagraphs, "\n\nThe end", "\n\n* * *\n\nThe end", 1), nil, 5, 0, 0},
		{"everything", "Another text.", []string{"Another text."}, 0, 1, 5},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			engine := newListing()
			l := studiotest.New(t, engine)
			g := l.Stored(l.Speak(l.Request(studiotest.FiveParagraphs)).ID)
			require.Len(t, g.Chunks, 5)
			old, sound := studiotest.SamplesByText(t, g), studiotest.FileHash(t, g.AudioPath)
			engine.since()

			plan, err := l.Takes.PlanRevision(t.Context(), g.ID, c.text, nil)
			require.NoError(t, err)
			r, after := l.Revised(g.ID, c.text)
			for _, counts := range []takes.TextRevision{plan, r} {
				require.Equal(t, []int{c.reused, c.generated, c.removed}, []int{counts.Reused, counts.Generated, counts.Removed})
			}
			require.Equal(t, c.spoken, engine.since())
			require.Equal(t, g.ID, after.ID)
			require.Equal(t, c.text, after.Text)
			require.Nil(t, after.Error)
			require.True(t, after.CanUndo)
			requireKept(t, g, after, old)
			l.Settled(slices.Sorted(slices.Values([]string{g.AudioPath, after.AudioPath}))...)

			back, err := l.Takes.UndoText(t.Context(), g.ID)
			require.NoError(t, err)
			require.Equal(t, g.Text, back.Text)
			require.Equal(t, g.Chunks, back.Chunks)
			require.Equal(t, g.Receipt, back.Receipt)
			require.Equal(t, sound, studiotest.FileHash(t, back.AudioPath))
			l.Settled(back.AudioPath)
			_, err = l.Takes.UndoText(t.Context(), g.ID)
			backendtest.RequireCode(t, backend.CodeNothingToUndo, err)
		})
	}
}

// TestReviseKeepsTakes changes a text twice: takes move with their passages, and the version before is stored once.
func TestReviseKeepsTakes(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	g := l.Stored(l.Speak(l.Request(studiotest.FiveParagraphs)).ID)
	g, err := l.Takes.RegenerateChunk(t.Context(), g.ID, 4, new(int64(99)), true)
	require.NoError(t, err)
	last := studiotest.Part(t, g, 4)
	_, after := l.Revised(g.ID, "Something before.\n\n"+studiotest.FiveParagraphs)
	require.Equal(t, []int{1, 2}, []int{after.Chunks[5].Take, after.Chunks[5].Takes})
	require.Equal(t, last, studiotest.Part(t, after, 5))
	require.Equal(t, g.Receipt.Chunks[4].Takes, after.Receipt.Chunks[5].Takes)
	_, again := l.Revised(g.ID, "Something before.\n\n"+studiotest.FiveParagraphs+"\n\nAnd more.")
	stored, err := l.Generations.Archive.Storage(t.Context())
	require.NoError(t, err)
	require.Len(t, l.Files(), stored.Files)
	require.NotContains(t, l.Files(), g.AudioPath, "only one version before is stored")
	chosen, err := l.Takes.ChooseTakes(t.Context(), g.ID, map[int]int{5: 0})
	require.NoError(t, err)
	require.NotEqual(t, last, studiotest.Part(t, chosen, 5))
	chosen, err = l.Takes.ChooseTakes(t.Context(), g.ID, map[int]int{5: 1})
	require.NoError(t, err)
	require.Equal(t, again.Receipt.AudioSHA256, chosen.Receipt.AudioSHA256, "the same sound, bit by bit")
	back, err := l.Takes.UndoText(t.Context(), g.ID)
	require.NoError(t, err)
	require.Equal(t, after.Receipt.AudioSHA256, studiotest.FileHash(t, back.AudioPath))
	chosen, err = l.Takes.ChooseTakes(t.Context(), g.ID, map[int]int{5: 0})
	require.NoError(t, err)
	require.Equal(t, 0, chosen.Chunks[5].Take)
	_, err = l.Generations.Archive.Delete(t.Context(), []string{g.ID})
	require.NoError(t, err)
	require.Empty(t, l.Files())
}

// TestReviseOtherKinds changes generations whose audio is compressed, or whose chunks overlap.
func TestReviseOtherKinds(t *testing.T) {
	for name, change := range map[string]func(*generations.Request){
		"compressed": func(r *generations.Request) { r.Format = "mp3" },
		"lossless":   func(r *generations.Request) { r.Format = "flac" },
		"crossfade":  func(r *generations.Request) { r.CrossfadeMS = new(40) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			engine := newListing()
			l := studiotest.New(t, engine)
			r := l.Request(studiotest.FiveParagraphs)
			change(&r)
			g := l.Speak(r)
			engine.since()
			same, err := l.Takes.PlanRevision(t.Context(), g.ID, studiotest.FiveParagraphs, nil)
			require.NoError(t, err)
			require.Equal(t, []int{5, 0, 0}, []int{same.Reused, same.Generated, same.Removed}, "an equal text needs no speech")
			counts, after := l.Revised(g.ID, strings.Replace(studiotest.FiveParagraphs, "third", "fourth", 1))
			require.Nil(t, after.Error)
			require.False(t, after.Receipt.Reproducible, "its seed would return other bytes")
			require.Equal(t, studiotest.FileHash(t, after.AudioPath), after.Receipt.AudioSHA256)
			require.Equal(t, g.Receipt.Chunks[0].Seed, after.Receipt.Chunks[0].Seed)
			if name == "crossfade" {
				require.Equal(t, []int{0, 5, 5}, []int{counts.Reused, counts.Generated, counts.Removed})
				require.Len(t, engine.since(), 5)
			} else {
				require.Len(t, engine.since(), 1)
			}
			back, err := l.Takes.UndoText(t.Context(), g.ID)
			require.NoError(t, err)
			require.Equal(t, g.Receipt.AudioSHA256, studiotest.FileHash(t, back.AudioPath))
		})
	}
}

// TestReviseOverlappingHasNewSeeds inserts a passage, whose seed is not that of the one that moved behind it.
func TestReviseOverlappingHasNewSeeds(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	r := l.Request(studiotest.FiveParagraphs)
	r.CrossfadeMS = new(40)
	g := l.Speak(r)
	_, after := l.Revised(g.ID, strings.Replace(studiotest.FiveParagraphs, "The second", "It is new.\n\nThe second", 1))
	require.Len(t, after.Chunks, 6)
	seeds := map[int64]string{}
	for _, c := range after.Receipt.Chunks {
		require.Empty(t, seeds[c.Seed], "the seed of %q too", c.Text)
		seeds[c.Seed] = c.Text
	}
	for _, c := range g.Receipt.Chunks {
		require.Equal(t, c.Text, seeds[c.Seed])
	}
}

// TestReviseThatFails leaves the version before whole and playable.
func TestReviseThatFails(t *testing.T) {
	f := enginetest.NewFixture(enginetest.FixtureOptions{})
	started := make(chan struct{}, 10)
	l := studiotest.New(t, studiotest.Engine{Fixture: f, SpeakFunc: func(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
		switch {
		case strings.Contains(u.Text, "broken"):
			return backend.E(backend.CodeEngineFailed, "The graph gave NaN.", "Try another seed.")
		case strings.Contains(u.Text, "endless"):
			started <- struct{}{}
			<-ctx.Done()
			return backend.ErrCancelled.WithCause(ctx.Err())
		}
		return f.Speak(ctx, u, emit)
	}})
	g := l.Stored(l.Speak(l.Request(studiotest.FiveParagraphs)).ID)
	_, after := l.Revised(g.ID, studiotest.FiveParagraphs+"\n\nNew.\n\nIt is broken.")
	require.Equal(t, backend.CodeEngineFailed, after.Error.Code)
	after.Error = nil
	require.Equal(t, g, after)
	l.Settled(g.AudioPath)

	_, err := l.Takes.Revise(t.Context(), g.ID, studiotest.FiveParagraphs+"\n\nIt is endless.", nil)
	require.NoError(t, err)
	<-started
	running, err := l.Generations.Generation(t.Context(), g.ID)
	require.NoError(t, err)
	require.Equal(t, backend.StatusGenerating, running.Status)
	require.Equal(t, g.AudioPath, running.AudioPath, "the former audio can be played meanwhile")
	for _, change := range []func() error{
		func() error { _, err := l.Takes.Revise(t.Context(), g.ID, "Another.", nil); return err },
		func() error { _, err := l.Takes.RegenerateChunk(t.Context(), g.ID, 0, nil, true); return err },
		func() error { _, err := l.Takes.ChooseTakes(t.Context(), g.ID, map[int]int{0: 0}); return err },
		func() error { _, err := l.Takes.UndoText(t.Context(), g.ID); return err },
		func() error { _, err := l.Takes.Level(t.Context(), g.ID); return err },
	} {
		backendtest.RequireCode(t, backend.CodeNotInProgress, change())
	}
	cancelled, err := l.Generations.Cancel(t.Context(), g.ID)
	require.NoError(t, err)
	require.Equal(t, g, cancelled)
	require.Equal(t, g, l.Stored(g.ID))
	l.Settled(g.AudioPath)
}

// TestReviseKeepsATakeChosenMeanwhile refuses to change audio that was replaced while the request was read.
func TestReviseKeepsATakeChosenMeanwhile(t *testing.T) {
	for name, crossfade := range map[string]int{"apart": 0, "overlapping": 40} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var meanwhile atomic.Pointer[func()]
			l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}), func(l *studiotest.Lab) {
				newID := l.Options.NewID
				l.Options.NewID = func() string {
					if f := meanwhile.Swap(nil); f != nil {
						(*f)()
					}
					return newID()
				}
			})
			r := l.Request(studiotest.FiveParagraphs)
			r.CrossfadeMS = &crossfade
			g, err := l.Takes.RegenerateChunk(t.Context(), l.Speak(r).ID, 1, new(int64(99)), false)
			require.NoError(t, err)
			meanwhile.Store(new(func() { g, err = l.Takes.ChooseTakes(t.Context(), g.ID, map[int]int{1: 1}) }))
			_, refused := l.Takes.Revise(t.Context(), g.ID, studiotest.FiveParagraphs+"\n\nMore.", nil)
			backendtest.RequireCode(t, backend.CodeNotInProgress, refused)
			require.NoError(t, err)
			require.Equal(t, 1, g.Chunks[1].Take)
			require.Equal(t, l.Stored(g.ID).Receipt.AudioSHA256, studiotest.FileHash(t, g.AudioPath))
		})
	}
}

// TestReviseKeepsATakeThatIsBeingChosen fails when the audio is replaced after it has begun.
func TestReviseKeepsATakeThatIsBeingChosen(t *testing.T) {
	var encoder *studiotest.BrittleEncoder
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}), func(l *studiotest.Lab) {
		encoder = &studiotest.BrittleEncoder{Encoder: l.Options.Encoder}
		l.Options.Encoder = encoder
	})
	r := l.Request(studiotest.FiveParagraphs)
	r.Format = "flac"
	g, err := l.Takes.RegenerateChunk(t.Context(), l.Speak(r).ID, 1, new(int64(99)), false)
	require.NoError(t, err)
	entered, open := make(chan struct{}), make(chan struct{})
	encoder.Before.Store(new(func() {
		close(entered)
		<-open
	}))
	var chosen backend.Generation
	var work sync.WaitGroup
	work.Go(func() { chosen, err = l.Takes.ChooseTakes(t.Context(), g.ID, map[int]int{1: 1}) })
	<-entered
	_, refused := l.Takes.Revise(t.Context(), g.ID, studiotest.FiveParagraphs+"\n\nMore.", nil)
	close(open)
	work.Wait()
	require.NoError(t, errors.Join(err, refused))
	after := l.Ended(g.ID)
	require.NotNil(t, after.Error)
	require.Equal(t, backend.CodeNotInProgress, after.Error.Code)
	require.Equal(t, chosen.Chunks, after.Chunks)
	require.Equal(t, chosen.Receipt.AudioSHA256, studiotest.FileHash(t, after.AudioPath))
	require.Equal(t, g.Text, after.Text)
}

// TestReviseOfBadInput changes nothing.
func TestReviseOfBadInput(t *testing.T) {
	engine := newListing()
	l := studiotest.New(t, engine)
	g := l.Stored(l.Speak(l.Request(studiotest.FiveParagraphs)).ID)
	engine.since()
	_, err := l.Takes.Revise(t.Context(), g.ID, "  ", nil)
	backendtest.RequireInvalid(t, "string_too_short", "text", err)
	_, err = l.Takes.Revise(t.Context(), g.ID, "...", nil)
	backendtest.RequireCode(t, backend.CodeNothingToSpeak, err)
	_, err = l.Takes.Revise(t.Context(), l.Options.NewID(), "Hello.", nil)
	backendtest.RequireCode(t, backend.CodeGenerationNotFound, err)
	r, err := l.Takes.Revise(t.Context(), g.ID, studiotest.FiveParagraphs+"\n", nil)
	require.NoError(t, err)
	require.Equal(t, []int{5, 0, 0}, []int{r.Reused, r.Generated, r.Removed})
	require.Equal(t, backend.StatusComplete, r.Status)
	require.Equal(t, g, l.Stored(g.ID), "an equal text is no new version")
	l.Models.BeforeAcquire = func(context.Context, func(backend.Status)) error {
		return backend.E(backend.CodeModelNotDownloaded, "It was deleted.", "Download it.")
	}
	_, after := l.Revised(g.ID, "Hello.")
	require.Equal(t, backend.CodeModelNotDownloaded, after.Error.Code)
	_, after = l.Revised(g.ID, "The first paragraph is here.")
	require.Nil(t, after.Error, "nothing is spoken, so no model is needed")
	require.Empty(t, engine.since())
	require.NoError(t, os.Remove(after.AudioPath))
	_, err = l.Takes.Revise(t.Context(), g.ID, "Hello.", nil)
	backendtest.RequireCode(t, backend.CodeAudioMissing, err)
	delete(l.Models.ByName, studiotest.BuiltIn)
	_, err = l.Takes.Revise(t.Context(), g.ID, "Hello.", nil)
	backendtest.RequireCode(t, backend.CodeModelUnknown, err)
}

// TestReviseOnAFullDisk and after a crash finds the version before.
func TestReviseOnAFullDisk(t *testing.T) {
	var encoder *studiotest.BrittleEncoder
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}), func(l *studiotest.Lab) {
		encoder = &studiotest.BrittleEncoder{Encoder: l.Options.Encoder}
		l.Options.Encoder = encoder
	})
	r := l.Request(studiotest.FiveParagraphs)
	r.Format = "flac"
	g := l.Speak(r)
	encoder.Fails.Store(true)
	_, after := l.Revised(g.ID, studiotest.FiveParagraphs+"\n\nMore.")
	require.NotNil(t, after.Error)
	require.Equal(t, g.Text, after.Text)
	require.Equal(t, g.Receipt.AudioSHA256, studiotest.FileHash(t, after.AudioPath))
	encoder.Fails.Store(false)
	_, after = l.Revised(g.ID, studiotest.FiveParagraphs+"\n\nMore.")
	require.Nil(t, after.Error)
	l.Start()
	require.Contains(t, l.Files(), g.AudioPath, "a start keeps the version before")
	back, err := l.Takes.UndoText(t.Context(), g.ID)
	require.NoError(t, err)
	require.Equal(t, g.Receipt.AudioSHA256, studiotest.FileHash(t, back.AudioPath))
}
