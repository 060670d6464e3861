package cli

import (
	"context"
	"path/filepath"

	"github.com/voicewright/voicewright/app/cli/usage"
	"github.com/voicewright/voicewright/app/client"
)

// sendFile sends a file that the user named with the fields that are not empty, and decodes the response into out.
func sendFile(ctx context.Context, c *client.Client, path, file string, fields map[string]string, out any) error {
	f, err := usage.OpenInput(file)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	return c.SendForm(ctx, client.Form{Path: path, Name: filepath.Base(file), In: f, Fields: fields}, out)
}
