// Package books makes audiobooks of manuscripts: it cuts them into chapters, accounts for every word, and has each chapter spoken by
// generations, so that only what changed is spoken again.
package books

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/books/covers"
	"github.com/voicewright/voicewright/backend/books/prose"
	"github.com/voicewright/voicewright/backend/books/run"
	"github.com/voicewright/voicewright/backend/books/voices"
	"github.com/voicewright/voicewright/backend/generations"
)

// Store is the part of the store that books need.
type Store interface {
	voices.Store
	AllPronunciations(ctx context.Context) ([]backend.Pronunciation, error) // the user's dictionary
	GenerationsByID(ctx context.Context, ids []string, brief bool) ([]backend.Generation, error)
	FormerVersion(ctx context.Context, id string) (v backend.FormerVersion, ok bool, err error)
	CreateBook(ctx context.Context, b backend.Book, texts []backend.BookText) (backend.Book, error)
	Books(ctx context.Context, page backend.Page) (backend.List[backend.Book], error)
	// SaveBook stores a change of a book; before, which may be nil, is the state to which it is undone.
	SaveBook(ctx context.Context, b backend.Book, texts []backend.BookText, before *backend.BookState) (backend.Book, error)
	SetBookPlace(ctx context.Context, id string, place backend.BookPlace) error
	UndoBook(ctx context.Context, id string, restore func(b *backend.Book, to backend.BookState)) (backend.Book, error)
	BookTexts(ctx context.Context, id string, keys []string) (map[string][]backend.Block, error)
	BookCovers(ctx context.Context) (map[string]string, error) // the names of the files by book
	DeleteBook(ctx context.Context, id string) error
	WantedBooks(ctx context.Context) ([]string, error)
	AddBookGeneration(ctx context.Context, book, generation string) error
	BookGenerations(ctx context.Context, book string) ([]string, error)
	// SpareBookGenerations returns the ids of those that neither the chapters nor the former states of a book have.
	SpareBookGenerations(ctx context.Context, book string) ([]string, error)
	// DropBookGenerations takes those of the ids that are still spare from a book, and deletes those of them that have ended, are no
	// favourites, and that no other book needs: both or nothing, so that after a kill the next change finds them again.
	DropBookGenerations(ctx context.Context, book string, ids []string) ([]backend.Generation, error)
}

// Options are what a Service is built from.
type Options struct {
	Dir    string // of the covers
	Store  Store
	Notify func(id string) // called after every change of a book; may be nil
	Now    func() time.Time
	NewID  func() string
	Log    *slog.Logger
}

// Service makes books. It is safe for concurrent use.
type Service struct {
	o       Options
	gens    *generations.Service
	covers  covers.Covers
	times   *run.Times
	turns   run.Turns
	stopped run.Stopped

	mu       sync.Mutex      // held while a book is changed, but not while work ends or files are removed
	deleting map[string]bool // books that are being deleted

	wake   chan struct{}
	cancel context.CancelFunc
	done   chan struct{}
}

// New returns the books whose sound a service generates. Close stops generating, before the service of the generations is closed.
func New(ctx context.Context, gens *generations.Service, o Options) *Service {
	s := &Service{
		o: o, gens: gens, covers: covers.Covers{Dir: o.Dir, Log: o.Log}, times: run.NewTimes(), deleting: map[string]bool{},
		wake: make(chan struct{}, 1), done: make(chan struct{}),
	}
	if names, err := o.Store.BookCovers(ctx); err == nil {
		s.covers.Sweep(names)
	}
	ctx, s.cancel = context.WithCancel(context.WithoutCancel(ctx))
	go func() {
		defer close(s.done)
		r := runner{s}
		backend.Protect(o.Log, "the recovery of books", func() { r.recover(ctx) })
		r.run(ctx)
	}()
	return s
}

// Close stops generating; what is not finished goes on after the next Resume. The generation that runs ends with its own service.
func (s *Service) Close(context.Context) error {
	s.cancel()
	<-s.done
	return nil
}

