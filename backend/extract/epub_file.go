package extract

import (
	"archive/zip"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/voicewright/voicewright/backend/charset"
	"github.com/voicewright/voicewright/backend/extract/internal/archive"
)

const maxPart = 16_000_000 // bytes of one file of an EPUB file, unpacked

// epubFile is the archive of an EPUB file. Nothing is written to the disk.
type epubFile struct {
	*archive.Archive
}

// openEPUBFile returns the archive of the source.
func (s *source) openEPUBFile() (*epubFile, error) {
	a, err := archive.Open(s.zip, s.size, s.limit)
	switch {
	case errors.Is(err, archive.ErrTooMuch):
		return nil, errTooMuch()
	case err != nil:
		return nil, errNotEPUB(err)
	}
	return &epubFile{a}, nil
}

// file unpacks one file within the limits.
func (a *epubFile) file(name string) ([]byte, error) {
	raw, err := a.unpack(name, min(maxPart, a.Left))
	a.Left -= int64(len(raw))
	if err != nil {
		return nil, err
	}
	return raw, nil
}

// unpack unpacks one file of at most limit bytes. What was read of a larger one comes with the error.
func (a *epubFile) unpack(name string, limit int64) ([]byte, error) {
	f := a.Find(name)
	if f == nil {
		return nil, errNotEPUB(fmt.Errorf("%q is missing", name))
	}
	if f.UncompressedSize64 > uint64(limit) {
		return nil, errTooMuch()
	}
	r, err := f.Open()
	if err != nil {
		return nil, errNotEPUB(err)
	}
	defer func() { _ = r.Close() }()
	raw, err := io.ReadAll(io.LimitReader(r, limit+1)) // the size in the list may be wrong
	switch {
	case int64(len(raw)) > limit, errors.Is(err, zip.ErrFormat): // it is longer than it says
		return raw, errTooMuch()
	case err != nil:
		return raw, errNotEPUB(err)
	}
	return raw, nil
}

// xml decodes one XML file into out, with the small faults that readers of books overlook, such as a bare &.
func (a *epubFile) xml(name string, out any) error {
	raw, err := a.file(name)
	if err != nil {
		return err
	}
	text, err := charset.Decode(raw, "", charset.Declared(raw))
	if err != nil {
		return errNoText().WithCause(err)
	}
	d := xml.NewDecoder(strings.NewReader(text.Text))
	d.Strict, d.Entity = false, xml.HTMLEntity
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // it is UTF-8 already
	if err := d.Decode(out); err != nil {
		return errNotEPUB(fmt.Errorf("read %s: %w", name, err))
	}
	return nil
}
