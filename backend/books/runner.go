package books

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend"
)

// retryDelay is how long the runner waits when the queue is full, or the library cannot be used.
const retryDelay = 5 * time.Second

// runner generates the chapters that are wanted, one after the other.
type runner struct{ *Service }

// recover deletes generations that were accepted just before the program was killed, so that their books do not have them.
func (s runner) recover(ctx context.Context) {
	books := map[string]bool{}
	for _, g := range s.gens.Interrupted {
		if id := g.Request.BookID; id != "" && s.o.Store.AddBookGeneration(ctx, id, g.ID) == nil {
			books[id] = true
		}
	}
	for id := range books {
		s.dropSpare(ctx, id)
	}
}

// run generates the chapters that are wanted, one after the other, until ctx ends.
func (s runner) run(ctx context.Context) {
	for ctx.Err() == nil {
		worked := false
		err := backend.Contain(func() (err error) {
			worked, err = s.step(ctx)
			return err
		})
		var retry <-chan time.Time
		if err != nil && ctx.Err() == nil {
			s.o.Log.Warn("generate a book", "error", err)
			retry = time.After(retryDelay)
		}
		if worked && err == nil {
			continue
		}
		select {
		case <-ctx.Done():
		case <-s.wake:
		case <-retry:
		}
	}
}

// step generates the next part that is wanted; worked is false where there is none.
func (s runner) step(ctx context.Context) (worked bool, err error) {
	ids, err := s.o.Store.WantedBooks(ctx)
	if err != nil || len(ids) == 0 {
		return false, err
	}
	id, ok := s.turns.next(ids)
	if !ok {
		return false, nil
	}
	stops := s.stops.Load()
	b, err := s.load(ctx, id)
	if err != nil {
		return false, err
	}
	at := slices.IndexFunc(b.Chapters, func(c backend.BookChapter) bool { return c.Wanted })
	if at < 0 {
		return true, nil // it was stopped meanwhile
	}
	return true, s.stepChapter(ctx, b, b.Chapters[at], stops)
}

// turns says which book is generated next.
type turns struct {
	mu      sync.Mutex
	asked   []string // books that were requested since the start, in order
	resumed bool     // all others come after them
}

// ask adds a book that was requested.
func (t *turns) ask(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !slices.Contains(t.asked, id) {
		t.asked = append(t.asked, id)
	}
}

// resume adds all books.
func (t *turns) resume() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.resumed = true
}

// next returns the next one of books with chapters that are wanted.
func (t *turns) next(wanted []string) (id string, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.asked = slices.DeleteFunc(t.asked, func(id string) bool { return !slices.Contains(wanted, id) })
	switch {
	case len(t.asked) > 0:
		return t.asked[0], true
	case t.resumed:
		return wanted[0], true
	default:
		return "", false
	}
}

// Resume goes on with all books that were generated when the program ended. Without it, only what is requested is generated: a command
// that does something else does not begin to speak.
func (s *Service) Resume() {
	s.turns.resume()
	s.wakeUp()
}

func (s *Service) wakeUp() {
	select {
	case s.wake <- struct{}{}:
	default: // it is awake
	}
}

// stepChapter generates the next part of a chapter, or completes it. stops is how often Stop had been called before.
func (s runner) stepChapter(ctx context.Context, b backend.Book, c backend.BookChapter, stops int64) error {
	if c.Skipped || len(c.Asks) == 0 {
		return s.changeChapter(ctx, b.ID, c.ID, func(c *backend.BookChapter) { c.Wanted = false })
	}
	parts := plan(&b, &c)
	rows, err := s.sound(ctx, backend.Book{Chapters: []backend.BookChapter{{Parts: parts}}})
	if err != nil {
		return err
	}
	next := slices.IndexFunc(parts, func(p backend.BookPart) bool { return rows[p.Generation].Status != backend.StatusComplete })
	if next < 0 {
		return s.completeChapter(ctx, b, c, parts)
	}
	id, err := s.begin(ctx, b, c, parts, next, rows)
	switch code := backend.CodeOf(err); {
	case ctx.Err() != nil:
		return ctx.Err()
	case code == backend.CodeQueueFull || code == backend.CodeInterrupted: // full, or closing
		return err
	case err != nil:
		return s.failChapter(ctx, b, c, err)
	}
	return s.await(ctx, b, c, id, stops)
}

