// Package docx reads Word documents (ECMA-376): their paragraphs, tables, lists and notes as text, or as the blocks of a manuscript.
package docx

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/extract/internal/archive"
	"github.com/voicewright/voicewright/backend/extract/internal/parts"
	"github.com/voicewright/voicewright/backend/extract/internal/prose"
)

// File is a Word document to be read.
type File struct {
	In    io.ReaderAt
	Size  int64 // of In, in bytes
	Limit int64 // bytes that it may expand to
}

// Result is what was read of a Word document.
type Result struct {
	Text    string          // by Text
	Blocks  []backend.Block // by Book
	Title   string          // empty where the document has none
	Damaged bool            // its end is missing
	Left    parts.Counts    // what was left out

	Authors               []string // by Book, as the following
	Language, Description string
}

// ErrNotWord is the error of a file that is no Word document.
var ErrNotWord = errors.New("no Word document")

// openFile is an open Word document. Its parts are unpacked as they are read.
type openFile struct {
	archive *archive.Archive
	ctx     context.Context //nolint:containedctx // of the one call that reads the file
}

// Text returns the text of a Word document (ECMA-376): its paragraphs, with the rows of tables and the items of lists on
// lines of their own. Insertions are read and deletions are not; notes, comments, headers and footers are left out and counted.
// Errors: ErrNotWord, archive.ErrTooMuch, unsupported_media, cancelled.
func (f File) Text(ctx context.Context) (Result, error) {
	r := &reader{leftOut: parts.Counts{}}
	properties, err := r.readFile(ctx, f)
	if err != nil {
		return Result{}, err
	}
	return Result{Text: r.text(), Title: prose.Title(properties.Title, r.title), Damaged: r.damaged, Left: r.leftOut}, nil
}

// coreProperties are the properties of a document that a book has too.
type coreProperties struct {
	Title       string `xml:"title"`
	Creator     string `xml:"creator"`
	Language    string `xml:"language"`
	Description string `xml:"description"`
}

// readFile reads a document and its properties, and counts what is left out.
func (r *reader) readFile(ctx context.Context, f File) (properties coreProperties, err error) {
	w, err := open(ctx, f)
	if err != nil {
		return properties, err
	}
	main := w.part("officeDocument", "word/document.xml")
	folder := path.Dir(main)
	r.styles = w.styles(path.Join(folder, "styles.xml"))
	if r.book != nil {
		r.readBookParts(w, folder)
	}
	err = w.read(main, r.document)
	if err != nil && (errors.Is(err, archive.ErrTooMuch) || ctx.Err() != nil || len(r.paragraphs) == 0) {
		return properties, w.failure(ctx, err)
	}
	r.damaged = err != nil
	var read coreProperties
	if w.read(w.part("core-properties", "docProps/core.xml"), func(d *xml.Decoder) error { return d.Decode(&read) }) == nil {
		properties = read
	}
	r.leftOut[parts.Headers] = w.marginal(folder)
	return properties, nil
}

// compoundFile is how the files of Microsoft's older format begin, which also holds encrypted documents.
const compoundFile = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

// open returns a Word document after looking at the list of its files.
func open(ctx context.Context, f File) (*openFile, error) {
	start := make([]byte, len(compoundFile))
	if n, _ := f.In.ReadAt(start, 0); string(start[:n]) == compoundFile {
		const encrypted = "E\x00n\x00c\x00r\x00y\x00p\x00t\x00e\x00d\x00P\x00a\x00c\x00k\x00a\x00g\x00e\x00"
		if n, _ := archive.Occurrences(f.In, f.Size, encrypted); n > 0 {
			return nil, backend.E(backend.CodeUnsupportedMedia, "This Word document is protected with a password.",
				"Open it in Word or LibreOffice, remove the password and save it again.").With("reason", "password")
		}
		return nil, OldWord()
	}
	a, err := archive.Open(f.In, f.Size, f.Limit)
	switch {
	case errors.Is(err, archive.ErrTooMuch):
		return nil, err
	case err != nil:
		return nil, notWord(err)
	}
	return &openFile{archive: a, ctx: ctx}, nil
}

// OldWord returns the error for a document of Word 97 to 2003.
func OldWord() error {
	return backend.E(backend.CodeUnsupportedMedia, "This is a document in the older Word format (.doc).",
		"Open it in Word or LibreOffice and save it as .docx.").With("reason", "old_word")
}

// notWord returns ErrNotWord with its cause.
func notWord(cause error) error { return fmt.Errorf("%w: %w", ErrNotWord, cause) }

// failure returns the error for the caller.
func (w *openFile) failure(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return backend.ErrCancelled.WithCause(ctx.Err())
	case errors.Is(err, archive.ErrTooMuch):
		return archive.ErrTooMuch
	}
	return notWord(err)
}

// part returns the name of the part of a kind by the relationships of the file, else the usual one.
func (w *openFile) part(kind, usual string) string {
	var list struct {
		Items []struct {
			Type   string `xml:"Type,attr"`
			Target string `xml:"Target,attr"`
		} `xml:"Relationship"`
	}
	if w.read("_rels/.rels", func(d *xml.Decoder) error { return d.Decode(&list) }) == nil {
		for _, item := range list.Items {
			if strings.HasSuffix(item.Type, "/"+kind) && w.archive.Find(item.Target) != nil {
				return item.Target
			}
		}
	}
	return usual
}

// marginal returns how many headers and footers have text.
func (w *openFile) marginal(folder string) int {
	n := 0
	for _, name := range w.archive.FoldedNames() {
		base := path.Base(name)
		if path.Dir(name) != archive.Fold(archive.Clean(folder)) || !strings.HasPrefix(base, "header") && !strings.HasPrefix(base, "footer") {
			continue
		}
		r := &reader{leftOut: parts.Counts{}}
		if w.read(name, r.document) == nil && backend.Speakable(r.text()) {
			n++
		}
	}
	return n
}

// read calls decode with one part, which is unpacked within the limits.
func (w *openFile) read(name string, decode func(*xml.Decoder) error) error {
	f := w.archive.Find(name)
	if f == nil {
		return fmt.Errorf("%q is missing", name)
	}
	in, err := f.Open()
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	d := xml.NewDecoder(&limitedPart{w, in})
	d.Strict = false
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // UTF-8, whatever it says
	return decode(d)
}

// limitedPart reads a part and counts its unpacked bytes.
type limitedPart struct {
	w  *openFile
	in io.Reader
}

// Read implements io.Reader. Errors: archive.ErrTooMuch, and that of the context.
func (p *limitedPart) Read(out []byte) (int, error) {
	if err := p.w.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := p.in.Read(out)
	if p.w.archive.Left -= int64(n); p.w.archive.Left < 0 {
		return 0, archive.ErrTooMuch
	}
	return n, err
}
