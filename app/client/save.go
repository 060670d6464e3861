package client

import (
	"context"
	"io"
	"net/http"
	"os"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/files"
)

// Fetch writes the response of a GET request to a file, which is replaced in one step.
func (c *Client) Fetch(ctx context.Context, path, out string) error {
	return c.Save(ctx, http.MethodGet, path, nil, out)
}

// Save writes the response of a request to a file, which is replaced in one step.
func (c *Client) Save(ctx context.Context, method, path string, body any, out string) error {
	resp, err := c.Do(ctx, method, path, body, nil)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	return WriteFile(out, resp.Body)
}

// WriteFile replaces a file that a user named, in one step. Its permissions are those of the user's umask.
func WriteFile(out string, content io.Reader) error {
	err := files.Replace(out, 0o666, func(f *os.File) error {
		_, err := io.Copy(f, content)
		return err
	})
	return backend.FileError("write the file", out, err)
}
