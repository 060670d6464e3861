package httpapi

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/voicewright/voicewright/backend"
)

// spareSpace is the free space in bytes that an export leaves on the disk.
const spareSpace = 50_000_000

// attachment responds with a file that is written to disk first, so that memory use is constant and a failure has its own
// status. need is its size in bytes, 0 where unknown.
func (a *API) attachment(
	ctx context.Context, name string, need int64, write func(io.Writer) error,
) (*huma.StreamResponse, error) {
	if err := a.checkSpace(ctx, "The export", need); err != nil {
		return nil, err
	}
	f, err := os.CreateTemp(a.opts.TempDir, "export-*")
	if err != nil {
		return nil, backend.FileError("create the export file", "the data directory", err)
	}
	discard := func() { _, _ = f.Close(), os.Remove(f.Name()) }
	if err := write(f); err != nil {
		discard()
		return nil, backend.FileError("write the export file", "the data directory", err)
	}
	return &huma.StreamResponse{Body: func(c huma.Context) {
		defer discard()
		_, w := humago.Unwrap(c)
		attach(w, name, exportTypes[filepath.Ext(name)])
		if _, err := f.Seek(0, io.SeekStart); err == nil {
			_, _ = io.Copy(w, f) // the client may have disconnected
		}
	}}, nil
}

// checkSpace returns an error if the disk has too little space for a file of need bytes; what names it at the start of a
// sentence. Error: insufficient_disk.
func (a *API) checkSpace(ctx context.Context, what string, need int64) error {
	if a.opts.FreeSpace == nil {
		return nil
	}
	free, known := a.opts.FreeSpace(ctx)
	if !known || free >= need+spareSpace {
		return nil
	}
	const mb = 1_000_000
	return backend.E(backend.CodeInsufficientDisk,
		fmt.Sprintf("%s needs %d MB, and the disk of the data directory has %d MB free.", what, (need+spareSpace+mb-1)/mb, free/mb),
		"Free some space, then try again.").With("needed", need+spareSpace).With("free", free)
}
