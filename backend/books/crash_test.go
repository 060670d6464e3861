package books_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/books"
	"github.com/voicewright/voicewright/backend/studio/studiotest"
)

var errKilled = errors.New("killed")

// dyingStore fails at a write and at all later ones, as in a program that is killed.
type dyingStore struct {
	books.Store
	writes atomic.Int64 // that succeed
	died   chan struct{}
}

func (d *dyingStore) alive() error {
	if d.writes.Add(-1) >= 0 {
		return nil
	}
	select {
	case d.died <- struct{}{}:
	default: // somebody knows
	}
	return errKilled
}

// SaveBook fails after the death.
func (d *dyingStore) SaveBook(
	ctx context.Context, b backend.Book, texts []backend.BookText, before *backend.BookState,
) (backend.Book, error) {
	if err := d.alive(); err != nil {
		return b, err
	}
	return d.Store.SaveBook(ctx, b, texts, before)
}

// AddBookGeneration fails after the death.
func (d *dyingStore) AddBookGeneration(ctx context.Context, book, generation string) error {
	if err := d.alive(); err != nil {
		return err
	}
	return d.Store.AddBookGeneration(ctx, book, generation)
}

// DropBookGenerations fails after the death.
func (d *dyingStore) DropBookGenerations(ctx context.Context, book string, ids []string) ([]backend.Generation, error) {
	if err := d.alive(); err != nil {
		return nil, err
	}
	return d.Store.DropBookGenerations(ctx, book, ids)
}

// TestKilledAtEveryWrite kills the program at each write of the first chapters, and lets it go on.
func TestKilledAtEveryWrite(t *testing.T) {
	for writes := range int64(9) {
		s := newLab(t)
		v := s.create(manuscript(3, 1))
		dying := &dyingStore{Store: s.DB, died: make(chan struct{}, 1)}
		dying.writes.Store(writes + 1) // Generate itself
		s.close()
		s.openWith(dying)
		_, err := s.Generate(t.Context(), v.ID, books.GenerateRequest{})
		require.NoError(t, err)
		<-dying.died
		s.restart()
		v = s.wait(v.ID)
		require.Equal(t, "done done done", states(v), "killed after %d writes", writes)
		require.Eventually(t, func() bool {
			history, err := s.DB.Generations(t.Context(), backend.GenerationFilter{})
			return err == nil && history.Total == 3
		}, waitLimit, waitStep, "killed after %d writes", writes)
	}
}

// TestKilledBeforeTheBookHasTheGeneration kills the program when a generation was accepted and its book does not have it yet.
func TestKilledBeforeTheBookHasTheGeneration(t *testing.T) {
	s := newLab(t)
	v := s.create(manuscript(1, 1))
	g := backend.Generation{ProfileID: s.Profile.ID, Text: "Chapter 1", Status: backend.StatusGenerating}
	g.Request.BookID = v.ID
	_, err := s.DB.CreateGeneration(t.Context(), g)
	require.NoError(t, err)
	s.restart()
	require.Eventually(t, func() bool {
		history, err := s.DB.Generations(t.Context(), backend.GenerationFilter{})
		return err == nil && history.Total == 0
	}, waitLimit, waitStep, "nothing is left over in the history")
}

// spareStore is that of a program that is killed before a book's spare generations are deleted.
type spareStore struct {
	books.Store
	killed chan struct{}
}

// DropBookGenerations fails.
func (p spareStore) DropBookGenerations(context.Context, string, []string) ([]backend.Generation, error) {
	p.killed <- struct{}{}
	return nil, errKilled
}

