package hub

import (
	"context"
	"os"
	"path/filepath"
)

// Possible says at once why downloads of rs cannot succeed now: it asks no hub and reads no file. What only a hub knows,
// such as the size of a file that is not pinned, is found by Download.
// Errors: offline and insufficient_disk as Download gives them, download_failed for an address of the hub that is none.
func (c *Client) Possible(ctx context.Context, rs ...Request) error {
	whole := true
	missing := map[string]int64{}
	for _, r := range rs {
		if err := r.check(); err != nil {
			return err
		}
		for _, f := range r.Files {
			if c.cache.seems(r, f) {
				continue
			}
			whole = false
			if f.SHA256 != "" {
				missing[c.cache.blob(r.Repo, f.SHA256+partSuffix)] = f.Size
			}
		}
	}
	switch {
	case whole:
		return nil
	case c.o.Offline():
		return errOffline()
	case c.unusable != nil:
		return c.unusable
	default:
		return c.checkSpace(ctx, missing)
	}
}

// seems reports whether a file lies on this machine, by its name and size.
func (c *Cache) seems(r Request, f File) bool {
	one := Request{Repo: r.Repo, Revision: r.Revision, Files: []File{f}}
	if _, ok := c.Snapshot(one); ok {
		return true
	}
	commit, ok := c.commit(r)
	if !ok {
		return false
	}
	t := c.identify(r.Repo, commit, target{File: f})
	if !t.known() {
		return false
	}
	for _, dir := range c.dirs() {
		for _, name := range candidates(dir, r.Repo, commit, t) {
			if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() && info.Size() == t.Size {
				return true
			}
		}
	}
	return false
}

// checkSpace refuses a download that cannot fit: missing are the sizes of the files by the names of their partial files, so
// that one content counts once, whatever the number of its paths.
func (c *Client) checkSpace(ctx context.Context, missing map[string]int64) error {
	var need int64
	for part, size := range missing {
		need += size
		if info, err := os.Stat(part); err == nil {
			need -= min(info.Size(), size)
		}
	}
	return c.CheckSpace(ctx, need)
}

// CheckSpace refuses work that needs more bytes than the disk of the cache has free. Error: insufficient_disk.
func (c *Client) CheckSpace(ctx context.Context, need int64) error {
	if need > 0 && uint64(need) > c.free(ctx) {
		return c.noSpace(ctx, need, nil)
	}
	return nil
}

// free gives the free bytes of the disk on which the cache is, or will be.
func (c *Client) free(ctx context.Context) uint64 {
	dir := c.cache.Dir
	for {
		_, err := os.Stat(dir)
		up := filepath.Dir(dir)
		if err == nil || up == dir {
			return c.o.Free(ctx, dir)
		}
		dir = up
	}
}
