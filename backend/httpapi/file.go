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

// spareSpace is how many bytes an export leaves free on the disk for everything else.
const spareSpace = 50_000_000

// attachment answers with a file that is written to disk first, so that memory stays flat and a failure has its own status.
// need is how many bytes it takes, where that is known before.
func (a *API) attachment(
	ctx context.Context, name string, need int64, write func(io.Writer) error,
) (*huma.StreamResponse, error) {
	if err := a.checkSpace(ctx, need); err != nil {
		return nil, err
	}
	f, err := os.CreateTemp(a.opts.TempDir, "export-*")
	if err != nil {
		return nil, backend.FileError("make the export file", "the data directory", err)
	}
	drop := func() { _, _ = f.Close(), os.Remove(f.Name()) }
	if err := write(f); err != nil {
		drop()
		return nil, backend.FileError("write the export file", "the data directory", err)
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

// checkSpace refuses an export for which the disk has no room. Error: insufficient_disk.
func (a *API) checkSpace(ctx context.Context, need int64) error {
	if a.opts.FreeSpace == nil {
		return nil
	}
	free, known := a.opts.FreeSpace(ctx)
	if !known || free >= need+spareSpace {
		return nil
	}
	const mb = 1_000_000
	return backend.E(backend.CodeInsufficientDisk,
		fmt.Sprintf("The export needs %d MB, and the disk of the data directory has %d MB free.", (need+spareSpace+mb-1)/mb, free/mb),
		"Free some space, or export fewer at a time.").With("needed", need+spareSpace).With("free", free)
}
