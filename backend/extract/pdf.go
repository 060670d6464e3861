package extract

import (
	"bytes"
	"context"
	"errors"
	"html"
	"os/exec"
	"regexp"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/extract/internal/parts"
	"github.com/voicewright/voicewright/backend/extract/internal/prose"
	"github.com/voicewright/voicewright/backend/subprocess"
)

const (
	maxText  = 64_000_000      // bytes of text that one file may expand to
	pdfLimit = 2 * time.Minute // for pdftotext and the layout, which a malicious file may keep busy

	// pipeDelay is how long the pipes of a pdftotext that has ended may stay open: a child of it may hold them.
	pipeDelay = 2 * time.Second
)

// Ready returns nil if PDF files can be read. The program is looked for by each call, so that installing it needs no restart.
// Error: runtime_missing without pdftotext.
func (e *Extractor) Ready() error {
	_, err := e.pdfToText()
	return err
}

// pdfToText returns the path of pdftotext. Error: runtime_missing.
func (e *Extractor) pdfToText() (string, error) {
	if e.PDFToText != "" {
		return e.PDFToText, nil
	}
	program, err := subprocess.Find(backend.ProgramPDFToText)
	if err != nil {
		return "", errNoPDFToText().WithCause(err)
	}
	return program, nil
}

// pdf returns the text of a PDF file.
func (e *Extractor) pdf(ctx context.Context, s *source) (text string, err error) {
	err = e.layOut(ctx, s, func(ctx context.Context, out *pdfOutput) (err error) {
		text, err = pdfText(ctx, s, out.pages)
		return err
	})
	return text, err
}

// layOut calls use with the pages of a PDF file, read by pdftotext from its stdin, so that no file name reaches it. The context of use
// ends when it takes too long.
func (e *Extractor) layOut(ctx context.Context, s *source, use func(context.Context, *pdfOutput) error) error {
	if !bytes.Contains(s.raw[:min(len(s.raw), 1024)], []byte("%PDF-")) {
		return errUnsupported("no_pdf", "This isn’t a PDF file, although its name says so.")
	}
	program, err := e.pdfToText()
	if err != nil {
		return err
	}
	limited, cancel := context.WithTimeout(ctx, pdfLimit)
	defer cancel()
	cmd := subprocess.Tool(limited, []string{"LC_ALL=C"}, program, "-q", "-bbox-layout", "-enc", "UTF-8", "-eol", "unix", "-", "-")
	cmd.Stdin = bytes.NewReader(s.raw)
	cmd.WaitDelay = pipeDelay
	out := &pdfOutput{limit: s.limit, exceeded: cancel}
	cmd.Stdout = out
	if err := cmd.Start(); err != nil {
		if ctx.Err() != nil {
			return backend.ErrCancelled.WithCause(ctx.Err())
		}
		return errNoPDFToText().WithCause(err)
	}
	err = cmd.Wait()
	if errors.Is(err, exec.ErrWaitDelay) {
		err = nil // it succeeded; only its pipes are still open
	}
	if ctx.Err() == nil && out.full {
		return errTooMuch()
	}
	if err == nil {
		err = use(limited, out)
	}
	switch {
	case ctx.Err() != nil:
		return backend.ErrCancelled.WithCause(ctx.Err())
	case err != nil:
		return backend.E(backend.CodeUnsupportedMedia, "The PDF file cannot be read.",
			"It may be damaged or need a password: open it in another program and save it again.").
			With("reason", "bad_pdf").WithCause(err)
	}
	s.doc.Title = prose.Title(out.title, prose.Title(metadataTitle(s.raw), s.doc.Title))
	return nil
}

// xmpTitle matches the title in the metadata of a PDF file (XMP), which is rarely compressed.
var xmpTitle = regexp.MustCompile(`(?s)<dc:title>\s*<rdf:Alt>\s*<rdf:li[^>]{0,200}>([^<]{1,1000})</rdf:li>`)

// metadataTitle returns the title in the metadata of a PDF file; empty if there is none.
func metadataTitle(raw []byte) string {
	m := xmpTitle.FindSubmatch(raw)
	if m == nil {
		return ""
	}
	return html.UnescapeString(string(bytes.ToValidUTF8(m[1], nil)))
}

// pdfText returns the text of pages and names what of it is left out. Its error is that of the context.
func pdfText(ctx context.Context, s *source, pages []*pdfPage) (string, error) {
	lines, body, err := pdfLines(ctx, s, pages, nil)
	if err != nil {
		return "", err
	}
	s.noteLeftOut()
	return paragraphs(lines, body), nil
}

// pdfLines returns the lines of pages as they are read, and the height of the text, without headers, footers and page numbers, which it
// counts. Footnotes and tables of contents are added to kept if there is one. Its error is that of the context.
func pdfLines(ctx context.Context, s *source, pages []*pdfPage, kept *pdfKept) (lines []*pdfLine, body float64, err error) {
	mirrorPages(pages)
	body = bodySize(pages)
	withoutMargins(ctx, pages, body, s.leftOut)
	lines = orderedLines(ctx, pages, body, s.leftOut, kept)
	if ctx.Err() != nil {
		return nil, 0, ctx.Err()
	}
	for _, p := range pages {
		if len(p.lines) == 0 {
			s.leftOut[parts.Pages]++
		}
	}
	return lines, body, nil
}

const reasonTooMuch = "too_much"

// errTooMuch returns the error for a file over the limits.
func errTooMuch() *backend.Error {
	return errUnsupported(reasonTooMuch, "This file expands to too much text.")
}

func errNoPDFToText() *backend.Error {
	return backend.MissingProgram(backend.ProgramPDFToText)
}
