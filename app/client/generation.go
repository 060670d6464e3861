package client

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"github.com/google/uuid"

	"github.com/voicewright/voicewright/backend"
)

// Generation is a generation as the API returns it.
type Generation struct {
	backend.Generation
	AudioURL  string `json:"audio_url"`
	Highlight string `json:"highlight,omitempty"`
	Output    string `json:"output,omitempty"` // the file that a command wrote
}

// Generation returns a generation. Errors: generation_not_found.
func (c *Client) Generation(ctx context.Context, id string) (Generation, error) {
	var g Generation
	if err := CheckID(id); err != nil {
		return g, err
	}
	err := c.Call(ctx, http.MethodGet, "/history/"+id, nil, &g)
	return g, err
}

// CheckID returns generation_not_found for an id that is not a UUID: no generation has it.
func CheckID(id string) error {
	if _, err := uuid.Parse(id); err != nil {
		return backend.E(backend.CodeGenerationNotFound, fmt.Sprintf("There is no generation %q.", id),
			"List the generations with voicewright history list.")
	}
	return nil
}

// Export writes one generation to a file, or several as a zip file. An empty format means the one of each generation. exportID
// is empty, or a UUID under which the events tell the progress and the export can be cancelled.
func (c *Client) Export(ctx context.Context, ids []string, format, out, exportID string) error {
	if len(ids) == 1 {
		query := url.Values{"format": {format}}
		if exportID != "" {
			query.Set("export_id", exportID)
		}
		return c.Fetch(ctx, "/history/"+url.PathEscape(ids[0])+"/export?"+query.Encode(), out)
	}
	body := map[string]any{"ids": ids}
	if format != "" {
		body["format"] = format
	}
	if exportID != "" {
		body["export_id"] = exportID
	}
	return c.Save(ctx, http.MethodPost, "/history/export", body, out)
}
