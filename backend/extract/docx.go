package extract

import (
	"context"
	"errors"

	"github.com/voicewright/voicewright/backend/extract/internal/archive"
	"github.com/voicewright/voicewright/backend/extract/internal/docx"
)

// docxOf returns the Word document of the source.
func docxOf(s *source) docx.File { return docx.File{In: s.zip, Size: s.size, Limit: s.limit} }

// readDocx returns the text of a Word document.
func readDocx(ctx context.Context, _ *Extractor, s *source) (string, error) {
	r, err := docxOf(s).Text(ctx)
	s.addDocx(r)
	return r.Text, docxError(err)
}

// bookOfDocx fills in the manuscript of a Word document.
func bookOfDocx(ctx context.Context, _ *Extractor, s *source) error {
	r, err := docxOf(s).Book(ctx)
	s.addDocx(r)
	s.book.Blocks, s.book.Title, s.book.Authors, s.book.Language, s.book.Description = r.Blocks, r.Title, r.Authors, r.Language, r.Description
	return docxError(err)
}

// addDocx adds what was read of a Word document beside its text.
func (s *source) addDocx(r docx.Result) {
	if r.Damaged {
		s.noteDamaged()
	}
	s.doc.Title, s.leftOut = r.Title, r.Left
	s.noteLeftOut()
}

// docxError returns the error for the caller.
func docxError(err error) error {
	switch {
	case errors.Is(err, archive.ErrTooMuch):
		return errTooMuch()
	case errors.Is(err, docx.ErrNotWord):
		return errUnsupported("no_word", "This isn’t a Word document (.docx), or it is damaged.").WithCause(err)
	}
	return err
}
