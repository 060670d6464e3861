package hub

import (
	"context"
	"os"
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
