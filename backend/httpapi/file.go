package httpapi

import (
	"context"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
	"github.com/google/uuid"

	"github.com/voicewright/voicewright/backend"
)

// spareSpace is the free space in bytes that an export leaves on the disk.
const spareSpace = 50_000_000

// docxType is the media type of Word documents.
const docxType = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

// exportTypes are the content types of exports other than audio.
var exportTypes = map[string]string{
	".srt": "application/x-subrip", ".vtt": "text/vtt; charset=utf-8", ".zip": "application/zip", ".m4b": "audio/mp4",
	".csv": "text/csv; charset=utf-8", ".json": "application/json", ".txt": "text/plain; charset=utf-8",
	".md": "text/markdown; charset=utf-8", ".rttm": "text/plain; charset=utf-8", ".docx": docxType,
}

// tempFiles are files that exist for one request.
type tempFiles struct {
	dir       string
	freeSpace FreeSpace
}

// attachment responds with a file that is written to disk first, so that memory use is constant and a failure has its own
// status. need is its size in bytes, 0 where unknown.
func (t *tempFiles) attachment(
	ctx context.Context, name string, need int64, write func(io.Writer) error,
) (*huma.StreamResponse, error) {
	if err := t.checkSpace(ctx, "The export", need); err != nil {
		return nil, err
	}
	f, err := os.CreateTemp(t.dir, "export-*")
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
func (t *tempFiles) checkSpace(ctx context.Context, what string, need int64) error {
	if t.freeSpace == nil {
		return nil
	}
	free, known := t.freeSpace(ctx)
	if !known || free >= need+spareSpace {
		return nil
	}
	const mb = 1_000_000
	return backend.E(backend.CodeInsufficientDisk,
		fmt.Sprintf("%s needs %d MB, and the disk of the data directory has %d MB free.", what, (need+spareSpace+mb-1)/mb, free/mb),
		"Free some space, then try again.").With("needed", need+spareSpace).With("free", free)
}

// sendExport responds with an export of the object in the path, in the format of the query.
func (p *responder) sendExport(
	w http.ResponseWriter, r *http.Request, name, otherwise string, formats []string,
	export func(ctx context.Context, id, format string) (backend.ExportedFile, error),
) {
	id, err := pathID(r, name)
	var format string
	if err == nil {
		format, err = oneOf(r, "format", otherwise, formats...)
	}
	if err != nil {
		p.fail(w, r, err)
		return
	}
	e, err := export(r.Context(), id, format)
	p.sendFile(w, r, e, err)
}

// sendFile responds with a file, and closes it.
func (p *responder) sendFile(w http.ResponseWriter, r *http.Request, e backend.ExportedFile, err error) {
	if err != nil {
		p.fail(w, r, err)
		return
	}
	defer e.Close()
	ext := filepath.Ext(e.Name)
	kind, ok := audioTypes[ext]
	if !ok {
		kind = exportTypes[ext]
	}
	f, err := os.Open(e.Path)
	if err != nil {
		p.fail(w, r, errAudioMissing.WithCause(err))
		return
	}
	defer func() { _ = f.Close() }()
	attach(w, e.Name, kind)
	p.serveContent(w, r, time.Time{}, f)
}

// attach sets the headers of a file that the browser saves.
func attach(w http.ResponseWriter, name, kind string) {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	w.Header().Set("Cache-Control", "no-store")
}

// oneOf returns a query value from a fixed set, otherwise if it is absent.
func oneOf(r *http.Request, name, otherwise string, allowed ...string) (string, error) {
	value := r.URL.Query().Get(name)
	if value == "" {
		return otherwise, nil
	}
	for _, a := range allowed {
		if value == a {
			return value, nil
		}
	}
	return "", backend.Invalid("enum", "Input should be one of: "+strings.Join(allowed, ", "), "query", name)
}

func pathID(r *http.Request, name string) (string, error) {
	id, err := uuid.Parse(r.PathValue(name))
	if err != nil {
		return "", backend.Invalid("uuid_parsing", "Input should be a valid UUID", "path", name)
	}
	return id.String(), nil
}
