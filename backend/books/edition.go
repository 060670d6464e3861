package books

import (
	"context"
	"reflect"
	"slices"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/books/prose"
)

// edition is a book while it is changed.
type edition struct {
	backend.Book
	store Store
	newID func() string // of a new chapter
	words *prose.Dictionary
	texts map[string][]backend.Block // what was read or written
	added []backend.BookText
}

// edit calls change with a book and stores the result, so that Undo brings the book back as it was.
func (s *Service) edit(ctx context.Context, id string, change func(e *edition) error) (View, error) {
	b, err := s.change(ctx, id, true, change)
	if err != nil {
		return View{}, err
	}
	return s.view(ctx, b)
}

// change is edit with a choice whether it can be undone.
func (s *Service) change(ctx context.Context, id string, undoable bool, change func(e *edition) error) (backend.Book, error) {
	var spare []string
	b, err := func() (backend.Book, error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		stored, err := s.stored(ctx, id)
		if err != nil {
			return stored, err
		}
		b, err := s.changeStored(ctx, stored, undoable, change)
		if err == nil && undoable {
			spare = runner{s}.spare(ctx, id)
		}
		return b, err
	}()
	runner{s}.discard(ctx, id, spare)
	return b, err
}

// changeStored changes a book that was read. The caller holds the lock.
func (s *Service) changeStored(
	ctx context.Context, stored backend.Book, undoable bool, change func(e *edition) error,
) (backend.Book, error) {
	e, err := newEdition(ctx, s.o, stored)
	if err != nil {
		return stored, err
	}
	e.Chapters = slices.Clone(stored.Chapters)
	if err := change(e); err != nil {
		return stored, err
	}
	return runner{s}.save(ctx, stored, e, undoable)
}

// save stores a changed book; where the change can be undone, the stored one is the state before it.
func (s runner) save(ctx context.Context, stored backend.Book, e *edition, undoable bool) (backend.Book, error) {
	var before *backend.BookState
	if undoable && !reflect.DeepEqual(stored.State(), e.State()) {
		before = new(stored.State())
	}
	b, err := s.o.Store.SaveBook(ctx, e.Book, e.added, before)
	if err != nil {
		return stored, err
	}
	s.notify(b.ID)
	return b, nil
}

// newEdition returns a book to change.
func newEdition(ctx context.Context, o Options, b backend.Book) (*edition, error) {
	words, err := o.Store.AllPronunciations(ctx)
	return &edition{Book: b, store: o.Store, newID: o.NewID, words: prose.NewDictionary(words)}, err
}

// blocks returns the text with a key.
func (e *edition) blocks(ctx context.Context, key string) ([]backend.Block, error) {
	if found, ok := e.texts[key]; ok {
		return found, nil
	}
	if err := e.read(ctx, []string{key}); err != nil {
		return nil, err
	}
	return e.texts[key], nil
}

// read reads texts at once.
func (e *edition) read(ctx context.Context, keys []string) error {
	found, err := e.store.BookTexts(ctx, e.ID, keys)
	if err != nil {
		return err
	}
	if e.texts == nil {
		e.texts = map[string][]backend.Block{}
	}
	for key, blocks := range found {
		e.texts[key] = blocks
	}
	return nil
}

// readAll reads the texts of all chapters.
func (e *edition) readAll(ctx context.Context) error {
	var keys []string
	for _, c := range e.Chapters {
		keys = append(keys, c.Text)
	}
	return e.read(ctx, keys)
}

// chapter returns the index of a chapter. Error: not_found.
func (e *edition) chapter(id string) (int, error) {
	i := slices.IndexFunc(e.Chapters, func(c backend.BookChapter) bool { return c.ID == id })
	if i < 0 {
		return i, backend.E(backend.CodeNotFound, "The book has no chapter with this id.",
			"It may have been merged or deleted; read the book again.").With("id", e.ID).With("chapter_id", id)
	}
	return i, nil
}

// setBlocks replaces the text of a chapter.
func (e *edition) setBlocks(c *backend.BookChapter, blocks []backend.Block) {
	stored := backend.NewBookText(blocks)
	c.Text = stored.Key
	e.added = append(e.added, stored)
	if e.texts == nil {
		e.texts = map[string][]backend.Block{}
	}
	e.texts[c.Text] = blocks
	c.Counts = prose.Count(blocks, e.Language)
	e.refresh(c, blocks)
}

// refresh computes what is to be spoken of a chapter, which depends on its text, its title and the classes that are read.
func (e *edition) refresh(c *backend.BookChapter, blocks []backend.Block) {
	c.Asks, c.Characters = nil, 0
	parts := prose.Speak(c.Title, blocks, c.Options.Over(e.Options)).Parts()
	e.findWords(c, parts)
	for _, part := range parts {
		c.Asks = append(c.Asks, backend.BookKey([]byte(part)))
		c.Characters += len([]rune(part))
	}
	c.Failure = nil
}

// refreshAll is refresh for all chapters.
func (e *edition) refreshAll(ctx context.Context) error {
	if err := e.readAll(ctx); err != nil {
		return err
	}
	for i := range e.Chapters {
		e.refresh(&e.Chapters[i], e.texts[e.Chapters[i].Text])
	}
	return nil
}
