package books

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/books/prose"
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
	id, ok := s.turns.Next(ids)
	if !ok {
		return false, nil
	}
	b, err := s.load(ctx, id)
	if err != nil {
		return false, err
	}
	at := slices.IndexFunc(b.Chapters, func(c backend.BookChapter) bool { return c.Wanted })
	if at < 0 {
		return true, nil // it was stopped meanwhile
	}
	c := b.Chapters[at]
	err = backend.Contain(func() error { return s.stepChapter(ctx, b, c) })
	if panicked := (*backend.PanicError)(nil); errors.As(err, &panicked) { // the other chapters and books go on
		failure := backend.LogFailure(ctx, s.o.Log, err, "generate a chapter", "id", id).Failure()
		err = s.changeChapter(ctx, id, c.ID, func(_ *edition, c *backend.BookChapter) { c.Failure, c.Wanted = failure, false })
	}
	return true, err
}

// Resume goes on with all books that were generated when the program ended. Without it, only what is requested is generated: a command
// that does something else does not begin to speak.
func (s *Service) Resume() {
	s.turns.Resume()
	s.wakeUp()
}

func (s *Service) wakeUp() {
	select {
	case s.wake <- struct{}{}:
	default: // it is awake
	}
}

// stepChapter generates the next part of a chapter, or completes it.
func (s runner) stepChapter(ctx context.Context, b backend.Book, c backend.BookChapter) error {
	if c.Skipped || len(c.Asks) == 0 {
		return s.changeChapter(ctx, b.ID, c.ID, func(_ *edition, c *backend.BookChapter) { c.Wanted = false })
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
		return s.failChapter(ctx, b, c, parts[next], err)
	case id == "":
		return nil // it was stopped or changed meanwhile
	}
	parts[next].Generation = id
	return s.await(ctx, b, c, parts[next])
}

