package extract

import (
	"cmp"
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

// wordFile is a Word document. Its parts are unpacked as they are read.
type wordFile struct {
	archive *archive.Archive
	ctx     context.Context //nolint:containedctx // of the one call that reads the file
}

// readDocx returns the text of a Word document (ECMA-376): its paragraphs, with the rows of tables and the items of lists on
// lines of their own. Insertions are read and deletions are not; notes, comments, headers and footers are left out and named.
func readDocx(ctx context.Context, _ *Extractor, s *source) (string, error) {
	r := &wordReader{leftOut: s.leftOut}
	properties, err := r.readFile(ctx, s)
	if err != nil {
		return "", err
	}
	s.doc.Title = prose.Title(properties.Title, cmp.Or(r.title, s.doc.Title))
	return r.text(), nil
}

// wordProperties are the properties of a document that a book has too.
type wordProperties struct {
	Title       string `xml:"title"`
	Creator     string `xml:"creator"`
	Language    string `xml:"language"`
	Description string `xml:"description"`
}

// readFile reads a document and its properties, and names what is left out.
func (r *wordReader) readFile(ctx context.Context, s *source) (properties wordProperties, err error) {
	w, err := openWord(ctx, s)
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
	if err != nil {
		s.noteDamaged()
	}
	var read wordProperties
	if w.read(w.part("core-properties", "docProps/core.xml"), func(d *xml.Decoder) error { return d.Decode(&read) }) == nil {
		properties = read
	}
	s.leftOut[parts.Headers] = w.marginal(folder)
	s.noteLeftOut()
	return properties, nil
}

// compoundFile is how the files of Microsoft's older format begin, which also holds encrypted documents.
const compoundFile = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

// openWord returns a Word document after looking at the list of its files.
func openWord(ctx context.Context, s *source) (*wordFile, error) {
	start := make([]byte, len(compoundFile))
	if n, _ := s.zip.ReadAt(start, 0); string(start[:n]) == compoundFile {
		const encrypted = "E\x00n\x00c\x00r\x00y\x00p\x00t\x00e\x00d\x00P\x00a\x00c\x00k\x00a\x00g\x00e\x00"
		if n, _ := archive.Occurrences(s.zip, s.size, encrypted); n > 0 {
			return nil, backend.E(backend.CodeUnsupportedMedia, "This Word document is protected with a password.",
				"Open it in Word or LibreOffice, remove the password and save it again.").With("reason", "password")
		}
		return nil, errOldWord()
	}
	a, err := archive.Open(s.zip, s.size, s.limit)
	switch {
	case errors.Is(err, archive.ErrTooMuch):
		return nil, errTooMuch()
	case err != nil:
		return nil, errNotWord(err)
	}
	return &wordFile{archive: a, ctx: ctx}, nil
}

// errOldWord returns the error for a document of Word 97 to 2003.
func errOldWord() error {
	return backend.E(backend.CodeUnsupportedMedia, "This is a document in the older Word format (.doc).",
		"Open it in Word or LibreOffice and save it as .docx.").With("reason", "old_word")
}

// errNotWord returns the error for a file that is no Word document.
func errNotWord(cause error) error {
	return errUnsupported("no_word", "This isn’t a Word document (.docx), or it is damaged.").WithCause(cause)
}

// failure returns the error for the caller.
func (w *wordFile) failure(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return backend.ErrCancelled.WithCause(ctx.Err())
	case errors.Is(err, archive.ErrTooMuch):
		return errTooMuch()
	}
	return errNotWord(err)
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
