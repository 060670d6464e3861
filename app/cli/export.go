package cli

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"

	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
)

// export exports generations with a progress bar.
func (p *program) export(ctx context.Context, c *client.Client, ids []string, format, out string) error {
	return p.exporting(ctx, c, func(exportID string) error { return c.Export(ctx, ids, format, out, exportID) })
}

// exporting runs an export with a progress bar. run gets the id under which the events tell the progress.
func (p *program) exporting(ctx context.Context, c *client.Client, run func(exportID string) error) error {
	bar := p.progress("Exporting")
	defer bar.end()
	id := uuid.NewString()
	watched, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		// Without events there is no progress, and the export is none the worse.
		_ = backend.Contain(func() error {
			return c.Follow(watched, "/events", func(data []byte) error { return bar.export(id, data) })
		})
	}()
	defer func() { stop(); <-done }()
	return run(id)
}

// export shows the progress of the export of an id, if it is what an event tells.
func (b *progressBar) export(id string, data []byte) error {
	var e struct {
		ID       string
		Progress float64
	}
	if json.Unmarshal(data, &e) == nil && e.ID == id && e.Progress > 0 {
		b.bytes(int64(e.Progress*barSteps), barSteps)
	}
	return nil
}
