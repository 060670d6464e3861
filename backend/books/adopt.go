package books

import (
	"context"
	"slices"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/books/prose"
)

// adopt makes texts that were changed in the Studio those of their chapters. The caller holds the lock.
func (s *Service) adopt(ctx context.Context, b backend.Book) (backend.Book, error) {
	rows, err := s.sound(ctx, b)
	if err != nil {
		return b, err
	}
	var changed []string
	for _, c := range b.Chapters {
		for _, p := range c.Parts {
			if g, ok := rows[p.Generation]; ok && g.Version != p.Version {
				changed = append(changed, p.Generation)
			}
		}
	}
	if len(changed) == 0 {
		return b, nil
	}
	full, err := s.o.Store.GenerationsByID(ctx, changed, false)
	if err != nil {
		return b, err
	}
	texts := sound{}
	for _, g := range full {
		texts[g.ID] = g
	}
	return s.changeStored(ctx, b, false, func(e *edition) error {
		for i := range e.Chapters {
			if err := e.adoptChapter(ctx, &e.Chapters[i], texts); err != nil {
				return err
			}
		}
		return nil
	})
}

// adoptChapter makes the texts of generations that of a chapter. Where the text of the chapter was changed in the book, too, the changes
// of paragraphs that it still has are made there.
func (e *edition) adoptChapter(ctx context.Context, c *backend.BookChapter, changed sound) error {
	if !slices.ContainsFunc(c.Parts, func(p backend.BookPart) bool { return changed[p.Generation].ID != "" }) {
		return nil
	}
	c.Parts = slices.Clone(c.Parts)
	blocks, err := e.blocks(ctx, c.Text)
	if err != nil {
		return err
	}
	options := c.Options.Over(e.Options)
	old := prose.Speak(c.Title, blocks, options)
	same := slices.EqualFunc(c.Parts, c.Asks, func(p backend.BookPart, text string) bool { return p.Text == text })
	now, edited := old.Parts(), false
	for i := range c.Parts {
		p := &c.Parts[i]
		g, ok := changed[p.Generation]
		if !ok {
			continue
		}
		p.Version = g.Version
		switch {
		case backend.BookKey([]byte(g.Text)) == p.Text:
		case same:
			now[i], edited = g.Text, true
		default:
			base, ok, err := e.store.FormerVersion(ctx, g.ID)
			if err != nil {
				return err
			}
			if ok && backend.BookKey([]byte(base.Text)) == p.Text {
				now, edited = []string{prose.Merge(base.Text, g.Text, now)}, true
			}
		}
	}
	if !edited {
		return nil
	}
	e.setBlocks(c, prose.Rewrite(c, options, blocks, old, now))
	for i := range c.Parts {
		if same && len(c.Asks) == len(c.Parts) { // what is spoken is the text now, up to white space
			c.Parts[i].Text = c.Asks[i]
		}
	}
	return nil
}
