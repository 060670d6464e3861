// Package archive lists the files of a zip file and unpacks no more of them than it may.
package archive

import (
	"archive/zip"
	"bytes"
	"cmp"
	"errors"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

const maxEntries = 20_000 // files in an archive

// ErrTooMuch is the error of an archive with more files, or of more bytes, than the limits.
var ErrTooMuch = errors.New("more than the limits")

// Archive is a zip file. Its names are looked up in memory only; nothing is written to the disk.
type Archive struct {
	files  map[string]*zip.File // by their clean names
	folded map[string]*zip.File // and without case
	Left   int64                // bytes that may still be unpacked
}

// Open returns an archive that unpacks at most limit bytes. Of files with the same name the last one counts. Errors: ErrTooMuch, and
// those of a file that is no archive.
func Open(file io.ReaderAt, size, limit int64) (*Archive, error) {
	// Every entry of the list has this signature, so a list that is too long is not read into memory.
	if n, err := Occurrences(file, size, "PK\x01\x02"); err != nil || n > maxEntries {
		return nil, cmp.Or(err, ErrTooMuch)
	}
	r, err := zip.NewReader(file, size)
	if err != nil {
		return nil, err
	}
	a := &Archive{files: map[string]*zip.File{}, folded: map[string]*zip.File{}, Left: limit}
	for _, f := range r.File {
		name := Clean(f.Name)
		if name == "" || strings.HasSuffix(f.Name, "/") {
			continue
		}
		a.files[name], a.folded[Fold(name)] = f, f
	}
	return a, nil
}

// Names returns the clean names of the files, sorted.
func (a *Archive) Names() []string { return slices.Sorted(maps.Keys(a.files)) }

// FoldedNames returns the names of the files without case, as Fold returns them, sorted.
func (a *Archive) FoldedNames() []string { return slices.Sorted(maps.Keys(a.folded)) }

// Occurrences returns how many times a file contains text.
func Occurrences(file io.ReaderAt, size int64, text string) (n int, err error) {
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

// Clean returns a name in the archive as others refer to it; its root is the end of every way up.
func Clean(name string) string {
	return strings.TrimLeft(path.Clean("/"+strings.ReplaceAll(name, `\`, "/")), "/")
}

// Fold returns a name for comparing it without case; macOS writes accents in another way.
func Fold(name string) string { return strings.ToLower(norm.NFC.String(name)) }

// Find returns the file with a name.
func (a *Archive) Find(name string) *zip.File {
	name = Clean(name)
	if f, ok := a.files[name]; ok {
		return f
	}
	return a.folded[Fold(name)]
}
