package extract

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
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
)

// pdf reads a PDF file by pdftotext, which gets the file by stdin and no name of ours.
func (e *Extractor) pdf(ctx context.Context, raw []byte) (string, error) {
	if !bytes.Contains(raw[:min(len(raw), 1024)], []byte("%PDF-")) {
		return "", unsupported("This is no PDF file, whatever its name says.")
	}
	program := e.PDFToText
	if program == "" {
		found, err := exec.LookPath("pdftotext")
		if err != nil {
			return "", missingPDFToText().Because(err)
		}
		program = found
	}
	limited, cancel := context.WithTimeout(ctx, pdfLimit)
	defer cancel()
	cmd := backend.ToolCommand(limited, []string{"LC_ALL=C"}, program, "-q", "-enc", "UTF-8", "-eol", "unix", "-", "-")
	cmd.Stdin = bytes.NewReader(raw)
	cmd.WaitDelay = 100 * time.Millisecond
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", fmt.Errorf("start pdftotext: %w", err)
	}
	if err := cmd.Start(); err != nil {
		if ctx.Err() != nil {
			return "", backend.ErrCancelled.Because(ctx.Err())
		}
		return "", missingPDFToText().Because(err)
	}
	text, readErr := io.ReadAll(io.LimitReader(out, maxText+1))
	if len(text) > maxText {
		cancel()
	}
	waitErr := cmd.Wait()
	if errors.Is(waitErr, exec.ErrWaitDelay) {
		waitErr = nil // it ended well and its output was read; only its input was not let go of at once, on a busy machine
	}
	switch {
	case ctx.Err() != nil:
		return "", backend.ErrCancelled.Because(ctx.Err())
	case len(text) > maxText:
		return "", tooMuch()
	case readErr != nil || waitErr != nil:
		return "", backend.E(backend.CodeUnsupportedMedia, "The PDF file cannot be read.",
			"It may be damaged or need a password: open it in another program and save it again.").
			Because(errors.Join(readErr, waitErr))
	case !utf8.Valid(text):
		return "", noText()
	}
	return pages(string(text)), nil
}

func tooMuch() *backend.Error {
	return unsupported("This file unfolds to more text than a book has.")
}

func missingPDFToText() *backend.Error {
	return backend.E(backend.CodeRuntimeMissing, "pdftotext is needed to read PDF files and is not installed.",
		"Install poppler-utils (Debian, Ubuntu, Fedora), poppler (Arch, Homebrew) or Poppler for Windows on the PATH.")
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
