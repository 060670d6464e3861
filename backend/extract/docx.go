package extract

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

// docxFile is a Word document to be read.
type docxFile struct {
	in    io.ReaderAt
	size  int64 // of in, in bytes
	limit int64 // bytes that it may expand to
}

// docxResult is what was read of a Word document.
type docxResult struct {
	text    string          // by readText
	blocks  []backend.Block // by readBook
	title   string          // empty where the document has none
	damaged bool            // its end is missing
	left    parts.Counts    // what was left out

	authors               []string // by readBook, as the following
	language, description string
}

// errNotWord is the error of a file that is no Word document.
var errNotWord = errors.New("no Word document")

// wordFile is an open Word document. Its parts are unpacked as they are read.
type wordFile struct {
	archive *archive.Archive
	ctx     context.Context //nolint:containedctx // of the one call that reads the file
}

// readText returns the text of a Word document (ECMA-376): its paragraphs, with the rows of tables and the items of lists on
// lines of their own. Insertions are read and deletions are not; notes, comments, headers and footers are left out and counted.
// Errors: errNotWord, archive.ErrTooMuch, unsupported_media, cancelled.
func (f docxFile) readText(ctx context.Context) (docxResult, error) {
	r := &wordReader{leftOut: parts.Counts{}}
	properties, err := r.readFile(ctx, f)
	if err != nil {
		return docxResult{}, err
	}
	return docxResult{text: r.text(), title: prose.Title(properties.Title, r.title), damaged: r.damaged, left: r.leftOut}, nil
}

// wordProperties are the properties of a document that a book has too.
type wordProperties struct {
	Title       string `xml:"title"`
	Creator     string `xml:"creator"`
	Language    string `xml:"language"`
	Description string `xml:"description"`
}

// readFile reads a document and its properties, and counts what is left out.
func (r *wordReader) readFile(ctx context.Context, f docxFile) (properties wordProperties, err error) {
	w, err := openWord(ctx, f)
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
	var read wordProperties
	if w.read(w.part("core-properties", "docProps/core.xml"), func(d *xml.Decoder) error { return d.Decode(&read) }) == nil {
		properties = read
	}
	r.leftOut[parts.Headers] = w.marginal(folder)
	return properties, nil
}

// compoundFile is how the files of Microsoft's older format begin, which also holds encrypted documents.
const compoundFile = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

// openWord returns a Word document after looking at the list of its files.
func openWord(ctx context.Context, f docxFile) (*wordFile, error) {
	start := make([]byte, len(compoundFile))
	if n, _ := f.in.ReadAt(start, 0); string(start[:n]) == compoundFile {
		const encrypted = "E\x00n\x00c\x00r\x00y\x00p\x00t\x00e\x00d\x00P\x00a\x00c\x00k\x00a\x00g\x00e\x00"
		if n, _ := archive.Occurrences(f.in, f.size, encrypted); n > 0 {
			return nil, backend.E(backend.CodeUnsupportedMedia, "This Word document is protected with a password.",
				"Open it in Word or LibreOffice, remove the password and save it again.").With("reason", "password")
		}
		return nil, oldWord()
	}
	a, err := archive.Open(f.in, f.size, f.limit)
	switch {
	case errors.Is(err, archive.ErrTooMuch):
		return nil, err
	case err != nil:
		return nil, notWord(err)
	}
	return &wordFile{archive: a, ctx: ctx}, nil
}

// oldWord returns the error for a document of Word 97 to 2003.
func oldWord() error {
	return backend.E(backend.CodeUnsupportedMedia, "This is a document in the older Word format (.doc).",
		"Open it in Word or LibreOffice and save it as .docx.").With("reason", "old_word")
}

// notWord returns errNotWord with its cause.
func notWord(cause error) error { return fmt.Errorf("%w: %w", errNotWord, cause) }

// failure returns the error for the caller.
func (w *wordFile) failure(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return backend.ErrCancelled.WithCause(ctx.Err())
	case errors.Is(err, archive.ErrTooMuch):
		return archive.ErrTooMuch
	}
	return notWord(err)
}

// part returns the name of the part of a kind by the relationships of the file, else the usual one.
func (w *wordFile) part(kind, usual string) string {
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
func (w *wordFile) marginal(folder string) int {
	n := 0
	for _, name := range w.archive.FoldedNames() {
		base := path.Base(name)
		if path.Dir(name) != archive.Fold(archive.Clean(folder)) || !strings.HasPrefix(base, "header") && !strings.HasPrefix(base, "footer") {
			continue
		}
		r := &wordReader{leftOut: parts.Counts{}}
		if w.read(name, r.document) == nil && backend.Speakable(r.text()) {
			n++
		}
	}
	return n
}

// read calls decode with one part, which is unpacked within the limits.
func (w *wordFile) read(name string, decode func(*xml.Decoder) error) error {
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
	w  *wordFile
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
