package speech_test

import (
	"context"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/sqlite"
	"github.com/voicewright/voicewright/engines/enginetest"
)

// crampedStore is a store on a full disk: nothing can be written until a sound file has gone from it.
type crampedStore struct {
	*sqlite.DB
	full *atomic.Bool
	big  string // the file that fills the disk
}

func (c *crampedStore) checkSpace() error {
	if _, err := os.Stat(c.big); err != nil {
		c.full.Store(false)
	}
	if c.full.Load() {
		return backend.E(backend.CodeInsufficientDisk, "The disk is full.", "Make room.")
	}
	return nil
}

func (c *crampedStore) UpdateGeneration(
	ctx context.Context, id string, change func(*backend.Generation) error,
) (backend.Generation, error) {
	if err := c.checkSpace(); err != nil {
		return backend.Generation{}, err
	}
	return c.DB.UpdateGeneration(ctx, id, change)
}

func (c *crampedStore) DeleteGenerations(ctx context.Context, ids []string) ([]backend.Generation, error) {
	if err := c.checkSpace(); err != nil {
		return nil, err
	}
	return c.DB.DeleteGenerations(ctx, ids)
}

// TestDeleteOnAFullDisk fills the disk while a generation runs: it is failed for all who look, a delete makes room,
// and then its row says so too, without a restart.
func TestDeleteOnAFullDisk(t *testing.T) {
	store := &crampedStore{full: &atomic.Bool{}}
	gate, entered, open := gated()
	l := newLab(t, fixture(enginetest.FixtureOptions{}), func(l *lab) {
		store.DB = l.db
		l.options.Store = store
		l.modelSet.speakers[robot] = anyVoice{gate}
	})
	old := l.speak(l.request("This takes the room."))
	store.big = old.AudioPath
	r := l.request(threeSentences)
	r.Voice = robot + ":0"
	g, err := l.service.Generations.Submit(t.Context(), r)
	require.NoError(t, err)
	<-entered
	store.full.Store(true)
	open()
	require.Eventually(t, func() bool {
		seen, err := l.service.Generations.Generation(t.Context(), g.ID)
		return err == nil && seen.Status == backend.StatusFailed && seen.Error.Code == backend.CodeInsufficientDisk
	}, waitLimit, waitStep)
	require.Equal(t, backend.StatusGenerating, l.stored(g.ID).Status, "the store could not take the end")

	n, err := l.service.Generations.Delete(t.Context(), []string{old.ID})
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.NoFileExists(t, old.AudioPath)
	require.Equal(t, backend.StatusFailed, l.stored(g.ID).Status)
	_, err = l.service.Generations.Retry(t.Context(), g.ID, nil)
	require.NoError(t, err)
	l.becomes(g.ID, backend.StatusComplete)
}

// TestEndIsWrittenBeforeARetry makes room by other means than a delete.
func TestEndIsWrittenBeforeARetry(t *testing.T) {
	store := &crampedStore{full: &atomic.Bool{}}
	gate, entered, open := gated()
	l := newLab(t, gate, func(l *lab) {
		store.DB = l.db
		l.options.Store = store
	})
	store.big = t.TempDir()
	g := l.submit("One sentence.")
	<-entered
	store.full.Store(true)
	open()
	require.Eventually(t, func() bool {
		seen, err := l.service.Generations.Generation(t.Context(), g.ID)
		return err == nil && seen.Status == backend.StatusFailed
	}, waitLimit, waitStep)
	store.full.Store(false)
	_, err := l.service.Generations.Retry(t.Context(), g.ID, nil)
	require.NoError(t, err)
	l.becomes(g.ID, backend.StatusComplete)
}

// TestAudioFolderRemovedWhileRunning removes the folder of all audio: the next generation makes it again.
func TestAudioFolderRemovedWhileRunning(t *testing.T) {
	l := newLab(t, fixture(enginetest.FixtureOptions{}))
	l.speak(l.request("Before."))
	require.NoError(t, os.RemoveAll(l.dir))
	g := l.speak(l.request("After."))
	require.FileExists(t, g.AudioPath)
	_, err := l.service.Takes.RegenerateChunk(t.Context(), g.ID, 0, nil, true)
	require.NoError(t, err)
}

