// Package pdf reads PDF files by pdftotext of poppler: words with their places become lines, columns, paragraphs and blocks.
package pdf

import (
	"bytes"
	"context"
	"errors"
	"html"
	"os/exec"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/extract/internal/parts"
	"github.com/voicewright/voicewright/backend/extract/internal/prose"
	"github.com/voicewright/voicewright/backend/pattern"
	"github.com/voicewright/voicewright/backend/subprocess"
)

const (
	limit = 2 * time.Minute // for pdftotext and the layout, which a malicious file may keep busy

	// pipeDelay is how long the pipes of a pdftotext that has ended may stay open: a child of it may hold them.
	pipeDelay = 2 * time.Second
)

// The errors of a PDF file beside those that the user reads as they are.
var (
	ErrNotPDF  = errors.New("it does not begin as a PDF file")
	ErrTooMuch = errors.New("it has more text than the limit")
)

// File is a PDF file to be read.
type File struct {
	Raw     []byte
	Limit   int64  // bytes of text that it may expand to
	Program string // the path of pdftotext; empty = the one that is installed
}

// Result is what was read of a PDF file.
type Result struct {
	Text   string          // by Text
	Blocks []backend.Block // by Book
	Title  string          // empty where the file has none
	Author string          // the same
	Left   parts.Counts    // what was left out
}

// Program returns the path of pdftotext: that of the user, or the one that is installed. It is looked for by each call, so that
// installing it needs no restart. Error: runtime_missing.
func Program(program string) (string, error) {
	if program != "" {
		return program, nil
	}
	program, err := subprocess.Find(backend.ProgramPDFToText)
	if err != nil {
		return "", errNoPDFToText().WithCause(err)
	}
	return program, nil
}

// Text reads the text of a PDF file. Errors: ErrNotPDF, ErrTooMuch, runtime_missing, unsupported_media, cancelled.
func (f File) Text(ctx context.Context) (Result, error) {
	r := Result{Left: parts.Counts{}}
	err := f.layOut(ctx, &r, func(ctx context.Context, out *output) (err error) {
		r.Text, err = textOf(ctx, out.pages, r.Left)
		return err
	})
	return r, err
}

// layOut calls use with the pages of a PDF file, read by pdftotext from its stdin, so that no file name reaches it. The context of use
// ends when it takes too long.
func (f File) layOut(ctx context.Context, r *Result, use func(context.Context, *output) error) error {
	if !bytes.Contains(f.Raw[:min(len(f.Raw), 1024)], []byte("%PDF-")) {
		return ErrNotPDF
	}
	program, err := Program(f.Program)
	if err != nil {
		return err
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := subprocess.Tool(limited, []string{"LC_ALL=C"}, program, "-q", "-bbox-layout", "-enc", "UTF-8", "-eol", "unix", "-", "-")
	cmd.Stdin = bytes.NewReader(f.Raw)
	cmd.WaitDelay = pipeDelay
	out := &output{limit: f.Limit, exceeded: cancel}
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
		return ErrTooMuch
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
	r.Title = prose.Title(out.title, prose.Title(metadataTitle(f.Raw), ""))
	return nil
}

// xmpTitle matches the title in the metadata of a PDF file (XMP), which is rarely compressed.
var xmpTitle = pattern.New(`(?s)<dc:title>\s*<rdf:Alt>\s*<rdf:li[^>]{0,200}>([^<]{1,1000})</rdf:li>`)

// metadataTitle returns the title in the metadata of a PDF file; empty if there is none.
func metadataTitle(raw []byte) string {
	m := xmpTitle.FindSubmatch(raw)
	if m == nil {
		return ""
	}
	return html.UnescapeString(string(bytes.ToValidUTF8(m[1], nil)))
}

// textOf returns the text of pages and counts what of it is left out. Its error is that of the context.
func textOf(ctx context.Context, pages []*page, left parts.Counts) (string, error) {
	lines, body, err := readLines(ctx, pages, left, nil)
	if err != nil {
		return "", err
	}
	return paragraphs(lines, body), nil
}

// readLines returns the lines of pages as they are read, and the height of the text, without headers, footers and page numbers, which it
// counts. What is left out is added to kept if there is one. Its error is that of the context.
func readLines(ctx context.Context, pages []*page, left parts.Counts, kept *kept) (lines []*textLine, body float64, err error) {
	mirrorPages(pages)
	body = bodySize(pages)
	withoutMargins(ctx, pages, body, left, kept)
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
