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
	maxText  = 64_000_000      // bytes of text that one file may expand to
	pdfLimit = 2 * time.Minute // for pdftotext, which a malicious file may keep busy

	// pipeDelay is how long the pipes of a pdftotext that has ended may stay open: a child of it may hold them.
	pipeDelay = 2 * time.Second
)

// pdf returns the text of a PDF file, read by pdftotext from its stdin, so that no file name reaches it.
func (e *Extractor) pdf(ctx context.Context, s *source) (string, error) {
	raw := s.raw
	if !bytes.Contains(raw[:min(len(raw), 1024)], []byte("%PDF-")) {
		return "", unsupported("no_pdf", "This isn’t a PDF file, although its name says so.")
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
	out := &limitedBuffer{limit: maxText, exceeded: cancel}
	cmd.Stdout = out
	if err := cmd.Start(); err != nil {
		if ctx.Err() != nil {
			return "", backend.ErrCancelled.WithCause(ctx.Err())
		}
		return "", missingPDFToText().WithCause(err)
	}
	err := cmd.Wait()
	if errors.Is(err, exec.ErrWaitDelay) {
		err = nil // it succeeded; only its pipes are still open
	}
	text := out.buffer.Bytes()
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

// limitedBuffer collects what is written up to a limit; beyond it, it calls exceeded. The buffer is not embedded, because
// its ReadFrom would bypass the limit.
type limitedBuffer struct {
	buffer   bytes.Buffer
	limit    int
	full     bool
	exceeded func()
}

// Write implements io.Writer.
func (c *limitedBuffer) Write(p []byte) (int, error) {
	if c.buffer.Len()+len(p) > c.limit {
		c.full = true
		c.exceeded()
		return len(p), nil
	}
	return c.buffer.Write(p)
}

// tooMuch returns the error for a file over the limits.
func tooMuch() *backend.Error {
	return unsupported("too_much", "This file expands to too much text.")
}

func missingPDFToText() *backend.Error {
	return backend.E(backend.CodeRuntimeMissing, "pdftotext is needed to read PDF files and is not installed.",
		"Install poppler-utils (Debian, Ubuntu, Fedora), poppler (Arch, Homebrew) or Poppler for Windows on the PATH.").With("program", "pdftotext")
}

// pageNumber matches a line with nothing but a number.
var pageNumber = regexp.MustCompile(`^\s*(?:[-–—]\s*)?\d{1,4}(?:\s*[-–—])?\s*$`)

// pages returns the text of pages with their lines joined to paragraphs. A page number in the first or last line is left out.
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

// joinLine returns a paragraph with a line after it. A word that is hyphenated between them is joined.
func joinLine(paragraph, line string) string {
	if paragraph == "" {
		return line
	}
	head, hyphen := strings.CutSuffix(paragraph, "-")
	before, _ := utf8.DecodeLastRuneInString(head)
	after, _ := utf8.DecodeRuneInString(line)
	if hyphen && unicode.IsLower(before) && unicode.IsLower(after) {
		return head + line
	}
	return paragraph + " " + line
}
