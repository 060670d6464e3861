package client

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"

	"github.com/google/uuid"

	"github.com/voicewright/voicewright/backend"
)

// Fetch writes the response of a GET request to a file in one step.
func (c *Client) Fetch(ctx context.Context, path, out string) error {
	return c.Save(ctx, http.MethodGet, path, nil, out)
}

// Save writes the response of a request to a file in one step.
func (c *Client) Save(ctx context.Context, method, path string, body any, out string) error {
	resp, err := c.Do(ctx, method, path, body, nil)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	return WriteFile(out, resp.Body)
}

// WriteFile replaces a file that a user named, in one step: after an error the old file is unchanged.
func WriteFile(out string, content io.Reader) error {
	temp, err := createOutput(filepath.Dir(out))
	if err != nil {
		return backend.FileError("write the file", filepath.Dir(out), err)
	}
	defer func() { _ = os.Remove(temp.Name()) }()
	_, err = io.Copy(temp, content)
	if err := errors.Join(err, temp.Close()); err != nil {
		return backend.FileError("write the file", filepath.Dir(out), err)
	}
	if err := os.Rename(temp.Name(), out); err != nil {
		return backend.FileError("write the file", out, err)
	}
	return nil
}

// createOutput creates a temporary file in dir, with the permissions that the user's umask leaves.
func createOutput(dir string) (*os.File, error) {
	return os.OpenFile(filepath.Join(dir, ".voicewright-"+uuid.NewString()), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
}
