package hubtest

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Content is the content of a file, see Bytes, Zeros and Dir.
type Content interface {
	io.ReaderAt
	Size() int64
}

// Bytes returns content with these bytes.
func Bytes(b []byte) Content { return bytes.NewReader(b) }

// Zeros is content of that many zero bytes, which needs no memory.
type Zeros int64

// Size returns the number of bytes.
func (z Zeros) Size() int64 { return int64(z) }

// ReadAt reads zeros.
func (z Zeros) ReadAt(p []byte, off int64) (int, error) {
	n := min(int64(len(p)), int64(z)-off)
	if n <= 0 {
		return 0, io.EOF
	}
	clear(p[:n])
	if n < int64(len(p)) {
		return int(n), io.EOF
	}
	return int(n), nil
}

// Dir returns the files of a directory, read into memory.
func Dir(dir string) (map[string]Content, error) {
	files := map[string]Content{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		files[filepath.ToSlash(rel)] = Bytes(raw)
		return err
	})
	return files, err
}
