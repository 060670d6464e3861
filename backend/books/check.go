package books

import (
	"context"

	"github.com/voicewright/voicewright/backend/books/prose"
	"github.com/voicewright/voicewright/backend/books/suspects"
)

// Check returns the words of what is spoken of a book that may be spoken wrongly. Error: not_found.
func (s *Service) Check(ctx context.Context, id string) ([]suspects.Suspect, error) {
	b, err := s.load(ctx, id)
	if err != nil {
		return nil, err
	}
	e := &edition{Book: b, store: s.o.Store}
	if err := e.readAll(ctx); err != nil {
		return nil, err
	}
	found := suspects.New(b.Language, b.Options.Pronunciations)
	for _, c := range b.Chapters {
		if c.Skipped {
			continue
		}
		options := c.Options.Over(b.Options)
		for _, block := range e.texts[c.Text] {
			found.Read(prose.Words(block, options))
		}
	}
	return found.List(), nil
}
