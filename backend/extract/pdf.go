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
	pdfLimit = 2 * time.Minute // for pdftotext and the layout, which a malicious file may keep busy

	// pipeDelay is how long the pipes of a pdftotext that has ended may stay open: a child of it may hold them.
	pipeDelay = 2 * time.Second
)

// The errors of a PDF file beside those that the user reads as they are.
var (
	errNotPDF     = errors.New("it does not begin as a PDF file")
	errPDFTooMuch = errors.New("it has more text than the limit")
)

// pdfFile is a PDF file to be read.
type pdfFile struct {
	raw     []byte
	limit   int64  // bytes of text that it may expand to
	program string // the path of pdftotext; empty = the one that is installed
}

// pdfResult is what was read of a PDF file.
type pdfResult struct {
	text   string          // by readText
	blocks []backend.Block // by readBook
	title  string          // empty where the file has none
	author string          // the same
	left   parts.Counts    // what was left out
}

// pdfToText returns the path of pdftotext: that of the user, or the one that is installed. It is looked for by each call, so that
// installing it needs no restart. Error: runtime_missing.
func pdfToText(program string) (string, error) {
	if program != "" {
		return program, nil
	}
	program, err := subprocess.Find(backend.ProgramPDFToText)
	if err != nil {
		return "", errNoPDFToText().WithCause(err)
	}
	return program, nil
}

// readText reads the text of a PDF file. Errors: errNotPDF, errPDFTooMuch, runtime_missing, unsupported_media, cancelled.
func (f pdfFile) readText(ctx context.Context) (pdfResult, error) {
	r := pdfResult{left: parts.Counts{}}
	err := f.layOut(ctx, &r, func(ctx context.Context, out *pdfOutput) (err error) {
		r.text, err = pdfText(ctx, out.pages, r.left)
		return err
	})
	return r, err
}

// layOut calls use with the pages of a PDF file, read by pdftotext from its stdin, so that no file name reaches it. The context of use
// ends when it takes too long.
func (f pdfFile) layOut(ctx context.Context, r *pdfResult, use func(context.Context, *pdfOutput) error) error {
	if !bytes.Contains(f.raw[:min(len(f.raw), 1024)], []byte("%PDF-")) {
		return errNotPDF
	}
	program, err := pdfToText(f.program)
	if err != nil {
		return err
	}
	limited, cancel := context.WithTimeout(ctx, pdfLimit)
	defer cancel()
	cmd := subprocess.Tool(limited, []string{"LC_ALL=C"}, program, "-q", "-bbox-layout", "-enc", "UTF-8", "-eol", "unix", "-", "-")
	cmd.Stdin = bytes.NewReader(f.raw)
	cmd.WaitDelay = pipeDelay
	out := &pdfOutput{limit: f.limit, exceeded: cancel}
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
		return errPDFTooMuch
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
	r.title = prose.Title(out.title, prose.Title(metadataTitle(f.raw), ""))
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

// pdfText returns the text of pages and counts what of it is left out. Its error is that of the context.
func pdfText(ctx context.Context, pages []*pdfPage, left parts.Counts) (string, error) {
	lines, body, err := pdfLines(ctx, pages, left, nil)
	if err != nil {
		return "", err
	}
	return paragraphs(lines, body), nil
}

// pdfLines returns the lines of pages as they are read, and the height of the text, without headers, footers and page numbers, which it
// counts. Footnotes and tables of contents are added to kept if there is one. Its error is that of the context.
func pdfLines(ctx context.Context, pages []*pdfPage, left parts.Counts, kept *pdfKept) (lines []*pdfLine, body float64, err error) {
	mirrorPages(pages)
	body = bodySize(pages)
	withoutMargins(ctx, pages, body, left)
	lines = orderedLines(ctx, pages, body, left, kept)
	if ctx.Err() != nil {
		return nil, 0, ctx.Err()
	}
	for _, p := range pages {
		if len(p.lines) == 0 {
			left[parts.Pages]++
		}
	}
	return lines, body, nil
}

func errNoPDFToText() *backend.Error {
	return backend.MissingProgram(backend.ProgramPDFToText)
}
