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
	e, err := newEdition(ctx, s.o, b)
	if err != nil {
		return b, err
	}
	e.Chapters = slices.Clone(b.Chapters)
	edited := false
	for i := range e.Chapters {
		now, err := e.adoptChapter(ctx, i, texts)
		if err != nil {
			return b, err
		}
		edited = edited || now
	}
	return runner{s}.save(ctx, b, e, edited)
}

// adoptChapter makes the texts of generations that of a chapter, and reports whether it is another one then. Where the text of the chapter
// was changed in the book since it was spoken, the changes are made there: they are later than those of the book, which is read before it
// is changed.
func (e *edition) adoptChapter(ctx context.Context, at int, changed sound) (edited bool, err error) {
	c := &e.Chapters[at]
	if !slices.ContainsFunc(c.Parts, func(p backend.BookPart) bool { return changed[p.Generation].ID != "" }) {
		return false, nil
	}
	c.Parts = slices.Clone(c.Parts)
	blocks, err := e.blocks(ctx, c.Text)
	if err != nil {
		return false, err
	}
	options := c.Options.Over(e.Options)
	old := prose.Speak(c.Title, blocks, options)
	same := slices.EqualFunc(c.Parts, c.Asks, func(p backend.BookPart, text string) bool { return p.Text == text })
	now := old.Parts()
	for i := range c.Parts {
		p := &c.Parts[i]
		g, ok := changed[p.Generation]
		if !ok {
			continue
		}
		p.Version = g.Version
		switch {
		case backend.BookKey([]byte(g.Text)) == p.Text:
			continue
		case same:
			now[i] = g.Text
		default:
			base, err := e.base(ctx, *p)
			if err != nil {
				return false, err
			}
			now = []string{prose.Merge(base, g.Text, now, func(old, now string) bool { return e.changeElsewhere(ctx, at, old, now) })}
		}
		edited = true
		e.speakText(p, g.Text)
	}
	if !edited {
		return false, nil
	}
	e.setBlocks(c, prose.Rewrite(c, options, blocks, old, now))
	for i := range c.Parts {
		if same && len(c.Asks) == len(c.Parts) { // what is spoken is the text now, up to white space
			e.speakText(&c.Parts[i], prose.Speak(c.Title, e.texts[c.Text], options).Parts()[i])
		}
	}
	return true, nil
}

// speakText makes a text that of a part, and stores it, so that changes of the part can be found after others.
func (e *edition) speakText(p *backend.BookPart, text string) {
	p.Text = backend.BookKey([]byte(text))
	e.added = append(e.added, backend.BookText{Key: p.Text, Blocks: []backend.Block{{Spans: []backend.Span{{Text: text}}}}})
}

// base returns the text of a part before it was changed in the Studio. Parts of older versions have that of the last change alone.
func (e *edition) base(ctx context.Context, p backend.BookPart) (string, error) {
	stored, err := e.blocks(ctx, p.Text)
	if err != nil || len(stored) > 0 {
		return prose.Plain(stored...), err
	}
	former, _, err := e.store.FormerVersion(ctx, p.Generation)
	return former.Text, err
}

// changeElsewhere changes a paragraph in a chapter that was split off, and has no sound of its own yet.
func (e *edition) changeElsewhere(ctx context.Context, from int, old, now string) bool {
	for i := range e.Chapters {
		c := &e.Chapters[i]
		if i == from || len(c.Parts) > 0 {
			continue
		}
		blocks, err := e.blocks(ctx, c.Text)
		if err != nil {
			return false
		}
		options := c.Options.Over(e.Options)
		spoken := prose.Speak(c.Title, blocks, options)
		if parts, ok := spoken.Replace(old, now); ok {
			e.setBlocks(c, prose.Rewrite(c, options, blocks, spoken, parts))
			return true
		}
	}
	return false
}