// notify reports that a book has changed.
func (s *Service) notify(id string) {
	if s.o.Notify != nil {
		backend.Protect(s.o.Log, "the event of a book", func() { s.o.Notify(id) })
	}
}

// Book returns a book as it is now. Error: not_found.
func (s *Service) Book(ctx context.Context, id string) (View, error) {
	b, err := s.load(ctx, id)
	if err != nil {
		return View{}, err
	}
	return s.view(ctx, b)
}

// load returns a book with the changes that were made to its generations in the Studio.
func (s *Service) load(ctx context.Context, id string) (backend.Book, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stored(ctx, id)
}

// stored is load for a caller that holds the lock.
func (s *Service) stored(ctx context.Context, id string) (backend.Book, error) {
	if s.deleting[id] {
		return backend.Book{}, backend.E(backend.CodeNotFound, "The book is being deleted.", "Check the list of books.").With("id", id)
	}
	b, err := voices.Book(ctx, s.o.Store, id)
	if err != nil {
		return b, err
	}
	if b, err = s.notice(ctx, b); err != nil {
		return b, err
	}
	return s.adopt(ctx, b)
}

// List returns a page of the books, last changed first.
func (s *Service) List(ctx context.Context, page backend.Page) (backend.List[View], error) {
	stored, err := s.o.Store.Books(ctx, page)
	out := backend.List[View]{Items: []View{}, Total: stored.Total, TotalCapped: stored.TotalCapped, NextCursor: stored.NextCursor}
	for _, b := range stored.Items {
		if err != nil {
			break
		}
		var v View
		v, err = s.view(ctx, b)
		out.Items = append(out.Items, v)
	}
	return out, err
}

// Chapter returns a chapter with its text. Error: not_found.
func (s *Service) Chapter(ctx context.Context, id, chapter string) (Chapter, []backend.Block, error) {
	b, err := s.load(ctx, id)
	if err != nil {
		return Chapter{}, nil, err
	}
	e := &edition{Book: b, store: s.o.Store}
	i, err := e.chapter(chapter)
	if err != nil {
		return Chapter{}, nil, err
	}
	sound, err := s.sound(ctx, b)
	if err != nil {
		return Chapter{}, nil, err
	}
	blocks, err := e.blocks(ctx, b.Chapters[i].Text)
	return sound.chapter(&b, &b.Chapters[i]), blocks, err
}

// Spoken returns the text of a chapter as it is spoken, in its parts. Errors: not_found.
func (s *Service) Spoken(ctx context.Context, id, chapter string) ([]string, error) {
	b, err := s.load(ctx, id)
	if err != nil {
		return nil, err
	}
	e := &edition{Book: b, store: s.o.Store}
	i, err := e.chapter(chapter)
	if err != nil {
		return nil, err
	}
	c := &e.Chapters[i]
	blocks, err := e.blocks(ctx, c.Text)
	if err != nil {
		return nil, err
	}
	return prose.Speak(c.Title, blocks, c.Options.Over(e.Options)).Parts(), nil
}

// Delete deletes a book with its generations, their files, and its cover. It returns how many generations that were. Error: not_found.
func (s *Service) Delete(ctx context.Context, id string) (int, error) {
	if _, err := s.Stop(ctx, id); err != nil {
		return 0, err
	}
	locked := func(change func()) {
		s.mu.Lock()
		defer s.mu.Unlock()
		change()
	}
	locked(func() { s.deleting[id] = true }) // it gets no more generations
	defer locked(func() { delete(s.deleting, id) })
	ids, err := s.o.Store.BookGenerations(ctx, id)
	if err != nil {
		return 0, err
	}
	// The book is deleted last: after a failure, deleting it again deletes the remaining files.
	n, err := s.gens.Archive.Delete(ctx, ids)
	if err != nil {
		return n, err
	}
	if err := s.o.Store.DeleteBook(ctx, id); err != nil {
		return n, err
	}
	s.covers.Remove(id)
	s.notify(id)
	return n, nil
}
