package books

import (
	"context"

	"github.com/voicewright/voicewright/backend"
)

// SetPlace stores where somebody listens to a book. It is no change of the book. Errors: not_found, ValidationError.
func (s *Service) SetPlace(ctx context.Context, id string, place backend.BookPlace) error {
	if place.Seconds < 0 {
		return backend.Invalid("greater_than_equal", "Input should be greater than or equal to 0", "body", "seconds")
	}
	b, err := s.o.Store.Book(ctx, id)
	if err != nil {
		return err
	}
	if _, err := (&edition{Book: b}).chapter(place.ChapterID); err != nil {
		return err
	}
	return s.o.Store.SetBookPlace(ctx, id, place)
}

// placeOf returns where somebody listens to a book, nil where the chapter is gone.
func placeOf(b *backend.Book) *backend.BookPlace {
	if _, err := (&edition{Book: *b}).chapter(b.Place.ChapterID); err != nil {
		return nil
	}
	return &b.Place
}
