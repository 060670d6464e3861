package client

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"os"
	"path/filepath"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/files"
)

// Fetch writes the response of a GET request to a file, which is replaced in one step.
func (c *Client) Fetch(ctx context.Context, path, out string) error {
	return c.Save(ctx, http.MethodGet, path, nil, out)
}

// FetchFrom is Fetch with the temporary file in the folder dir, see files.ReplaceFrom. It returns the SHA-256 of the file in hex.
func (c *Client) FetchFrom(ctx context.Context, dir, path, out string) (sum string, err error) {
	h := sha256.New()
	err = c.save(ctx, http.MethodGet, path, nil, func(content io.Reader) error {
		return writeFrom(dir, out, io.TeeReader(content, h))
	})
	return hex.EncodeToString(h.Sum(nil)), err
}

// Save writes the response of a request to a file, which is replaced in one step.
func (c *Client) Save(ctx context.Context, method, path string, body any, out string) error {
	return c.save(ctx, method, path, body, func(content io.Reader) error { return WriteFile(out, content) })
}

func (c *Client) save(ctx context.Context, method, path string, body any, write func(content io.Reader) error) error {
	resp, err := c.Do(ctx, method, path, body, nil)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	return write(resp.Body)
}

// WriteFile replaces a file that a user named, in one step. Its permissions are those of the user's umask.
func WriteFile(out string, content io.Reader) error {
	return writeFrom(filepath.Dir(out), out, content)
}

func writeFrom(dir, out string, content io.Reader) error {
	err := files.ReplaceFrom(dir, out, 0o666, func(f *os.File) error {
		_, err := io.Copy(f, content)
		return err
	})
	return backend.FileError("write the file", out, err)
}
