// Package extract returns what can be read aloud of text files, subtitles, books and PDF documents.
package extract

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/extract/internal/blocks"
	"github.com/voicewright/voicewright/backend/extract/internal/prose"
)

// MaxFile is the largest file that is read, in bytes.
const MaxFile = 50_000_000

const maxText = 64_000_000 // bytes of text that one file may expand to

// Document is the text of a file.
type Document struct {
	Text     string `json:"text" doc:"paragraphs, with an empty line between them"`
	Title    string `json:"title" doc:"the title in the file, else its name; at most 1,000 characters"`
	HasTitle bool   `json:"has_title" doc:"whether the file has a title of its own"`
	Format   string `json:"format" doc:"the kind of the file"`
	Encoding string `json:"encoding" doc:"character encoding that the file was read in, such as UTF-8 or windows-1251; empty for kinds that have none"`
	Notes    []Note `json:"notes" nullable:"false" doc:"each part of the file that was left out or changed"`
}

// Extractor reads files. Its zero value looks for pdftotext on the PATH; it is safe for concurrent use.
type Extractor struct {
	// PDFToText is the program that reads PDF files; empty = the one that is installed.
	PDFToText string

	limit int64 // bytes of text that a file may expand to, 0 = maxText
}

// Extract returns the text of a file with this name, whose ending decides the format.
// Errors: unsupported_media, nothing_to_speak, body_too_large, runtime_missing (a PDF file without pdftotext), cancelled.
func (e *Extractor) Extract(ctx context.Context, name string, raw []byte) (Document, error) {
	return e.ExtractAs(ctx, name, "", raw)
}

// ExtractAs is Extract of a file in this character encoding, empty for the one that is found.
// Error beside those of Extract: a validation error for an unknown encoding.
func (e *Extractor) ExtractAs(ctx context.Context, name, encoding string, raw []byte) (Document, error) {
	if len(raw) > MaxFile {
		return Document{}, errTooLarge(MaxFile)
	}
	f, title, err := known(name, encoding)
	if err != nil {
		return Document{}, err
	}
	s := e.source(f.name, encoding)
	s.raw, s.zip, s.size = raw, bytes.NewReader(raw), int64(len(raw))
	text, err := f.read(ctx, e, s)
	if err != nil {
		return Document{}, err
	}
	s.noteEncoding()
	s.doc.HasTitle = s.doc.Title != ""
	if s.doc.Title = cmp.Or(s.doc.Title, title); utf8.RuneCountInString(s.doc.Title) > blocks.MaxTitle {
		s.doc.Title = backend.FirstWords(s.doc.Title, blocks.MaxTitle)
	}
	if s.doc.Text = tidy(text); !backend.Speakable(s.doc.Text) {
		return Document{}, errNothingToSpeak(f.name)
	}
	return s.doc, nil
}

// errUnsupported returns the error for a file whose text cannot be read. The page chooses its sentence by reason.
func errUnsupported(reason, detail string) *backend.Error {
	remedy := fmt.Sprintf("Give a %s file, or paste the text.", EndingList())
	return backend.E(backend.CodeUnsupportedMedia, detail, remedy).With("reason", reason)
}

const reasonTooMuch = "too_much"

// errTooMuch returns the error for a file over the limits.
func errTooMuch() *backend.Error {
	return errUnsupported(reasonTooMuch, "This file expands to too much text.")
}

// errNothingToSpeak returns the error for a file without letters and digits.
func errNothingToSpeak(format string) error {
	remedy := "Choose another file."
	if format == "pdf" {
		remedy = "Its pages may be pictures: let a program for text recognition (OCR) read them first."
	}
	return backend.E(backend.CodeNothingToSpeak, "There is no text in this file.", remedy)
}

// tidy returns s without white space at the ends of lines and without consecutive empty lines.
func tidy(s string) string {
	var out strings.Builder
	out.Grow(len(s))
	empty := 0
	for line := range strings.SplitSeq(s, "\n") {
		line = strings.TrimSuffix(strings.TrimRightFunc(line, unicode.IsSpace), prose.WordGoesOn)
		if line == "" {
			empty++
			continue
		}
		if out.Len() > 0 {
			out.WriteByte('\n')
			if empty > 0 {
				out.WriteByte('\n')
			}
		}
		empty = 0
		out.WriteString(line)
	}
	return strings.TrimSpace(out.String())
}
