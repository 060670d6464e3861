package books

import (
	"cmp"
	"context"
	"slices"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/generations"
)

// GenerateRequest says which chapters are generated.
type GenerateRequest struct {
	Chapters []string `json:"chapters,omitempty" doc:"ids; default: all that are not skipped"`
	Again    bool     `json:"again,omitempty" doc:"true: passages that have sound are spoken anew, too"`
	// AcceptCredits is the price of all of them together that the user accepted; nil = none was asked.
	AcceptCredits *int64 `json:"accept_credits,omitempty" minimum:"0" doc:"the price of all of them that you accept, in credits"`
}

// Generate has chapters generated, one after the other, behind what else is generated, and returns at once. It goes on after a stop of
// the program. Chapters that are done stay as they are. Errors: not_found, ValidationError for a book without a voice; for hosted voices
// hosted_confirm and the others of a call, before anything is paid.
func (s *Service) Generate(ctx context.Context, id string, r GenerateRequest) (View, error) {
	prices, err := runner{s}.agree(ctx, id, r)
	if err != nil {
		return View{}, err
	}
	b, err := s.change(ctx, id, false, func(e *edition) error {
		sound, err := s.sound(ctx, e.Book)
		if err != nil {
			return err
		}
		wanted, err := e.indexes(r.Chapters)
		if err != nil {
			return err
		}
		e.Run = backend.BookRun{}
		s.times.Forget(id)
		for _, i := range wanted {
			c := &e.Chapters[i]
			if c.Options.Over(e.Options).ProfileID == "" {
				return backend.Invalid("missing", "The book has no voice", "body", "options", "profile_id")
			}
			if r.Again && !c.Again {
				c.Again, c.Pending = true, nil
			}
			c.Failure = nil
			prices.accept(c)
			c.Wanted = sound.state(&e.Book, c) != StateDone
		}
		return nil
	})
	if err != nil {
		return View{}, err
	}
	s.turns.Ask(id)
	s.wakeUp()
	return s.view(ctx, b)
}

// indexes returns the indexes of chapters by their ids; without any of those that are not skipped. Error: not_found.
func (e *edition) indexes(ids []string) ([]int, error) {
	var out []int
	for _, id := range ids {
		i, err := e.chapter(id)
		if err != nil {
			return nil, err
		}
		out = append(out, i)
	}
	if len(ids) > 0 {
		return out, nil
	}
	for i, c := range e.Chapters {
		if !c.Skipped {
			out = append(out, i)
		}
	}
	return out, nil
}

// Stop stops generating a book. What is finished stays, and Generate goes on from there. Error: not_found.
func (s *Service) Stop(ctx context.Context, id string) (View, error) {
	var running []string
	b, err := s.change(ctx, id, false, func(e *edition) error {
		for i := range e.Chapters {
			c := &e.Chapters[i]
			c.Wanted = false
			for _, p := range c.Pending {
				running = append(running, p.Generation)
			}
		}
		return nil
	})
	if err != nil {
		return View{}, err
	}
	if err := (runner{s}).end(ctx, running); err != nil {
		return View{}, err
	}
	return s.view(ctx, b)
}

// request returns the request for a part of a chapter.
func request(b backend.Book, c backend.BookChapter, spoken string, donors []string) generations.Request {
	o := c.Options.Over(b.Options)
	r := generations.Request{ProfileID: o.ProfileID, Text: spoken, Donors: donors, Behind: true, BookID: b.ID}
	title := []rune(b.Title + ": " + c.Title)
	r.Title = string(title[:min(len(title), maxGenerationTitle)])
	r.Voice, r.Language, r.Speed, r.Pauses, r.Pronunciations = o.Voice, o.Language, o.Speed, o.Pauses, o.Pronunciations
	return r
}

// donors returns the generations whose passages a chapter may use, its own ones first: all of the book but those that are the sound of
// other chapters as they are now, whose passages are spoken there, and but those of another voice or speed. Where its own ones have all of
// its text, it needs no others: reading all generations for each chapter takes the square of their number.
func (s runner) donors(ctx context.Context, b backend.Book, c backend.BookChapter) ([]string, error) {
	if c.Again {
		return nil, nil
	}
	all, err := s.o.Store.BookGenerations(ctx, b.ID)
	if err != nil {
		return nil, err
	}
	rows, err := s.o.Store.GenerationsByID(ctx, all, true)
	slices.Reverse(all)                                  // the newest first
	skip, spoken := map[string]bool{}, map[string]bool{} // generations, texts of the chapter
	for _, g := range rows {
		o := c.Options.Over(b.Options)
		skip[g.ID] = g.ProfileID != o.ProfileID || g.Speed != *cmp.Or(o.Speed, &g.Speed)
	}
	own := []string{}
	for _, other := range b.Chapters {
		for _, p := range other.Parts {
			if other.ID == c.ID && !skip[p.Generation] {
				own, spoken[p.Text] = append(own, p.Generation), true
			}
			skip[p.Generation] = skip[p.Generation] || other.ID == c.ID || current(&b, &other, other.Parts)
		}
	}
	if !slices.ContainsFunc(c.Asks, func(text string) bool { return !spoken[text] }) {
		return own, err
	}
	return append(own, slices.DeleteFunc(all, func(id string) bool { return skip[id] })...), err
}

const maxGenerationTitle = 200 // characters

// plan returns the parts of a chapter that has to be generated: those that it has, and new ones without a generation.
func plan(b *backend.Book, c *backend.BookChapter) []backend.BookPart {
	have := slices.Clone(c.Pending)
	if !c.Again {
		have = append(have, c.Parts...)
	}
	voice := b.VoiceKey(c)
	parts := make([]backend.BookPart, len(c.Asks))
	for i, ask := range c.Asks {
		parts[i] = backend.BookPart{Text: ask, Voice: voice}
		if at := slices.IndexFunc(have, func(p backend.BookPart) bool { return p.Generation != "" && p.Same(parts[i]) }); at >= 0 {
			parts[i] = have[at]
			have = slices.Delete(have, at, at+1)
		}
	}
	return parts
}