// await waits for the end of a generation, which a stop of the program does not end, and stores its failure.
func (s runner) await(ctx context.Context, b backend.Book, c backend.BookChapter, id string, stops int64) error {
	if j := s.gens.Job(id); j != nil {
		select {
		case <-j.Done():
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	g, err := s.gens.Generation(ctx, id)
	switch {
	case err == nil && g.Status == backend.StatusComplete:
		return nil
	case err == nil && g.Error != nil:
		err = g.Error.Err()
	case err == nil:
		err = backend.ErrCancelled
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if backend.CodeOf(err) == backend.CodeCancelled && s.stops.Load() != stops {
		return nil // Stop cancelled it, and the chapter may have been requested again since
	}
	return s.failChapter(ctx, b, c, err)
}

// begin has a part of a chapter generated and returns the id of its generation, which is stored with the book before.
func (s runner) begin(
	ctx context.Context, b backend.Book, c backend.BookChapter, parts []backend.BookPart, n int, rows sound,
) (string, error) {
	if g, ok := rows[parts[n].Generation]; ok {
		if s.gens.Job(g.ID) != nil {
			return g.ID, nil
		}
		_, err := s.gens.Retry(ctx, g.ID, nil)
		return g.ID, err
	}
	texts, err := s.o.Store.BookTexts(ctx, b.ID, []string{c.Text})
	if err != nil {
		return "", err
	}
	spoken := speak(c.Title, texts[c.Text], c.Options.Over(b.Options)).parts()
	if n >= len(spoken) {
		return "", backend.E(backend.CodeInternal, "The text of a chapter is not the one that was counted.", "Edit the chapter.")
	}
	donors, err := s.donors(ctx, b, c)
	if err != nil {
		return "", err
	}
	g, err := s.gens.Submit(ctx, request(b, c, spoken[n], donors))
	if err != nil {
		return "", withVoice(err, c.Options.Over(b.Options))
	}
	if err := s.o.Store.AddBookGeneration(ctx, b.ID, g.ID); err != nil { // the book was deleted meanwhile
		_, deleteErr := s.gens.Archive.Delete(context.WithoutCancel(ctx), []string{g.ID})
		return "", errors.Join(err, deleteErr)
	}
	parts[n].Generation = g.ID
	return g.ID, s.changeChapter(ctx, b.ID, c.ID, func(c *backend.BookChapter) { c.Pending = parts })
}

// withVoice names the voice that is missing.
func withVoice(err error, o backend.BookOptions) error {
	if backend.CodeOf(err) != backend.CodeProfileNotFound || o.ProfileName == "" {
		return err
	}
	return backend.E(backend.CodeProfileNotFound, "The voice “"+o.ProfileName+"” of the book was deleted.",
		"Choose another voice for the book, then generate the rest. What is generated stays.").With("name", o.ProfileName).WithCause(err)
}

// changeChapter changes a chapter that may have been removed meanwhile.
func (s runner) changeChapter(ctx context.Context, id, chapter string, change func(c *backend.BookChapter)) error {
	_, err := s.change(ctx, id, false, func(e *edition) error {
		if i := slices.IndexFunc(e.Chapters, func(c backend.BookChapter) bool { return c.ID == chapter }); i >= 0 {
			change(&e.Chapters[i])
		}
		return nil
	})
	if backend.CodeOf(err) == backend.CodeNotFound { // its book was deleted
		return nil
	}
	return err
}

// completeChapter makes parts the sound of a chapter.
func (s runner) completeChapter(ctx context.Context, b backend.Book, c backend.BookChapter, parts []backend.BookPart) error {
	spoken, copied, err := s.passages(ctx, c.Parts, parts)
	if err != nil {
		return err
	}
	_, err = s.change(ctx, b.ID, false, func(e *edition) error {
		i := slices.IndexFunc(e.Chapters, func(now backend.BookChapter) bool { return now.ID == c.ID })
		if i < 0 || !current(&e.Book, &e.Chapters[i], parts) {
			return nil // it was changed meanwhile, and is still wanted
		}
		now := &e.Chapters[i]
		now.Parts, now.Pending, now.Wanted, now.Again, now.Failure = parts, nil, false, false, nil
		e.Run.Generated, e.Run.Reused = e.Run.Generated+spoken, e.Run.Reused+copied
		return nil
	})
	if err != nil {
		return err
	}
	s.dropSpare(ctx, b.ID)
	return nil
}

// passages returns how many passages were spoken for the parts that a chapter did not have before, and how many were copied.
func (s runner) passages(ctx context.Context, former, now []backend.BookPart) (spoken, copied int, err error) {
	var ids []string
	for _, p := range now {
		if !slices.ContainsFunc(former, func(old backend.BookPart) bool { return old.Generation == p.Generation }) {
			ids = append(ids, p.Generation)
		}
	}
	rows, err := s.o.Store.GenerationsByID(ctx, ids, false)
	for _, g := range rows {
		if g.Receipt == nil {
			continue
		}
		for _, chunk := range g.Receipt.Chunks {
			if chunk.From != "" {
				copied++
			} else {
				spoken++
			}
		}
	}
	return spoken, copied, err
}

// failChapter stores why a chapter could not be generated; the others go on. A stopped one has no failure.
func (s runner) failChapter(ctx context.Context, b backend.Book, c backend.BookChapter, cause error) error {
	e := backend.LogFailure(ctx, s.o.Log, cause, "generate a chapter", "id", b.ID)
	return s.changeChapter(ctx, b.ID, c.ID, func(c *backend.BookChapter) {
		if c.Wanted {
			c.Failure = e.Failure()
		}
		c.Wanted = false
	})
}

// dropSpare deletes the generations that neither chapters nor former states of a book have any longer.
func (s *Service) dropSpare(ctx context.Context, id string) {
	ids, err := s.o.Store.DropBookGenerations(ctx, id)
	for _, spare := range ids {
		if err == nil && s.gens.Job(spare) != nil { // of a text that is no longer wanted
			_, err = s.gens.Stop(ctx, spare)
		}
	}
	if err == nil && len(ids) > 0 {
		_, err = s.gens.Archive.Remove(ctx, ids, s.o.Store.ExpireGenerations)
	}
	if err != nil && ctx.Err() == nil { // the next change deletes them
		s.o.Log.Warn("delete spare generations of a book", "id", id, "error", err)
	}
}
