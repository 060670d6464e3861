package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"

	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
)

// generate generates speech with a progress bar. When ctx ends it stops the generation, which must not continue without
// its command.
func (p *program) generate(ctx context.Context, c *client.Client, body map[string]any) (client.Generation, error) {
	var g client.Generation
	err := c.CallWith(ctx, http.MethodPost, "/generate", body, &g, map[string]string{"Prefer": "respond-async"})
	if err != nil {
		return g, err
	}
	bar := p.progress("Generating")
	defer bar.end()
	return follow(ctx, c, bar.set, g)
}

// follow shows the progress of a generation until it has ended, and returns it then. When ctx ends it stops the generation.
func follow(
	ctx context.Context, c *client.Client, show func(fraction float64, step string), g client.Generation,
) (client.Generation, error) {
	err := c.Follow(ctx, "/generate/"+g.ID+"/events", func(data []byte) error {
		var now struct { // only the last message has the whole generation
			Status    backend.Status `json:"status"`
			Progress  float64        `json:"progress"`
			Verifying bool           `json:"verifying"`
			Wait      *backend.Wait  `json:"wait"`
		}
		err := json.Unmarshal(data, &now)
		if err == nil && now.Status.Ended() {
			err = json.Unmarshal(data, &g)
		}
		if err != nil {
			return fmt.Errorf("read the progress: %w", err)
		}
		show(now.Progress, stepOf(now.Status, now.Verifying, now.Wait))
		return nil
	})
	switch {
	case ctx.Err() != nil:
		return g, stopWork(ctx, c, g.ID)
	case err != nil:
		return g, err
	case g.Error != nil:
		return g, failureOf(g)
	case g.Status != backend.StatusComplete:
		return g, backend.E(backend.CodeInterrupted, "The server stopped before the audio was ready.", "Try again.")
	}
	return g, nil
}

// stepOf returns what a generation is doing, in words.
func stepOf(status backend.Status, verifying bool, wait *backend.Wait) string {
	switch {
	case verifying:
		return "verifying"
	case wait == nil:
		return string(status)
	case wait.Reason == "queue" && wait.Place > 0:
		return fmt.Sprintf("place %d in the queue", wait.Place)
	case wait.Reason == "rate":
		return "waiting, 30 requests a minute are sent" + inSeconds(wait.Seconds)
	case wait.Reason == "busy":
		return "the hosted service is busy, trying again" + inSeconds(wait.Seconds)
	default:
		return "waiting"
	}
}

func inSeconds(seconds float64) string {
	if seconds <= 0 {
		return ""
	}
	return fmt.Sprintf(" in %.0f s", math.Ceil(seconds))
}
