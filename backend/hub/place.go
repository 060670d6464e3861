package hub

import (
	"context"
	"os"
	"path/filepath"

	"github.com/voicewright/voicewright/backend/files"
)

// storeBlob moves a downloaded and verified file to the blobs, and adds it to the snapshot.
func (c *Cache) storeBlob(ctx context.Context, repo, commit string, t target, partial string) error {
	blob := c.blob(repo, t.blob())
	if checkFile(ctx, blob, t) == nil {
		// The content is there already under another path, whose record has its time.
		if err := removeFile(partial); err != nil {
			return c.failed("remove a file", err)
		}
		return c.addEntry(ctx, repo, commit, t, blob)
	}
	discardSpecial(blob)
	if err := files.Move(partial, blob); err != nil {
		return c.failed("move a file to the blobs", err)
	}
	return c.addEntry(ctx, repo, commit, t, blob)
}

// discardSpecial removes a device, a pipe or a socket that is in the place of a file of the cache.
func discardSpecial(path string) {
	if files.CheckTarget(path) != nil {
		_ = os.Remove(path) // what is left is an error of replacing it
	}
}

// addEntry adds a blob of this cache to the snapshot: as a relative symbolic link, else by moving it when nothing else needs
// it, else as a hard link or a copy. A file that is itself an entry is never linked by its name, which may be removed at any
// time.
func (c *Cache) addEntry(ctx context.Context, repo, commit string, t target, blob string) error {
	place := c.file(repo, commit, t.Path)
	to, err := filepath.Rel(filepath.Dir(place), blob)
	if err != nil {
		return c.failed("find the relative path of a file", err)
	}
	discardSpecial(place)
	if !c.inBlobs(repo, realPath(blob)) || c.symlinkEntry(repo, commit, t, to) != nil {
		if err := c.placeEntry(ctx, repo, place, blob); err != nil {
			return c.failed("add a file to the snapshot", err)
		}
	}
	return c.writeRecord(repo, commit, t.Path, t.SHA256)
}

// symlinkEntry adds a symbolic link to the snapshot.
func (c *Cache) symlinkEntry(repo, commit string, t target, to string) error {
	place := c.file(repo, commit, t.Path)
	if err := os.MkdirAll(filepath.Dir(place), 0o755); err != nil {
		return err
	}
	return files.Place(place, func(temp string) error { return c.Symlink(to, temp) })
}

// placeEntry adds a file to the snapshot without a symbolic link. It moves the blob, as the hub's own library does, unless
// another snapshot links to it.
func (c *Cache) placeEntry(ctx context.Context, repo, place, blob string) error {
	if err := os.MkdirAll(filepath.Dir(place), 0o755); err != nil {
		return err
	}
	if real := realPath(blob); c.inBlobs(repo, real) && !c.isNeeded(repo, real) {
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
