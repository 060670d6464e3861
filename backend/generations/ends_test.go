package generations_test

import (
	"context"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/sqlite"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
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

// failsUnstored waits until a generation is seen as failed, although its row cannot be written.
func failsUnstored(l *studiotest.Lab, id string) {
	l.T.Helper()
	require.Eventually(l.T, func() bool {
		seen, err := l.Generations.Generation(l.T.Context(), id)
		return err == nil && seen.Status == backend.StatusFailed
	}, studiotest.WaitLimit, studiotest.WaitStep)
}

// TestDeleteOnAFullDisk fills the disk while a generation runs: it is failed for all who look, a delete makes room,
// and then its row says so too, without a restart.
func TestDeleteOnAFullDisk(t *testing.T) {
	store := &crampedStore{full: &atomic.Bool{}}
	gate, entered, open := studiotest.Gated()
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}), func(l *studiotest.Lab) {
		store.DB = l.DB
		l.Options.Store = store
		l.Models.Speakers[studiotest.Robot] = studiotest.AnyVoice{Speaker: gate}
	})
	old := l.Speak(l.Request("This takes the room."))
	store.big = old.AudioPath
	r := l.Request(studiotest.ThreeSentences)
	r.Voice = studiotest.Robot + ":0"
	g, err := l.Generations.Submit(t.Context(), r)
	require.NoError(t, err)
	<-entered
	store.full.Store(true)
	open()
	require.Eventually(t, func() bool {
		seen, err := l.Generations.Generation(t.Context(), g.ID)
		return err == nil && seen.Status == backend.StatusFailed && seen.Error.Code == backend.CodeInsufficientDisk
	}, studiotest.WaitLimit, studiotest.WaitStep)
	require.Equal(t, backend.StatusGenerating, l.Stored(g.ID).Status, "the store could not take the end")

	n, err := l.Generations.Archive.Delete(t.Context(), []string{old.ID})
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.NoFileExists(t, old.AudioPath)
	require.Equal(t, backend.StatusFailed, l.Stored(g.ID).Status)
	_, err = l.Generations.Retry(t.Context(), g.ID, nil)
	require.NoError(t, err)
	l.Becomes(g.ID, backend.StatusComplete)
}

// TestEndIsWrittenBeforeARetry makes room by other means than a delete.
func TestEndIsWrittenBeforeARetry(t *testing.T) {
	store := &crampedStore{full: &atomic.Bool{}}
	gate, entered, open := studiotest.Gated()
	l := studiotest.New(t, gate, func(l *studiotest.Lab) {
		store.DB = l.DB
		l.Options.Store = store
	})
	store.big = t.TempDir()
	g := l.Submit("One sentence.")
	<-entered
	store.full.Store(true)
	open()
	failsUnstored(l, g.ID)
	store.full.Store(false)
	_, err := l.Generations.Retry(t.Context(), g.ID, nil)
	require.NoError(t, err)
	l.Becomes(g.ID, backend.StatusComplete)
}

// TestAudioFolderRemovedWhileRunning removes the folder of all audio: the next generation makes it again.
func TestAudioFolderRemovedWhileRunning(t *testing.T) {
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}))
	l.Speak(l.Request("Before."))
	require.NoError(t, os.RemoveAll(l.Dir))
	g := l.Speak(l.Request("After."))
	require.FileExists(t, g.AudioPath)
	_, err := l.Takes.RegenerateChunk(t.Context(), g.ID, 0, nil, true)
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
	gate, entered, open := studiotest.Gated()
	l := studiotest.New(t, gate, func(l *studiotest.Lab) {
		store.DB = l.DB
		l.Options.Store = store
	})
	g := l.Submit("One sentence.")
	<-entered
	store.full.Store(true)
	open()
	failsUnstored(l, g.ID)
	store.full.Store(false)
	store.hold.Store(true)
	deleted, retried := make(chan error, 1), make(chan error, 1)
	go func() {
		_, err := l.Generations.Archive.Delete(t.Context(), nil) // writes what is left
		deleted <- err
	}()
	<-store.held
	go func() {
		_, err := l.Generations.Retry(t.Context(), g.ID, nil)
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
	l.Becomes(g.ID, backend.StatusComplete)
}

// TestFailureOfAChangeOnAFullDisk is shown to all who look, is written when there is room, and is gone with the next change.
func TestFailureOfAChangeOnAFullDisk(t *testing.T) {
	store := &crampedStore{full: &atomic.Bool{}}
	var encoder *studiotest.BrittleEncoder
	l := studiotest.New(t, enginetest.NewFixture(enginetest.FixtureOptions{}), func(l *studiotest.Lab) {
		store.DB = l.DB
		l.Options.Store = store
		encoder = &studiotest.BrittleEncoder{Encoder: l.Options.Encoder}
		l.Options.Encoder = encoder
	})
	old := l.Speak(l.Request("This takes the room."))
	store.big = old.AudioPath
	r := l.Request(studiotest.FiveParagraphs)
	r.Format = "flac"
	g := l.Speak(r)
	encoder.Fails.Store(true)
	full := func() { store.full.Store(true) }
	encoder.Before.Store(&full)
	_, after := l.Revised(g.ID, studiotest.FiveParagraphs+"\n\nMore.")
	require.NotNil(t, after.Error, "the last event")
	seen, err := l.Generations.Generation(t.Context(), g.ID)
	require.NoError(t, err)
	require.NotNil(t, seen.Error)
	require.Equal(t, backend.StatusComplete, seen.Status)
	require.Equal(t, g.Text, seen.Text)
	require.NotNil(t, l.Generations.Overlay(l.Stored(g.ID)).Error, "in a list")
	require.Nil(t, l.Stored(g.ID).Error, "the store could not take it")

	_, err = l.Generations.Archive.Delete(t.Context(), []string{old.ID})
	require.NoError(t, err)
	require.NotNil(t, l.Stored(g.ID).Error)
	encoder.Fails.Store(false)
	_, after = l.Revised(g.ID, studiotest.FiveParagraphs+"\n\nMore.")
	require.Nil(t, after.Error)
	require.Nil(t, l.Stored(g.ID).Error)
}

func TestLostStoreStillEndsTheGeneration(t *testing.T) {
	engine, entered, open := studiotest.Gated()
	l := studiotest.New(t, engine)
	g := l.Submit("Hello.")
	<-entered
	broken := l.DB
	require.NoError(t, broken.Close())
	open()
	require.Eventually(t, func() bool {
		states := l.States(g.ID)
		return states[len(states)-1] == backend.StatusFailed
	}, studiotest.WaitLimit, studiotest.WaitStep, "who waits hears of the end, though it cannot be written down")
	require.Empty(t, l.Leftovers())
	reopen(l)
}

// reopen opens the store again, for the checks at the end of a test.
func reopen(l *studiotest.Lab) {
	l.T.Helper()
	db, err := sqlite.Open(l.T.Context(), sqlite.Options{Path: l.DB.Path()})
	require.NoError(l.T, err)
	l.DB = db
	l.T.Cleanup(func() { require.NoError(l.T, db.Close()) })
}
