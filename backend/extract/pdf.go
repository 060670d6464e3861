package extract

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
)

const (
	maxText  = 64_000_000      // bytes of text that one file may unfold to
	pdfLimit = 2 * time.Minute // for pdftotext, which a made-up file may keep busy

	// pipeDelay is how long the pipes of a pdftotext that has ended may stay open: its child may hold them for ever.
	pipeDelay = 2 * time.Second
)

// pdf reads a PDF file by pdftotext, which gets the file by stdin and no name of ours.
func (e *Extractor) pdf(ctx context.Context, raw []byte) (string, error) {
	if !bytes.Contains(raw[:min(len(raw), 1024)], []byte("%PDF-")) {
		return "", unsupported("no_pdf", "This is no PDF file, whatever its name says.")
	}
	program := e.PDFToText
	if program == "" {
		found, err := exec.LookPath("pdftotext")
		if err != nil {
			return "", missingPDFToText().WithCause(err)
		}
		program = found
	}
	limited, cancel := context.WithTimeout(ctx, pdfLimit)
	defer cancel()
	cmd := backend.ToolCommand(limited, []string{"LC_ALL=C"}, program, "-q", "-enc", "UTF-8", "-eol", "unix", "-", "-")
	cmd.Stdin = bytes.NewReader(raw)
	cmd.WaitDelay = pipeDelay
	out := &capped{limit: maxText, over: cancel}
	cmd.Stdout = out
	if err := cmd.Start(); err != nil {
		if ctx.Err() != nil {
			return "", backend.ErrCancelled.WithCause(ctx.Err())
		}
		return "", missingPDFToText().WithCause(err)
	}
	err := cmd.Wait()
	if errors.Is(err, exec.ErrWaitDelay) {
		err = nil // it ended well; a child of it, or a busy machine, only holds its pipes
	}
	text := out.kept.Bytes()
	switch {
	case ctx.Err() != nil:
		return "", backend.ErrCancelled.WithCause(ctx.Err())
	case out.full:
		return "", tooMuch()
	case err != nil:
		return "", backend.E(backend.CodeUnsupportedMedia, "The PDF file cannot be read.",
			"It may be damaged or need a password: open it in another program and save it again.").
			With("reason", "bad_pdf").WithCause(err)
	case !utf8.Valid(text):
		return "", noText()
	}
	return pages(string(text)), nil
}

// capped keeps what is written up to a limit; more than that calls over. The buffer is no embedded one: its ReadFrom would
// pass the limit by.
type capped struct {
	kept  bytes.Buffer
	limit int
	full  bool
	over  func()
}

func (c *capped) Write(p []byte) (int, error) {
	if c.kept.Len()+len(p) > c.limit {
		c.full = true
		c.over()
		return len(p), nil
	}
	return c.kept.Write(p)
}

func tooMuch() *backend.Error {
	return unsupported("too_much", "This file unfolds to more text than a book has.")
}

func missingPDFToText() *backend.Error {
	return backend.E(backend.CodeRuntimeMissing, "pdftotext is needed to read PDF files and is not installed.",
		"Install poppler-utils (Debian, Ubuntu, Fedora), poppler (Arch, Homebrew) or Poppler for Windows on the PATH.").With("program", "pdftotext")
}

var pageNumber = regexp.MustCompile(`^\s*(?:[-–—]\s*)?\d{1,4}(?:\s*[-–—])?\s*$`)

// pages joins the lines of each page to paragraphs. A number alone at the edge of a page is left out.
func pages(text string) string {
	var out strings.Builder
	for page := range strings.SplitSeq(text, "\f") {
		lines := strings.Split(strings.TrimSpace(page), "\n")
		if pageNumber.MatchString(lines[len(lines)-1]) {
			lines = lines[:len(lines)-1]
		}
		if len(lines) > 0 && pageNumber.MatchString(lines[0]) {
			lines = lines[1:]
		}
		var paragraph string
		for _, line := range lines {
			if line = oneLine(line); line != "" {
				paragraph = joinLine(paragraph, line)
				continue
			}
			out.WriteString(paragraph + "\n\n")
			paragraph = ""
		}
		out.WriteString(paragraph + "\n\n")
	}
	return clean(out.String())
}

// joinLine puts a line behind a paragraph; a word that was parted at the end of the line becomes whole.
func joinLine(paragraph, line string) string {
	if paragraph == "" {
		return line
	}
	head, parted := strings.CutSuffix(paragraph, "-")
	before, _ := utf8.DecodeLastRuneInString(head)
	after, _ := utf8.DecodeRuneInString(line)
	if parted && unicode.IsLower(before) && unicode.IsLower(after) {
		return head + line
	}
	return paragraph + " " + line
}
