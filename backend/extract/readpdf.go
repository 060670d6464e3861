package extract

import (
	"context"
	"errors"
)

// Ready returns nil if PDF files can be read. The program is looked for by each call, so that installing it needs no restart.
// Error: runtime_missing without pdftotext.
func (e *Extractor) Ready() error {
	_, err := pdfToText(e.PDFToText)
	return err
}

// pdfOf returns the PDF file of the source.
func (e *Extractor) pdfOf(s *source) pdfFile {
	return pdfFile{raw: s.raw, limit: s.limit, program: e.PDFToText}
}

// readPDF returns the text of a PDF file.
func readPDF(ctx context.Context, e *Extractor, s *source) (string, error) {
	r, err := e.pdfOf(s).readText(ctx)
	s.addPDF(r)
	return r.text, pdfError(err)
}

// bookOfPDF fills in the manuscript of a PDF file.
func bookOfPDF(ctx context.Context, e *Extractor, s *source) error {
	r, err := e.pdfOf(s).readBook(ctx)
	s.addPDF(r)
	s.book.Blocks, s.book.Title = r.blocks, r.title
	if r.author != "" {
		s.book.Authors = []string{r.author}
	}
	return pdfError(err)
}

// addPDF adds what was read of a PDF file beside its text.
func (s *source) addPDF(r pdfResult) {
	s.doc.Title, s.leftOut = r.title, r.left
	s.noteLeftOut()
}

// pdfError returns the error for the caller.
func pdfError(err error) error {
	switch {
	case errors.Is(err, errNotPDF):
		return errUnsupported("no_pdf", "This isn’t a PDF file, although its name says so.")
	case errors.Is(err, errPDFTooMuch):
		return errTooMuch()
	}
	return err
}
