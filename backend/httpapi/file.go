package httpapi

import (
	"io"
	"os"
	"path/filepath"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/voicewright/voicewright/backend"
)

// attachment answers with a file that is written to disk first, so that memory stays flat and a failure has its own status.
func attachment(name string, write func(io.Writer) error) (*huma.StreamResponse, error) {
	f, err := os.CreateTemp("", "voicewright-*")
	if err != nil {
		return nil, backend.FileError("make a temporary file", "the temporary directory", err)
	}
	drop := func() { _, _ = f.Close(), os.Remove(f.Name()) }
	if err := write(f); err != nil {
		drop()
		return nil, backend.FileError("write the file", "the temporary directory", err)
	}
	return &huma.StreamResponse{Body: func(c huma.Context) {
		defer drop()
		_, w := humago.Unwrap(c)
		attach(w, name, exportTypes[filepath.Ext(name)])
		if _, err := f.Seek(0, io.SeekStart); err == nil {
			_, _ = io.Copy(w, f) // a client that left cannot be told
		}
	}}, nil
}
