package books

import (
	"context"
	"fmt"
	"slices"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/books/prose"
	"github.com/voicewright/voicewright/backend/generations"
)

// Quote returns the price of what Generate would have spoken with hosted voices: passages that are taken from earlier generations cost
// nothing, nor do local voices. Errors: those of Generate but hosted_confirm.
func (s *Service) Quote(ctx context.Context, id string, r GenerateRequest) (backend.HostedQuote, error) {
	b, err := s.load(ctx, id)
	if err != nil {
		return backend.HostedQuote{}, err
	}
	_, all, err := runner{s}.unpaid(ctx, b, r)
	if err != nil {
		return backend.HostedQuote{}, err
	}
	return s.gens.Makers.Quote(ctx, all, r.AcceptCredits)
}

// prices are what the user accepts for each chapter, by id; nil where nothing was asked.
type prices map[string]int64

// accept makes the price of a chapter the accepted one.
func (p prices) accept(c *backend.BookChapter) {
	c.Accepted, c.Pending = nil, slices.Clone(c.Pending)
	for i := range c.Pending {
		c.Pending[i].Price = 0
	}
	if price, ok := p[c.ID]; ok {
		c.Accepted = &price
	}
}

// agree applies the rules of the hosted service to all that is to be spoken, and returns the price of each chapter that is accepted with
// that of all.
func (s runner) agree(ctx context.Context, id string, r GenerateRequest) (prices, error) {
	b, err := s.load(ctx, id)
	if err != nil {
		return nil, err
	}
	chapters, all, err := s.unpaid(ctx, b, r)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	if err := s.gens.Makers.CheckSpeeches(ctx, r.AcceptCredits, all); err != nil || r.AcceptCredits == nil {
		return nil, err
	}
	out := prices{}
	for chapter, speeches := range chapters {
		if out[chapter], err = s.price(ctx, speeches); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// price returns the price of speeches in credits, 0 where it is unknown, which any accepted price covers.
func (s runner) price(ctx context.Context, speeches []backend.HostedSpeech) (int64, error) {
	q, err := s.gens.Makers.Quote(ctx, speeches, nil)
	if err != nil || q.Credits == nil {
		return 0, err
	}
	return *q.Credits, nil
}

// unpaid returns what Generate would pay for, by chapter and in order. What runs already was accepted before.
func (s runner) unpaid(
	ctx context.Context, b backend.Book, r GenerateRequest,
) (chapters map[string][]backend.HostedSpeech, all []backend.HostedSpeech, err error) {
	rows, err := s.sound(ctx, b)
	if err != nil {
		return nil, nil, err
	}
	e := &edition{Book: b, store: s.o.Store}
	wanted, err := e.indexes(r.Chapters)
	if err != nil {
		return nil, nil, err
	}
	chapters, hosted := map[string][]backend.HostedSpeech{}, map[string]bool{}
	for _, i := range wanted {
		c := b.Chapters[i]
		if r.Again && !c.Again {
			c.Again, c.Pending = true, nil
		}
		if c.Skipped || rows.state(&b, &c) == StateDone {
			continue
		}
		o := c.Options.Over(b.Options)
		if _, ok := hosted[o.ProfileID+o.Voice]; !ok {
			hosted[o.ProfileID+o.Voice] = s.isHosted(ctx, o)
		}
		if !hosted[o.ProfileID+o.Voice] {
			continue
		}
		if chapters[c.ID], err = s.unpaidParts(ctx, e, c, rows); err != nil {
			return nil, nil, withVoice(err, o)
		}
		all = append(all, chapters[c.ID]...)
	}
	return chapters, all, nil
}

// isHosted reports whether a voice is one of the hosted service. One that is missing is not.
func (s runner) isHosted(ctx context.Context, o backend.BookOptions) bool {
	profile, err := s.o.Store.Profile(ctx, o.ProfileID)
	_, _, hosted := generations.HostedVoice(generations.Request{GenerateOptions: backend.GenerateOptions{Voice: o.Voice}}, profile)
	return err == nil && hosted
}

// unpaidParts returns what is still to be paid for a chapter.
func (s runner) unpaidParts(ctx context.Context, e *edition, c backend.BookChapter, rows sound) (all []backend.HostedSpeech, err error) {
	blocks, err := e.blocks(ctx, c.Text)
	if err != nil {
		return nil, err
	}
	spoken := prose.Speak(c.Title, blocks, c.Options.Over(e.Options)).Parts()
	donors, err := s.donors(ctx, e.Book, c)
	if err != nil {
		return nil, err
	}
	for n, p := range plan(&e.Book, &c) {
		var unpaid backend.HostedSpeech
		row, begun := rows[p.Generation]
		switch {
		case row.Status == backend.StatusComplete, n >= len(spoken), begun && s.gens.Job(p.Generation) != nil:
			continue
		case begun:
			unpaid, err = s.gens.Previews.UnpaidRest(ctx, p.Generation)
		default:
			unpaid, err = s.gens.Previews.Unpaid(ctx, request(e.Book, c, spoken[n], donors))
		}
		if err != nil {
			return nil, err
		}
		if len(unpaid.Texts) > 0 {
			all = append(all, unpaid)
		}
	}
	return all, nil
}

// accepts returns the price of a part that is spoken now, which is then part of what is accepted for its chapter; nil where nothing was
// accepted. Error: hosted_confirm where the accepted price does not cover it.
func (s runner) accepts(
	ctx context.Context, c backend.BookChapter, parts []backend.BookPart, n int, unpaid func() (backend.HostedSpeech, error),
) (*int64, error) {
	if c.Accepted == nil {
		return nil, nil
	}
	speech, err := unpaid()
	if err != nil {
		return nil, err
	}
	price, before := int64(0), int64(0)
	if len(speech.Texts) > 0 {
		if price, err = s.price(ctx, []backend.HostedSpeech{speech}); err != nil {
			return nil, err
		}
	}
	for i, p := range parts {
		if i != n && p.Generation != "" {
			before += p.Price
		}
	}
	if before+price > *c.Accepted {
		return nil, backend.E(backend.CodeHostedConfirm,
			fmt.Sprintf("The chapter costs %d credits now, and you accepted %d.", before+price, *c.Accepted),
			"Generate the book again: you are asked for the new price. What is generated stays.").
			With("credits", before+price).With("accepted", *c.Accepted)
	}
	parts[n].Price = max(parts[n].Price, price)
	return &price, nil
}
