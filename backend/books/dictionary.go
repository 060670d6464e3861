package books

import (
	"cmp"
	"context"
	"slices"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/books/prose"
)

// notice finds the words of the chapters in a dictionary that was changed, so that the sound of those with such a word is another one.
// The caller holds the lock.
func (s *Service) notice(ctx context.Context, b backend.Book) (backend.Book, error) {
	words, err := s.o.Store.AllPronunciations(ctx)
	if err != nil || b.Dictionary == prose.NewDictionary(words).Key || b.Dictionary == "" && len(words) == 0 {
		return b, err
	}
	return s.changeStored(ctx, b, false, func(e *edition) error {
		e.Dictionary = e.words.Key
		if err := e.readAll(ctx); err != nil {
			return err
		}
		for i := range e.Chapters {
			c := &e.Chapters[i]
			before := b.VoiceKey(c)
			e.findWords(c, prose.Speak(c.Title, e.texts[c.Text], c.Options.Over(e.Options)).Parts())
			if b.Dictionary == "" { // of an older version, whose sound has its words
				e.revoice(c, before)
			}
		}
		return nil
	})
}

// findWords finds which words of a chapter are in the dictionary.
func (e *edition) findWords(c *backend.BookChapter, parts []string) {
	o := c.Options.Over(e.Options)
	c.Words = e.words.In(parts, cmp.Or(o.Language, e.Language), o.Pronunciations)
}

// revoice makes the sound with a key that of the chapter as it is now.
func (e *edition) revoice(c *backend.BookChapter, before string) {
	now := e.VoiceKey(c)
	for _, parts := range []*[]backend.BookPart{&c.Parts, &c.Pending} {
		*parts = slices.Clone(*parts)
		for i := range *parts {
			if (*parts)[i].Voice == before {
				(*parts)[i].Voice = now
			}
		}
	}
}
