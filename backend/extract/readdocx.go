package extract

import (
	"context"
	"errors"

	"github.com/voicewright/voicewright/backend/extract/internal/archive"
)

// docxOf returns the Word document of the source.
func docxOf(s *source) docxFile { return docxFile{in: s.zip, size: s.size, limit: s.limit} }

// readDocx returns the text of a Word document.
func readDocx(ctx context.Context, _ *Extractor, s *source) (string, error) {
	r, err := docxOf(s).readText(ctx)
	s.addDocx(r)
	return r.text, docxError(err)
}

// bookOfDocx fills in the manuscript of a Word document.
func bookOfDocx(ctx context.Context, _ *Extractor, s *source) error {
	r, err := docxOf(s).readBook(ctx)
	s.addDocx(r)
	s.book.Blocks, s.book.Title, s.book.Authors, s.book.Language, s.book.Description = r.blocks, r.title, r.authors, r.language, r.description
	return docxError(err)
}

// addDocx adds what was read of a Word document beside its text.
func (s *source) addDocx(r docxResult) {
	if r.damaged {
		s.noteDamaged()
	}
	s.doc.Title, s.leftOut = r.title, r.left
	s.noteLeftOut()
}

// docxError returns the error for the caller.
func docxError(err error) error {
	switch {
	case errors.Is(err, archive.ErrTooMuch):
		return errTooMuch()
	case errors.Is(err, errNotWord):
		return errUnsupported("no_word", "This isn’t a Word document (.docx), or it is damaged.").WithCause(err)
	}
	return err
}
