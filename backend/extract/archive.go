package extract

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/voicewright/voicewright/backend/charset"
)

// The limits of an archive.
const (
	maxEntries = 20_000     // files in the archive
	maxPart    = 16_000_000 // bytes of one file, unpacked
)

// archive is a zip file. Its names are looked up in memory only; nothing is written to the disk.
type archive struct {
	files  map[string]*zip.File // by their clean names
	folded map[string]*zip.File // and without case
	left   int64                // bytes that may still be unpacked
}

// openArchive returns an archive that unpacks at most limit bytes. Of files with the same name the last one counts. invalid returns
// the error for a file that is no archive.
func openArchive(file io.ReaderAt, size, limit int64, invalid func(cause error) error) (*archive, error) {
	// Every entry of the list has this signature, so a list that is too long is not read into memory.
	if n, err := occurrences(file, size, "PK\x01\x02"); err != nil || n > maxEntries {
		if err != nil {
			return nil, invalid(err)
		}
		return nil, errTooMuch()
	}
	r, err := zip.NewReader(file, size)
	if err != nil {
		return nil, invalid(err)
	}
	a := &archive{files: map[string]*zip.File{}, folded: map[string]*zip.File{}, left: limit}
	for _, f := range r.File {
		name := cleanName(f.Name)
		if name == "" || strings.HasSuffix(f.Name, "/") {
			continue
		}
		a.files[name], a.folded[foldName(name)] = f, f
	}
	return a, nil
}

// occurrences returns how many times a file contains text.
func occurrences(file io.ReaderAt, size int64, text string) (n int, err error) {
	in := io.NewSectionReader(file, 0, size)
	part := make([]byte, 1<<18)
	kept := 0 // bytes of the part before, where text may begin
	for {
		read, err := in.Read(part[kept:])
		seen := part[:kept+read]
		n += bytes.Count(seen, []byte(text))
		kept = copy(part, seen[max(0, len(seen)-len(text)+1):])
		if errors.Is(err, io.EOF) {
			return n, nil
		}
		if err != nil {
			return 0, err
		}
	}
}

// cleanName returns a name in the archive as others refer to it; its root is the end of every way up.
func cleanName(name string) string {
	return strings.TrimLeft(path.Clean("/"+strings.ReplaceAll(name, `\`, "/")), "/")
}

// foldName returns a name for comparing it without case; macOS writes accents in another way.
func foldName(name string) string { return strings.ToLower(norm.NFC.String(name)) }

// find returns the file with a name.
func (a *archive) find(name string) *zip.File {
	name = cleanName(name)
	if f, ok := a.files[name]; ok {
		return f
	}
	return a.folded[foldName(name)]
}

// file unpacks one file within the limits.
func (a *archive) file(name string) ([]byte, error) {
	raw, err := a.unpack(name, min(maxPart, a.left))
	a.left -= int64(len(raw))
	if err != nil {
		return nil, err
	}
	return raw, nil
}

// unpack unpacks one file of at most limit bytes. What was read of a larger one comes with the error.
func (a *archive) unpack(name string, limit int64) ([]byte, error) {
	f := a.find(name)
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
func (a *archive) xml(name string, out any) error {
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
