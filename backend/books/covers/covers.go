// Package covers stores the pictures of books, each in the folder of its book.
package covers

import (
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/files"
)

// Covers are the files in a folder.
type Covers struct {
	Dir string
	Log *slog.Logger
}

// Name returns the name of the file of a cover. Other pictures have other names, so that a book never has the picture of a change that was
// not completed.
func Name(data []byte) string { return "cover-" + backend.BookKey(data) + backend.CoverExtension(data) }

func (c Covers) folder(book string) string { return filepath.Join(c.Dir, filepath.Base(book)) }

// Path returns the path of a cover.
func (c Covers) Path(book, name string) string {
	return filepath.Join(c.folder(book), filepath.Base(name))
}

// Write writes a cover of a book.
func (c Covers) Write(book, name string, data []byte) error {
	err := os.MkdirAll(c.folder(book), 0o700)
	if err == nil {
		err = files.Write(c.Path(book, name), data, 0o600)
	}
	return backend.FileError("write the cover", "the data directory", err)
}

// Keep removes the covers of a book but the one with a name; all for an empty one.
func (c Covers) Keep(book, name string) {
	if name == "" {
		c.Remove(book)
		return
	}
	found, err := os.ReadDir(c.folder(book))
	for _, f := range found {
		if f.Name() != name {
			err = errors.Join(err, files.RemoveAll(c.Path(book, f.Name())))
		}
	}
	c.warn(book, err)
}

// Remove removes the covers of a book.
func (c Covers) Remove(book string) { c.warn(book, files.RemoveAll(c.folder(book))) }

// Use returns how many covers there are, and how large they are together.
func (c Covers) Use() (n int, bytes int64, err error) {
	err = filepath.WalkDir(c.Dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			n, bytes = n+1, bytes+info.Size()
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) { // no book ever had one, or one was replaced meanwhile
		err = nil
	}
	return n, bytes, backend.FileError("measure the covers", "the data directory", err)
}

func (c Covers) warn(book string, err error) {
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		c.Log.Warn("remove the cover of a book", "id", book, "error", err)
	}
}

// Sweep removes what no book has, by the names of the covers of all books: what a change left behind when the program was killed.
func (c Covers) Sweep(names map[string]string) {
	found, err := os.ReadDir(c.Dir)
	c.warn("", err)
	for _, f := range found {
		c.Keep(f.Name(), names[f.Name()])
	}
}
