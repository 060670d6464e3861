package extract

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/charset"
	"github.com/voicewright/voicewright/backend/extract/internal/blocks"
	"github.com/voicewright/voicewright/backend/extract/internal/classes"
	"github.com/voicewright/voicewright/backend/extract/internal/docx"
	"github.com/voicewright/voicewright/backend/extract/internal/parts"
)

// MaxBook is the largest zip file (EPUB, Word) that Book reads, in bytes. Other files are read up to MaxFile.
const MaxBook = 500_000_000

// Book is the manuscript in a file.
type Book struct {
	backend.Manuscript
	Format   string // the kind of the file
	Encoding string // character encoding that the file was read in; empty for kinds that have none
	Notes    []Note // what was changed, or could not be read
}

// Book returns the manuscript in the file at path, with every word of it: what need not be read aloud has a class. name decides the
// format by its ending, encoding is that of the user, empty for the one that is found. Zip files are unpacked part by part, others
// are read into memory. Errors: those of ExtractAs and of opening the file.
func (e *Extractor) Book(ctx context.Context, name, encoding, path string) (_ Book, err error) {
	f, title, err := known(name, encoding)
	if err != nil {
		return Book{}, err
	}
	file, err := os.Open(path) //nolint:gosec // the caller chooses the file
	if err != nil {
		return Book{}, backend.FileError("open", path, err)
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil {
		return Book{}, backend.FileError("read", path, err)
	}
	s := e.source(f.name, encoding)
	s.zip, s.size = file, info.Size()
	limit := int64(MaxFile)
	if f.zip {
		limit = MaxBook
	}
	if s.size > limit {
		return Book{}, errTooLarge(limit)
	}
	if !f.zip {
		if s.raw, err = io.ReadAll(io.LimitReader(file, limit)); err != nil {
			return Book{}, backend.FileError("read", path, err)
		}
	}
	if err := f.readBook(ctx, e, s); err != nil {
		return Book{}, err
	}
	return s.finishBook(title)
}

// known returns the format of a file with a name, and the name without its ending.
func known(name, encoding string) (_ format, title string, err error) {
	name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	ending := path.Ext(name)
	f, ok := formatOf(ending)
	switch {
	case !ok && strings.EqualFold(ending, ".doc"):
		return format{}, "", docx.OldWord()
	case !ok:
		return format{}, "", errUnsupported("kind", "Files of this kind cannot be read aloud.")
	}
	if encoding != "" {
		if _, err := charset.Check(encoding); err != nil {
			return format{}, "", err
		}
	}
	return f, backend.OneLine(strings.TrimSuffix(name, ending)), nil
}

// source returns a source of a file of a format.
func (e *Extractor) source(format, encoding string) *source {
	return &source{
		limit: cmp.Or(e.limit, maxText), encoding: encoding, leftOut: parts.Counts{}, doc: Document{Format: format, Notes: []Note{}},
	}
}

// errTooLarge returns the error for a file of more than limit bytes.
func errTooLarge(limit int64) error {
	return backend.E(backend.CodeBodyTooLarge, "The file is too large.",
		fmt.Sprintf("Files of up to %d MB are read; take a part of it.", limit/1_000_000)).With("limit_bytes", limit)
}

// readBook fills in the manuscript of the source. A format without blocks of its own has the paragraphs of its text.
func (f format) readBook(ctx context.Context, e *Extractor, s *source) error {
	if f.book != nil {
		return f.book(ctx, e, s)
	}
	text, err := f.read(ctx, e, s)
	s.book.Blocks = blocks.Paragraphs(tidy(text))
	return err
}

// finishBook returns the book, with the title where the file has none.
func (s *source) finishBook(title string) (Book, error) {
	s.noteEncoding()
	classes.References(s.book.Blocks)
	s.book.Blocks = blocks.WithoutScenes(s.book.Blocks)
	s.book.Title = cmp.Or(s.book.Title, s.doc.Title, title)
	for _, b := range s.book.Blocks {
		for _, span := range b.Spans {
			if backend.Speakable(span.Text) || backend.Speakable(span.Say) {
				return Book{s.book, s.doc.Format, s.doc.Encoding, s.doc.Notes}, nil
			}
		}
	}
	return Book{}, errNothingToSpeak(s.doc.Format)
}
