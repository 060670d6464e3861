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

// adopt puts a file that was found on this machine into its place. Another program's file is shared by a hard link,
// else by a symbolic link when alone says that all files of the request come from there (ONNX Runtime refuses a graph
// whose external data lies in another folder), else copied. That program's cache itself is only read.
func (c *Cache) adopt(ctx context.Context, repo, commit string, t target, f found, alone bool) error {
	if f.inside && (alone || !f.shared) {
		if _, ok := c.verified(repo, commit, t.File); ok {
			return nil
		}
		return c.vouch(repo, commit, t.Path, f.sha)
	}
	t, err := t.honest(ctx, f.sha, f.name)
	if err != nil {
		return cancelled(ctx, c.failed("read a file again", err))
	}
	if !f.shared {
		return c.show(ctx, repo, commit, t, f.name)
	}
	blob := c.blob(repo, t.blob())
	if err := os.MkdirAll(filepath.Dir(blob), 0o755); err != nil {
		return c.failed("make a folder", err)
	}
	if err := files.Place(blob, func(temp string) error { return c.Link(f.name, temp) }); err == nil {
		return c.show(ctx, repo, commit, t, blob)
	}
	if alone {
		if err := c.enter(repo, commit, t, f.name); err == nil {
			return c.vouch(repo, commit, t.Path, f.sha)
		}
	}
	if err := c.copyTo(ctx, blob, f.name); err != nil {
		return c.failed("copy a file", err)
	}
	return c.show(ctx, repo, commit, t, blob)
}

// settle moves a fetched and verified file into blobs, and shows it in the snapshot.
func (c *Cache) settle(ctx context.Context, repo, commit string, t target, partial string) error {
	blob := c.blob(repo, t.blob())
	if checkFile(ctx, blob, t) == nil {
		// The same content lies there under another path already, and its time is on record there.
		if err := drop(partial); err != nil {
			return c.failed("remove a file", err)
		}
		return c.show(ctx, repo, commit, t, blob)
	}
	if err := files.Move(partial, blob); err != nil {
		return c.failed("move a file into its place", err)
	}
	return c.show(ctx, repo, commit, t, blob)
}

// show makes the snapshot's entry for a blob of this cache: a relative symbolic link, else the blob itself when it has
// just come and nothing else needs it, else a hard link or a copy. A file that is another entry itself is never linked by
// its name, which may go at any time.
func (c *Cache) show(ctx context.Context, repo, commit string, t target, blob string) error {
	place := c.file(repo, commit, t.Path)
	to, err := filepath.Rel(filepath.Dir(place), blob)
	if err != nil {
		return c.failed("find the way to a file", err)
	}
	if !c.inBlobs(repo, realPath(blob)) || c.enter(repo, commit, t, to) != nil {
		if err := c.materialise(ctx, repo, place, blob); err != nil {
			return c.failed("put a file into its place", err)
		}
	}
	return c.vouch(repo, commit, t.Path, t.SHA256)
}

// enter makes the snapshot's entry a symbolic link.
func (c *Cache) enter(repo, commit string, t target, to string) error {
	place := c.file(repo, commit, t.Path)
	if err := os.MkdirAll(filepath.Dir(place), 0o755); err != nil {
		return err
	}
	return files.Place(place, func(temp string) error { return c.Symlink(to, temp) })
}

// materialise does without symbolic links. A blob moves, as the hub's own library has it, unless another snapshot
// leads to it.
func (c *Cache) materialise(ctx context.Context, repo, place, blob string) error {
	if err := os.MkdirAll(filepath.Dir(place), 0o755); err != nil {
		return err
	}
	if real := realPath(blob); c.inBlobs(repo, real) && !c.needed(repo, real) {
		return files.Move(blob, place)
	}
	if err := files.Place(place, func(temp string) error { return c.Link(blob, temp) }); err == nil {
		return nil
	}
	return c.copyTo(ctx, place, blob)
}

// copyTo replaces the file path with a copy.
func (c *Cache) copyTo(ctx context.Context, path, from string) error {
	return files.Place(path, func(temp string) error {
		_, _, err := files.Copy(ctx, from, temp, 0o644)
		return err
	})
}

// Put takes a file of this machine into the cache as the file f of a commit, by a hard link where that is possible, else by
// a copy. f must be pinned. Errors: checksum_mismatch with the parameter file, insufficient_disk, not_permitted, cancelled.
func (c *Cache) Put(ctx context.Context, repo, commit string, f File, from string) error {
	r := Request{Repo: repo, Revision: commit, Files: []File{f}}
	if err := r.check(); err != nil {
		return err
	}
	if !isCommit(commit) || f.SHA256 == "" {
		return backend.E(backend.CodeDownloadFailed, fmt.Sprintf("The file %s has no known hash.", f.Path), "Download it instead.")
	}
	if info, err := os.Stat(from); err != nil || !info.Mode().IsRegular() || info.Size() != f.Size {
		return mismatch(f, err)
	}
	t := target{File: f}
	if here, ok, err := c.find(ctx, repo, commit, t, func(int) {}); ok && err == nil {
		return c.adopt(ctx, repo, commit, t, here, false)
	}
	blob := c.blob(repo, t.blob())
	if err := os.MkdirAll(filepath.Dir(blob), 0o755); err != nil {
		return c.failed("make a folder", err)
	}
	err := files.Place(blob, func(temp string) error {
		if c.Link(realPath(from), temp) != nil {
			_, sum, err := files.Copy(ctx, from, temp, 0o644)
			if err == nil && sum != f.SHA256 {
				err = mismatch(f, nil)
			}
			return err
		}
		return checkFile(ctx, temp, t)
	})
	switch {
	case ctx.Err() != nil:
		return backend.ErrCancelled.Because(ctx.Err())
	case backend.CodeOf(err) == backend.CodeChecksumMismatch:
		return err
	case err != nil:
		return c.failed("take a file in", err)
	}
	return errors.Join(c.show(ctx, repo, commit, t, blob), c.tag())
}

// checkFile reads a file whole. Errors: checksum_mismatch.
func checkFile(ctx context.Context, name string, t target) error {
	d := newDigest(t)
	if _, err := files.Read(ctx, name, d); err != nil {
		return err
	}
	if info, err := os.Stat(name); err != nil || info.Size() != t.Size || !d.matches(t) {
		return mismatch(t.File, err)
	}
	return nil
}
