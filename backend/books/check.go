package books

import (
	"context"
	"strings"

	"github.com/voicewright/voicewright/backend"
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
			found.Read(spokenWords(block, options))
		}
	}
	return found.List(), nil
}

// spokenWords returns the text of a block that is read aloud.
func spokenWords(b backend.Block, o backend.BookOptions) string {
	var out strings.Builder
	for _, span := range plainSpans(b.Spans) {
		if o.Reads(span.Class) {
			out.WriteString(span.Text)
		} else {
			out.WriteByte(' ')
		}
	}
	return out.String()
}
