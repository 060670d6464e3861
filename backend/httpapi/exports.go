package httpapi

import (
	"context"
	"sync"

	"github.com/google/uuid"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/httpapi/events"
)

// exports are the exports in progress that their callers named, so that they can be watched and cancelled.
type exports struct {
	*responder
	events *events.Streams
	mu     sync.Mutex
	cancel map[string]context.CancelFunc
}

const statusExporting backend.Status = "exporting"

func newExports(events *events.Streams, answers *responder) *exports {
	return &exports{responder: answers, events: events, cancel: map[string]context.CancelFunc{}}
}

// run calls work, which reports its progress, as the export of this id, which came in the query or the body. Without an id nobody
// watches it. Error: ValidationError for an id that is no UUID or in use.
func (x *exports) run(ctx context.Context, id, in string, work func(ctx context.Context, report func(share float64)) error) error {
	if id == "" {
		return work(ctx, nil)
	}
	parsed, err := uuid.Parse(id)
	if err != nil {
		return backend.Invalid("uuid_parsing", "Input should be a valid UUID", in, "export_id")
	}
	id = parsed.String()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	x.mu.Lock()
	_, used := x.cancel[id]
	if !used {
		x.cancel[id] = cancel
	}
	x.mu.Unlock()
	if used {
		return backend.Invalid("value_error", "Value error, another export with this id is in progress", in, "export_id")
	}
	share := 0.0
	publish := func(status backend.Status) {
		x.events.Export(id, status, share, status != statusExporting)
	}
	publish(statusExporting)
	ended := backend.StatusFailed // also by a panic
	defer func() {
		x.mu.Lock()
		delete(x.cancel, id)
		x.mu.Unlock()
		publish(ended)
	}()
	err = work(ctx, func(now float64) {
		share = now
		publish(statusExporting)
	})
	switch {
	case err == nil:
		share, ended = 1, backend.StatusComplete
	case ctx.Err() != nil:
		ended = backend.StatusCancelled
	}
	return err
}

// ExportPath is the id of an export in a path; it is exported for huma.
type ExportPath struct {
	ExportID ID `path:"export_id"`
}

// cancelExport cancels an export: its request is answered with 499 `cancelled`.
func (x *exports) cancelExport(_ context.Context, in *ExportPath) (*struct{}, error) {
	x.mu.Lock()
	cancel, ok := x.cancel[string(in.ExportID)]
	x.mu.Unlock()
	if !ok {
		return nil, backend.E(backend.CodeNotInProgress, "This export has already ended.", "There is nothing to cancel.")
	}
	cancel()
	return &struct{}{}, nil
}
