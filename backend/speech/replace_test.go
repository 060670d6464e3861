package speech_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/studio"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// brittle is an encoder that can be told to fail.
type brittle struct {
	studio.Encoder
	fails  atomic.Bool
	before atomic.Pointer[func()] // called once, before it encodes
}

func (b *brittle) Encode(ctx context.Context, from, to, format string, meta map[string]string) error {
	if f := b.before.Swap(nil); f != nil {
		(*f)()
	}
	if b.fails.Load() {
		return errors.New("the encoder fell over")
	}
	return b.Encoder.Encode(ctx, from, to, format, meta)
}

// TestReplacementThatFails leaves a compressed generation and its takes as they were.
func TestReplacementThatFails(t *testing.T) {
	var encoder *brittle
	l := newLab(t, fixture(enginetest.FixtureOptions{}), func(l *lab) {
		encoder = &brittle{Encoder: l.options.Encoder}
		l.options.Encoder = encoder
	})
	r := l.inChunks()
	r.Format = "mp3"
	g := l.speak(r)
	_, err := l.service.Takes.RegenerateChunk(t.Context(), g.ID, 1, nil, true)
	require.NoError(t, err)
	before, files := l.stored(g.ID), l.files()
	encoder.fails.Store(true)
	_, err = l.service.Takes.ChooseTakes(t.Context(), g.ID, map[int]int{1: 0})
	require.Error(t, err)
	require.Equal(t, before, l.stored(g.ID))
	require.Equal(t, files, l.files())
	require.Equal(t, before.Receipt.AudioSHA256, fileHash(t, before.AudioPath))
	encoder.fails.Store(false)
	after, err := l.service.Takes.ChooseTakes(t.Context(), g.ID, map[int]int{1: 0})
	require.NoError(t, err)
	require.Equal(t, fileHash(t, after.AudioPath), after.Receipt.AudioSHA256)
}

// TestCrashWhileAFileIsReplaced finds what a crash left, before and after the row was written.
func TestCrashWhileAFileIsReplaced(t *testing.T) {
	for _, written := range []bool{false, true} {
		l := newLab(t, fixture(enginetest.FixtureOptions{}))
		g := l.stored(l.speak(l.inChunks()).ID)
		other := filepath.Join(filepath.Dir(g.AudioPath), g.ID+".1.wav")
		raw, err := os.ReadFile(g.AudioPath)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(other, raw, 0o600))
		paths := []string{g.AudioPath, other}
		if written {
			_, err := l.db.UpdateGeneration(t.Context(), g.ID, func(row *backend.Generation) error {
				row.AudioPath = other
				return nil
			})
			require.NoError(t, err)
		}
		note, err := json.Marshal(map[string]any{"id": g.ID, "paths": paths})
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(l.dir, "unfinished", g.ID+".replacing"), note, 0o600))
		l.start()
		require.Equal(t, []string{l.stored(g.ID).AudioPath}, l.files())
	}
}

// TestTakesAndDeleteAtOnce leaves no file of a deleted generation behind.
func TestTakesAndDeleteAtOnce(t *testing.T) {
	l := newLab(t, fixture(enginetest.FixtureOptions{}))
	for range 5 {
		g := l.speak(l.inChunks())
		_, err := l.service.Takes.RegenerateChunk(t.Context(), g.ID, 0, nil, true)
		require.NoError(t, err)
		var work sync.WaitGroup
		for i := range 4 {
			work.Go(func() { _, _ = l.service.Takes.ChooseTakes(t.Context(), g.ID, map[int]int{0: i % 2}) })
			work.Go(func() { _, _ = l.service.Takes.RegenerateChunk(t.Context(), g.ID, i%3, nil, true) })
		}
		work.Go(func() {
			_, err := l.service.Generations.Delete(t.Context(), []string{g.ID, g.ID})
			require.NoError(t, err)
		})
		work.Wait()
		_, err = l.service.Generations.Delete(t.Context(), []string{g.ID})
		require.NoError(t, err)
	}
	l.settled()
}

// TestTakesKeepTheWordsOfTheirDay speaks the other chunks of an overlapping generation as they were, and tells each take's words.
func TestTakesKeepTheWordsOfTheirDay(t *testing.T) {
	for _, crossfade := range []int{0, 40} {
		l := newLab(t, fixture(enginetest.FixtureOptions{}))
		r := l.inChunks()
		r.CrossfadeMS = &crossfade
		g := l.speak(r)
		l.words = []backend.Pronunciation{{Word: "sentence", Respelling: "a much longer saying"}, {Word: "third", Respelling: "last of all"}}
		again, err := l.service.Takes.RegenerateChunk(t.Context(), g.ID, 0, nil, true)
		require.NoError(t, err)
		require.Contains(t, again.Receipt.Chunks[0].Spoken, "much longer")
		require.Equal(t, g.Receipt.Chunks[2].Spoken, again.Receipt.Chunks[2].Spoken)
		require.InDelta(t, g.Chunks[2].End-g.Chunks[2].Start, again.Chunks[2].End-again.Chunks[2].Start, 1e-9)
		require.Equal(t, map[string]string{"sentence": "a much longer saying"}, again.Receipt.Pronounced)
		require.Contains(t, again.Receipt.SpokenText, "much longer")
		back, err := l.service.Takes.ChooseTakes(t.Context(), g.ID, map[int]int{0: 0})
		require.NoError(t, err)
		require.Equal(t, g.Receipt.AudioSHA256, back.Receipt.AudioSHA256)
		require.Equal(t, g.Receipt.SpokenText, back.Receipt.SpokenText)
		require.Empty(t, back.Receipt.Pronounced)
	}
}

// TestReceiptHoldsThePauses compares a text with pauses to one without.
func TestReceiptHoldsThePauses(t *testing.T) {
	l := newLab(t, fixture(enginetest.FixtureOptions{}))
	g := l.speak(l.request("Hello there. [pause 3s] Bye. [pause 1s]"))
	require.EqualValues(t, 0, g.Receipt.Chunks[0].PauseMS)
	require.EqualValues(t, 3000, g.Receipt.Chunks[1].PauseMS)
	require.EqualValues(t, 1000, g.Receipt.Parameters["pause_end_ms"])
}

// TestCancelTake ends a take by the generation's id.
func TestCancelTake(t *testing.T) {
	engine, entered, open := gated()
	l := newLab(t, engine)
	g := l.submit("Hello there.")
	<-entered
	open()
	l.becomes(g.ID, backend.StatusComplete)
	slow, waits, _ := gated()
	l.modelSet.speakers[builtIn] = anyVoice{slow}
	ended := make(chan error, 1)
	go func() {
		_, err := l.service.Takes.RegenerateChunk(t.Context(), g.ID, 0, nil, true)
		ended <- err
	}()
	<-waits
	_, err := l.service.Generations.Cancel(t.Context(), g.ID)
	require.NoError(t, err)
	requireCode(t, backend.CodeCancelled, <-ended)
}

// TestStorageCountsTakesAndScripts counts every file of sound.
func TestStorageCountsTakesAndScripts(t *testing.T) {
	l := newLab(t, fixture(enginetest.FixtureOptions{}))
	s, err := l.service.Scripts.Script(t.Context(), l.script("One.", "Two."))
	require.NoError(t, err)
	_, err = l.service.Takes.RegenerateChunk(t.Context(), s.Turns[0].ID, 0, nil, true)
	require.NoError(t, err)
	storage, err := l.service.Generations.Storage(t.Context())
	require.NoError(t, err)
	require.Equal(t, len(l.files()), storage.Files)
}