// await waits for the end of the generation of a part, which a stop of the program does not end, and stores its failure. One that the
// book itself ended has none: what is wanted then is planned again.
func (s runner) await(ctx context.Context, b backend.Book, c backend.BookChapter, part backend.BookPart) error {
	if j := s.gens.Job(part.Generation); j != nil {
		select {
		case <-j.Done():
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	g, err := s.gens.Generation(ctx, part.Generation)
	switch {
	case err == nil && g.Status == backend.StatusComplete, s.stopped.Set(part.Generation, false):
		return nil
	case err == nil && g.Error != nil:
		err = g.Error.Err()
	case err == nil:
		err = backend.ErrCancelled
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return s.failChapter(ctx, b, c, part, err)
}

// begin has a part of a chapter generated and returns the id of its generation, which is stored with the book; an empty one where the
// chapter does not ask for it any longer.
func (s runner) begin(
	ctx context.Context, b backend.Book, c backend.BookChapter, parts []backend.BookPart, n int, rows sound,
) (string, error) {
	if _, ok := rows[parts[n].Generation]; ok {
		return s.goOn(ctx, b, c, parts, n)
	}
	texts, err := s.o.Store.BookTexts(ctx, b.ID, []string{c.Text})
	if err != nil {
		return "", err
	}
	spoken := prose.Speak(c.Title, texts[c.Text], c.Options.Over(b.Options)).Parts()
	if n >= len(spoken) || backend.BookKey([]byte(spoken[n])) != parts[n].Text {
		return "", s.changeChapter(ctx, b.ID, c.ID, func(e *edition, now *backend.BookChapter) { // it was counted by an older version
			if now.Text == c.Text {
				e.refresh(now, texts[c.Text])
			}
		})
	}
	donors, err := s.donors(ctx, b, c)
	if err != nil {
		return "", err
	}
	r := request(b, c, spoken[n], donors)
	r.AcceptCredits, err = s.accepts(ctx, c, parts, n, func() (backend.HostedSpeech, error) { return s.gens.Previews.Unpaid(ctx, r) })
	if err != nil {
		return "", withVoice(err, c.Options.Over(b.Options))
	}
	g, err := s.gens.Submit(ctx, r)
	if err != nil {
		return "", withVoice(err, c.Options.Over(b.Options))
	}
	parts[n].Generation = g.ID
	// It is being spoken already: a program that ends now keeps it.
	ctx = context.WithoutCancel(ctx)
	stored, err := s.record(ctx, b, c, parts, n, spoken[n])
	if err != nil || !stored {
		if s.o.Store.AddBookGeneration(ctx, b.ID, g.ID) == nil { // so that one that is stopped when the program is killed is found again
			s.dropSpare(ctx, b.ID)
		}
		_, deleteErr := s.gens.Archive.Delete(ctx, []string{g.ID})
		return "", errors.Join(err, deleteErr)
	}
	return g.ID, nil
}

// goOn has a generation of a chapter go on that ended before its end.
func (s runner) goOn(ctx context.Context, b backend.Book, c backend.BookChapter, parts []backend.BookPart, n int) (string, error) {
	part := parts[n]
	if s.gens.Job(part.Generation) != nil {
		return part.Generation, nil
	}
	s.stopped.Set(part.Generation, false)
	accept, err := s.accepts(ctx, c, parts, n, func() (backend.HostedSpeech, error) {
		return s.gens.Previews.UnpaidRest(ctx, part.Generation)
	})
	if err != nil {
		return part.Generation, err
	}
	if _, err := s.gens.Retry(ctx, part.Generation, accept); err != nil {
		return part.Generation, err
	}
	now, err := s.load(ctx, b.ID)
	if backend.CodeOf(err) == backend.CodeNotFound || err == nil && wanting(&now, c, part) < 0 {
		return "", s.end(ctx, []string{part.Generation}) // when it was stopped, there was nothing to stop
	}
	return part.Generation, nil
}

// wanting returns the index of a chapter as it is now if it still waits for a part, else -1.
func wanting(b *backend.Book, c backend.BookChapter, part backend.BookPart) int {
	return slices.IndexFunc(b.Chapters, func(now backend.BookChapter) bool {
		return now.ID == c.ID && now.Wanted && now.Again == c.Again && asksFor(b, &now, part)
	})
}

// record stores the new generation of a part with its book. stored is false where the chapter was stopped or changed meanwhile.
func (s runner) record(
	ctx context.Context, b backend.Book, c backend.BookChapter, parts []backend.BookPart, n int, text string,
) (stored bool, err error) {
	err = s.changeBook(ctx, b.ID, func(e *edition) error {
		i := wanting(&e.Book, c, parts[n])
		if i < 0 {
			return nil
		}
		e.speakText(&parts[n], text)
		e.Chapters[i].Pending, stored = parts, true
		return s.o.Store.AddBookGeneration(ctx, b.ID, parts[n].Generation)
	})
	return stored && err == nil, err
}

// withVoice names the voice that is missing, or whose model is, or says why it cannot be used, and asks for another one.
func withVoice(err error, o backend.BookOptions) error {
	const remedy = "Choose another voice for the book, then generate the rest. What is generated stays."
	if invalid := (*backend.ValidationError)(nil); errors.As(err, &invalid) && len(invalid.Fields) > 0 {
		reason := strings.TrimPrefix(invalid.Fields[0].Msg, "Value error, ")
		return backend.E(backend.CodeModelUnknown, "The book cannot be spoken with its voice: "+reason, remedy).WithCause(err)
	}
	e := backend.AsError(err)
	switch {
	case e.Code == backend.CodeProfileNotFound && o.ProfileName != "":
		return backend.E(backend.CodeProfileNotFound, "The voice “"+o.ProfileName+"” of the book was deleted.",
			remedy).With("name", o.ProfileName).WithCause(err)
	case e.Code == backend.CodeModelUnknown || e.Code == backend.CodeModelNotDownloaded:
		e = e.WithCause(err)
		e.Remedy = "Install the model again, or choose another voice for the book, then generate the rest. What is generated stays."
		return e
	}
	return err
}

// changeChapter changes a chapter that may have been removed meanwhile.
func (s runner) changeChapter(ctx context.Context, id, chapter string, change func(e *edition, c *backend.BookChapter)) error {
	return s.changeBook(ctx, id, func(e *edition) error {
		if i := slices.IndexFunc(e.Chapters, func(c backend.BookChapter) bool { return c.ID == chapter }); i >= 0 {
			change(e, &e.Chapters[i])
		}
		return nil
	})
}

// changeBook changes a book that may have been deleted meanwhile.
func (s runner) changeBook(ctx context.Context, id string, change func(e *edition) error) error {
	_, err := s.change(ctx, id, false, change)
	if backend.CodeOf(err) == backend.CodeNotFound {
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
	err = s.changeBook(ctx, b.ID, func(e *edition) error {
		i := slices.IndexFunc(e.Chapters, func(now backend.BookChapter) bool { return now.ID == c.ID })
		if i < 0 || !current(&e.Book, &e.Chapters[i], parts) {
			return nil // it was changed meanwhile, and is still wanted
		}
		now := &e.Chapters[i]
		now.Parts, now.Pending, now.Wanted, now.Again, now.Failure, now.Accepted = parts, nil, false, false, nil, nil
		for i := range now.Parts {
			now.Parts[i].Price = 0
		}
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

// failChapter stores why a chapter could not be generated; the others go on. A chapter that was stopped, or asks for something else
// now, has no failure.
func (s runner) failChapter(ctx context.Context, b backend.Book, c backend.BookChapter, failed backend.BookPart, cause error) error {
	failure := backend.LogFailure(ctx, s.o.Log, cause, "generate a chapter", "id", b.ID).Failure()
	return s.changeBook(ctx, b.ID, func(e *edition) error {
		i := wanting(&e.Book, c, failed)
		has := func(p backend.BookPart) bool { return p.Generation == failed.Generation }
		if i >= 0 && (failed.Generation == "" || slices.ContainsFunc(slices.Concat(e.Chapters[i].Pending, e.Chapters[i].Parts), has)) {
			e.Chapters[i].Failure, e.Chapters[i].Wanted = failure, false
		}
		return nil
	})
}

// end stops those of generations that run, so that their chapters do not fail.
func (s runner) end(ctx context.Context, ids []string) error {
	for _, id := range ids {
		if s.gens.Job(id) == nil {
			continue
		}
		s.stopped.Set(id, true)
		if _, err := s.gens.Stop(ctx, id); err != nil && backend.CodeOf(err) != backend.CodeNotInProgress {
			return err
		}
	}
	return nil
}

// dropSpare deletes the generations that neither chapters nor former states of a book have any longer.
func (s runner) dropSpare(ctx context.Context, id string) {
	s.discard(ctx, id, func() []string {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.spare(ctx, id)
	}())
}

// spare returns those generations. The caller holds the lock.
func (s runner) spare(ctx context.Context, id string) []string {
	ids, err := s.o.Store.SpareBookGenerations(ctx, id)
	if err != nil && ctx.Err() == nil { // the next change finds them
		s.o.Log.Warn("find spare generations of a book", "id", id, "error", err)
	}
	return ids
}

// discard deletes spare generations of a book, and stops those of a text that is no longer wanted. It goes on when the request ends.
func (s runner) discard(ctx context.Context, id string, ids []string) {
	if len(ids) == 0 {
		return
	}
	ctx = context.WithoutCancel(ctx)
	err := s.end(ctx, ids)
	if err == nil {
		_, err = s.gens.Archive.Remove(ctx, ids, func(ctx context.Context, ids []string) ([]backend.Generation, error) {
			return s.o.Store.DropBookGenerations(ctx, id, ids)
		})
	}
	if err != nil { // the next change tries again
		s.o.Log.Warn("delete spare generations of a book", "id", id, "error", err)
	}
}
