package hub

import (
	"context"
	"os"
	"path/filepath"

	"github.com/voicewright/voicewright/backend/files"
)

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
