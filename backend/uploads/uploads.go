// Package uploads reads the text of uploaded files, as many at once as memory allows.
package uploads

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/extract"
	"github.com/voicewright/voicewright/backend/files"
)

// Reader reads files. It is safe for concurrent use.
type Reader struct {
	extractor *extract.Extractor
	memory    *semaphore
}

// NewReader returns a reader of what e can extract.
func NewReader(e *extract.Extractor) *Reader { return &Reader{e, newSemaphore()} }

// Read returns the text of a file of this size, in bytes, once there is enough memory for it: large files wait for each other.
// encoding and errors: those of extract.Extractor.ExtractAs.
func (r *Reader) Read(ctx context.Context, name, encoding string, bytes int64, file io.Reader) (extract.Document, error) {
	release, err := r.memory.acquire(ctx, bytes)
	if err != nil {
		return extract.Document{}, err
	}
	defer release()
	raw, err := io.ReadAll(io.LimitReader(file, extract.MaxFile+1))
	if err != nil {
		return extract.Document{}, fmt.Errorf("read the file: %w", err)
	}
	return r.extractor.ExtractAs(ctx, name, encoding, raw)
}

// Book returns the manuscript of the file at path, once there is enough memory for it, with what identifies the file. name and encoding
// are those of the user; errors: those of extract.Extractor.Book.
func (r *Reader) Book(ctx context.Context, name, encoding, path string) (extract.Book, backend.BookSource, error) {
	source := backend.BookSource{Name: name}
	info, err := os.Stat(path)
	if err != nil {
		return extract.Book{}, source, backend.FileError("read", "the uploaded file", err)
	}
	source.Bytes = info.Size()
	release, err := r.memory.acquire(ctx, source.Bytes)
	if err != nil {
		return extract.Book{}, source, err
	}
	defer release()
	book, err := r.extractor.Book(ctx, name, encoding, path)
	if err != nil {
		return extract.Book{}, source, err
	}
	source.SHA256, err = files.SHA256(ctx, path)
	return book, source, err
}
