package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
)

// generate generates speech with a progress bar. When ctx ends it cancels the generation, which must not continue without
// its command.
func (p *program) generate(ctx context.Context, c *client.Client, body map[string]any) (client.Generation, error) {
	var g client.Generation
	err := c.CallWith(ctx, http.MethodPost, "/generate", body, &g, map[string]string{"Prefer": "respond-async"})
	if err != nil {
		return g, err
	}
	bar := p.progress("Generating")
	defer bar.end()
	err = c.Follow(ctx, "/generate/"+g.ID+"/events", func(data []byte) error {
		var now struct { // only the last message has the whole generation
			Status    backend.Status `json:"status"`
			Progress  float64        `json:"progress"`
			Verifying bool           `json:"verifying"`
		}
		err := json.Unmarshal(data, &now)
		if err == nil && now.Status.Ended() {
			err = json.Unmarshal(data, &g)
		}
		if err != nil {
			return fmt.Errorf("read the progress: %w", err)
		}
		step := string(now.Status)
		if now.Verifying {
			step = "verifying"
		}
		bar.set(now.Progress, step)
		return nil
	})
	switch {
	case ctx.Err() != nil:
		return g, cancelWork(ctx, c, "/generate/"+g.ID+"/cancel")
	case err != nil:
		return g, err
	case g.Error != nil:
		return g, backend.E(g.Error.Code, g.Error.Detail, g.Error.Remedy).With("generation_id", g.ID)
	case g.Status != backend.StatusComplete:
		return g, backend.E(backend.CodeInterrupted, "The server stopped before the audio was ready.", "Try again.")
	}
	return g, nil
}
