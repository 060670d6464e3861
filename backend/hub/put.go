package hub

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/files"
)

// Put adds a local file to the cache as the file f of a commit, as a hard link where that is possible, else as a copy. f must
// be pinned. Errors: checksum_mismatch with the parameter file, insufficient_disk, not_permitted, cancelled.
func (c *Cache) Put(ctx context.Context, repo, commit string, f File, from string) error {
	if err := checkPut(repo, commit, f, from); err != nil {
		return err
	}
	t := target{File: f}
	if here, ok, err := c.find(ctx, repo, commit, t, func(int) {}); ok && err == nil {
		return c.useFound(ctx, repo, commit, t, here, false)
	}
	blob := c.blob(repo, t.blob())
	if err := os.MkdirAll(filepath.Dir(blob), 0o755); err != nil {
		return c.errFailed("make a folder", err)
	}
	discardSpecial(blob)
	err := files.Place(blob, func(temp string) error {
		if c.Link(realPath(from), temp) != nil {
			_, sum, err := files.Copy(ctx, from, temp, 0o644)
			if err == nil && sum != f.SHA256 {
				err = errMismatch(f, nil)
			}
			return err
		}
		return checkFile(ctx, temp, t)
	})
	switch {
	case ctx.Err() != nil:
		return backend.ErrCancelled.WithCause(ctx.Err())
	case backend.CodeOf(err) == backend.CodeChecksumMismatch:
		return err
	case err != nil:
		return c.errFailed("add a file to the cache", err)
	}
	return errors.Join(c.addEntry(ctx, repo, commit, t, blob), c.tag())
}

// checkPut checks the arguments of Put before the file is read.
func checkPut(repo, commit string, f File, from string) error {
	r := Request{Repo: repo, Revision: commit, Files: []File{f}}
	if err := r.check(); err != nil {
		return err
	}
	if !isCommit(commit) || f.SHA256 == "" {
		return backend.E(backend.CodeDownloadFailed, fmt.Sprintf("The file %s cannot be checked, because its hash is unknown.", f.Path),
			"Download it instead.")
	}
	if info, err := os.Stat(from); err != nil || !info.Mode().IsRegular() || info.Size() != f.Size {
		return errMismatch(f, err)
	}
	return nil
}