// TestKilledWhenASpareGenerationWasStopped kills the program after a new file without a chapter stopped what is being
// spoken, and before that is deleted.
func TestKilledWhenASpareGenerationWasStopped(t *testing.T) {
	s := newLab(t)
	m := manuscript(2, 1)
	v := s.create(m)
	store := spareStore{Store: s.DB, killed: make(chan struct{}, 100)}
	s.close()
	s.openWith(store)
	begun := make(chan struct{}, 100)
	s.engine.Allow(func(string) error {
		begun <- struct{}{}
		return studiotest.ErrWait
	})
	_, err := s.Generate(t.Context(), v.ID, books.GenerateRequest{})
	require.NoError(t, err)
	<-begun
	require.Eventually(t, func() bool {
		b, err := s.DB.Book(t.Context(), v.ID)
		return err == nil && len(b.Chapters[0].Pending) > 0
	}, waitLimit, waitStep)
	m.Blocks = m.Blocks[2:]
	_, err = s.Update(t.Context(), v.ID, m, backend.BookSource{Name: "new.epub"})
	require.NoError(t, err)
	<-store.killed
	s.close()
	stopped, err := s.DB.Generations(t.Context(), backend.GenerationFilter{})
	require.NoError(t, err)
	require.Equal(t, backend.StatusCancelled, stopped.Items[len(stopped.Items)-1].Status)
	s.engine.Allow(nil)
	s.restart()
	require.Equal(t, "done", states(s.wait(v.ID)))
	require.Eventually(t, func() bool {
		history, err := s.DB.Generations(t.Context(), backend.GenerationFilter{})
		return err == nil && history.Total == 1
	}, waitLimit, waitStep, "what was stopped is not left over in the history")
}

// readingStore counts the texts that are read.
type readingStore struct {
	books.Store
	texts atomic.Int64
}

// BookTexts counts the calls.
func (r *readingStore) BookTexts(ctx context.Context, id string, keys []string) (map[string][]backend.Block, error) {
	r.texts.Add(int64(len(keys)))
	return r.Store.BookTexts(ctx, id, keys)
}

// TestAListReadsNoText opens a long book.
func TestAListReadsNoText(t *testing.T) {
	s := newLab(t)
	m := manuscript(100, 100)
	v := s.create(m)
	s.close()
	store := &readingStore{Store: s.DB}
	s.openWith(store)
	v, err := s.Book(t.Context(), v.ID)
	require.NoError(t, err)
	require.Len(t, v.Chapters, 100)
	_, err = s.List(t.Context(), backend.Page{})
	require.NoError(t, err)
	require.Zero(t, store.texts.Load())
	_, err = s.EditBlock(t.Context(), v.ID, v.Chapters[50].ID, 1, "Another text.")
	require.NoError(t, err)
	require.Equal(t, int64(1), store.texts.Load(), "an edit reads one chapter")
}

// TestOnlyWhatIsRequestedIsGenerated opens the library for another book, as a command does.
func TestOnlyWhatIsRequestedIsGenerated(t *testing.T) {
	s := newLab(t)
	first, second := s.create(manuscript(2, 1)), s.create(manuscript(2, 1))
	s.engine.Allow(func(string) error { return studiotest.ErrWait })
	_, err := s.Generate(t.Context(), first.ID, books.GenerateRequest{})
	require.NoError(t, err)
	s.restart()
	s.close()
	s.engine.Allow(nil)
	s.Service = books.New(t.Context(), s.Generations, s.options(s.DB))
	t.Cleanup(s.close)
	require.Equal(t, "done done", states(s.generate(second.ID)))
	first, err = s.Book(t.Context(), first.ID)
	require.NoError(t, err)
	require.True(t, first.Generating)
	require.NotContains(t, states(first), "done")
	s.Resume()
	require.Equal(t, "done done", states(s.wait(first.ID)))
}

// panickyStore panics at the first generation that a book gets.
type panickyStore struct {
	books.Store
	panicked atomic.Bool
}

// AddBookGeneration panics once.
func (p *panickyStore) AddBookGeneration(ctx context.Context, book, generation string) error {
	if p.panicked.CompareAndSwap(false, true) {
		panic("on demand")
	}
	return p.Store.AddBookGeneration(ctx, book, generation)
}

// TestAPanicEndsOneChapter: the others are generated, and so is that one when it is requested again.
func TestAPanicEndsOneChapter(t *testing.T) {
	s := newLab(t)
	s.close()
	s.openWith(&panickyStore{Store: s.DB})
	v := s.create(manuscript(3, 1))
	v = s.generate(v.ID)
	require.Equal(t, "failed done done", states(v))
	require.Equal(t, backend.CodeInternal, v.Chapters[0].Error.Code)
	require.NotEmpty(t, v.Chapters[0].Error.Remedy)
	require.Equal(t, "done done done", states(s.generate(v.ID)))
}
