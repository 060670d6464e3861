package takes_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// TestReplacementThatFails leaves a compressed generation and its takes as they were.
func TestReplacementThatFails(t *testing.T) {
	var encoder *studiotest.BrittleEncoder
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}), func(l *studiotest.Lab) {
		encoder = &studiotest.BrittleEncoder{Encoder: l.Options.Encoder}
		l.Options.Encoder = encoder
	})
	r := l.InChunks()
	r.Format = "mp3"
	g := l.Speak(r)
	_, err := l.Takes.RegenerateChunk(t.Context(), g.ID, 1, nil, true)
	require.NoError(t, err)
	before, files := l.Stored(g.ID), l.Files()
	encoder.Fails.Store(true)
	_, err = l.Takes.ChooseTakes(t.Context(), g.ID, map[int]int{1: 0})
	require.Error(t, err)
	require.Equal(t, before, l.Stored(g.ID))
	require.Equal(t, files, l.Files())
	require.Equal(t, before.Receipt.AudioSHA256, studiotest.FileHash(t, before.AudioPath))
	encoder.Fails.Store(false)
	after, err := l.Takes.ChooseTakes(t.Context(), g.ID, map[int]int{1: 0})
	require.NoError(t, err)
	require.Equal(t, studiotest.FileHash(t, after.AudioPath), after.Receipt.AudioSHA256)
}

// TestCrashWhileAFileIsReplaced finds what a crash left, before and after the row was written.
func TestCrashWhileAFileIsReplaced(t *testing.T) {
	for _, written := range []bool{false, true} {
		l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
		g := l.Stored(l.Speak(l.InChunks()).ID)
		other := filepath.Join(filepath.Dir(g.AudioPath), g.ID+".1.wav")
		raw, err := os.ReadFile(g.AudioPath)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(other, raw, 0o600))
		paths := []string{g.AudioPath, other}
		if written {
			_, err := l.DB.UpdateGeneration(t.Context(), g.ID, func(row *backend.Generation) error {
				row.AudioPath = other
				return nil
			})
			require.NoError(t, err)
		}
		note, err := json.Marshal(map[string]any{"id": g.ID, "paths": paths})
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(l.Dir, "unfinished", g.ID+".replacing"), note, 0o600))
		l.Start()
		require.Equal(t, []string{l.Stored(g.ID).AudioPath}, l.Files())
	}
}

// TestTakesAndDeleteAtOnce leaves no file of a deleted generation behind.
func TestTakesAndDeleteAtOnce(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	for range 5 {
		g := l.Speak(l.InChunks())
		_, err := l.Takes.RegenerateChunk(t.Context(), g.ID, 0, nil, true)
		require.NoError(t, err)
		var work sync.WaitGroup
		for i := range 4 {
			work.Go(func() { _, _ = l.Takes.ChooseTakes(t.Context(), g.ID, map[int]int{0: i % 2}) })
			work.Go(func() { _, _ = l.Takes.RegenerateChunk(t.Context(), g.ID, i%3, nil, true) })
		}
		work.Go(func() {
			_, err := l.Generations.Archive.Delete(t.Context(), []string{g.ID, g.ID})
			require.NoError(t, err)
		})
		work.Wait()
		_, err = l.Generations.Archive.Delete(t.Context(), []string{g.ID})
		require.NoError(t, err)
	}
	l.Settled()
}

// TestTakesKeepTheWordsOfTheirDay speaks the other chunks of an overlapping generation as they were, and tells each take's words.
func TestTakesKeepTheWordsOfTheirDay(t *testing.T) {
	for _, crossfade := range []int{0, 40} {
		l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
		r := l.InChunks()
		r.CrossfadeMS = &crossfade
		g := l.Speak(r)
		l.Words = []backend.Pronunciation{{Word: "sentence", Respelling: "a much longer saying"}, {Word: "third", Respelling: "last of all"}}
		again, err := l.Takes.RegenerateChunk(t.Context(), g.ID, 0, nil, true)
		require.NoError(t, err)
		require.Contains(t, again.Receipt.Chunks[0].Spoken, "much longer")
		require.Equal(t, g.Receipt.Chunks[2].Spoken, again.Receipt.Chunks[2].Spoken)
		require.InDelta(t, g.Chunks[2].End-g.Chunks[2].Start, again.Chunks[2].End-again.Chunks[2].Start, 1e-9)
		require.Equal(t, map[string]string{"sentence": "a much longer saying"}, again.Receipt.Pronounced)
		require.Contains(t, again.Receipt.SpokenText, "much longer")
		back, err := l.Takes.ChooseTakes(t.Context(), g.ID, map[int]int{0: 0})
		require.NoError(t, err)
		require.Equal(t, g.Receipt.AudioSHA256, back.Receipt.AudioSHA256)
		require.Equal(t, g.Receipt.SpokenText, back.Receipt.SpokenText)
		require.Empty(t, back.Receipt.Pronounced)
	}
}

// TestReceiptHoldsThePauses compares a text with pauses to one without.
func TestReceiptHoldsThePauses(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	g := l.Speak(l.Request("Hello there. [pause 3s] Bye. [pause 1s]"))
	require.EqualValues(t, 0, g.Receipt.Chunks[0].PauseMS)
	require.EqualValues(t, 3000, g.Receipt.Chunks[1].PauseMS)
	require.EqualValues(t, 1000, g.Receipt.Parameters["pause_end_ms"])
}

// TestCancelTake ends a take by the generation's id.
func TestCancelTake(t *testing.T) {
	engine, entered, open := studiotest.Gated()
	l := studiotest.New(t, engine)
	g := l.Submit("Hello there.")
	<-entered
	open()
	l.Becomes(g.ID, backend.StatusComplete)
	slow, waits, _ := studiotest.Gated()
	l.Models.Speakers[studiotest.BuiltIn] = studiotest.AnyVoice{Speaker: slow}
	ended := make(chan error, 1)
	go func() {
		_, err := l.Takes.RegenerateChunk(t.Context(), g.ID, 0, nil, true)
		ended <- err
	}()
	<-waits
	_, err := l.Generations.Cancel(t.Context(), g.ID)
	require.NoError(t, err)
	backendtest.RequireCode(t, backend.CodeCancelled, <-ended)
}

// TestStorageCountsTakesAndScripts counts every file of sound.
func TestStorageCountsTakesAndScripts(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	s, err := l.Scripts.Script(t.Context(), l.Script("One.", "Two."))
	require.NoError(t, err)
	_, err = l.Takes.RegenerateChunk(t.Context(), s.Turns[0].ID, 0, nil, true)
	require.NoError(t, err)
	storage, err := l.Generations.Archive.Storage(t.Context())
	require.NoError(t, err)
	require.Equal(t, len(l.Files()), storage.Files)
}