// slowStore holds up one change of a generation.
type slowStore struct {
	*crampedStore
	hold    atomic.Bool
	held    chan struct{} // closed when it holds one up
	release chan struct{}
}

func (s *slowStore) UpdateGeneration(
	ctx context.Context, id string, change func(*backend.Generation) error,
) (backend.Generation, error) {
	if s.hold.CompareAndSwap(true, false) {
		close(s.held)
		<-s.release
	}
	return s.crampedStore.UpdateGeneration(ctx, id, change)
}

// TestEndIsNotWrittenOverARetry tries again while somebody else is about to write the end.
func TestEndIsNotWrittenOverARetry(t *testing.T) {
	store := &slowStore{
		crampedStore: &crampedStore{full: &atomic.Bool{}, big: t.TempDir()},
		held:         make(chan struct{}), release: make(chan struct{}),
	}
	gate, entered, open := gated()
	l := newLab(t, gate, func(l *lab) {
		store.DB = l.db
		l.options.Store = store
	})
	g := l.submit("One sentence.")
	<-entered
	store.full.Store(true)
	open()
	require.Eventually(t, func() bool {
		seen, err := l.service.Generations.Generation(t.Context(), g.ID)
		return err == nil && seen.Status == backend.StatusFailed
	}, waitLimit, waitStep)
	store.full.Store(false)
	store.hold.Store(true)
	deleted, retried := make(chan error, 1), make(chan error, 1)
	go func() {
		_, err := l.service.Generations.Delete(t.Context(), nil) // writes what is left
		deleted <- err
	}()
	<-store.held
	go func() {
		_, err := l.service.Generations.Retry(t.Context(), g.ID, nil)
		retried <- err
	}()
	select {
	case err := <-retried:
		retried <- err
	case <-time.After(200 * time.Millisecond): // it waits, as it should
	}
	close(store.release)
	require.NoError(t, <-deleted)
	require.NoError(t, <-retried)
	l.becomes(g.ID, backend.StatusComplete)
}

// TestFailureOfAChangeOnAFullDisk is shown to all who look, is written when there is room, and is gone with the next change.
func TestFailureOfAChangeOnAFullDisk(t *testing.T) {
	store := &crampedStore{full: &atomic.Bool{}}
	var encoder *brittle
	l := newLab(t, fixture(enginetest.FixtureOptions{}), func(l *lab) {
		store.DB = l.db
		l.options.Store = store
		encoder = &brittle{Encoder: l.options.Encoder}
		l.options.Encoder = encoder
	})
	old := l.speak(l.request("This takes the room."))
	store.big = old.AudioPath
	r := l.request(fiveParagraphs)
	r.Format = "flac"
	g := l.speak(r)
	encoder.fails.Store(true)
	full := func() { store.full.Store(true) }
	encoder.before.Store(&full)
	_, after := l.revised(g.ID, fiveParagraphs+"\n\nMore.")
	require.NotNil(t, after.Error, "the last event")
	seen, err := l.service.Generations.Generation(t.Context(), g.ID)
	require.NoError(t, err)
	require.NotNil(t, seen.Error)
	require.Equal(t, backend.StatusComplete, seen.Status)
	require.Equal(t, g.Text, seen.Text)
	require.NotNil(t, l.service.Generations.Overlay(l.stored(g.ID)).Error, "in a list")
	require.Nil(t, l.stored(g.ID).Error, "the store could not take it")

	_, err = l.service.Generations.Delete(t.Context(), []string{old.ID})
	require.NoError(t, err)
	require.NotNil(t, l.stored(g.ID).Error)
	encoder.fails.Store(false)
	_, after = l.revised(g.ID, fiveParagraphs+"\n\nMore.")
	require.Nil(t, after.Error)
	require.Nil(t, l.stored(g.ID).Error)
}
