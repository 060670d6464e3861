package extract

import (
	"context"
	"errors"

	"github.com/voicewright/voicewright/backend/extract/internal/pdf"
)

// Ready returns nil if PDF files can be read. The program is looked for by each call, so that installing it needs no restart.
// Error: runtime_missing without pdftotext.
func (e *Extractor) Ready() error {
	_, err := pdf.Program(e.PDFToText)
	return err
}

// pdfOf returns the PDF file of the source.
func (e *Extractor) pdfOf(s *source) pdf.File {
	return pdf.File{Raw: s.raw, Limit: s.limit, Program: e.PDFToText}
}

// readPDF returns the text of a PDF file.
func readPDF(ctx context.Context, e *Extractor, s *source) (string, error) {
	r, err := e.pdfOf(s).Text(ctx)
	s.addPDF(r)
	return r.Text, pdfError(err)
}

// bookOfPDF fills in the manuscript of a PDF file.
func bookOfPDF(ctx context.Context, e *Extractor, s *source) error {
	r, err := e.pdfOf(s).Book(ctx)
	s.addPDF(r)
	s.book.Blocks, s.book.Title = r.Blocks, r.Title
	if r.Author != "" {
		s.book.Authors = []string{r.Author}
	}
	return pdfError(err)
}

// addPDF adds what was read of a PDF file beside its text.
func (s *source) addPDF(r pdf.Result) {
	s.doc.Title, s.leftOut = r.Title, r.Left
	s.noteLeftOut()
}

// pdfError returns the error for the caller.
func pdfError(err error) error {
	switch {
	case errors.Is(err, pdf.ErrNotPDF):
		return errUnsupported("no_pdf", "This isn’t a PDF file, although its name says so.")
	case errors.Is(err, pdf.ErrTooMuch):
		return errTooMuch()
	}
	return err
}
