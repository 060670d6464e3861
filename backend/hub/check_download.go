package hub

import (
	"context"
	"os"
)

// CheckDownload returns why downloads of rs cannot succeed now. It neither connects to a hub nor reads a file, so that it cannot
// know the size of a file that is not pinned. Errors: offline, insufficient_disk, download_failed when the hub's address is
// invalid.
func (c *Client) CheckDownload(ctx context.Context, rs ...Request) error {
	complete := true
	missing := map[string]int64{}
	for _, r := range rs {
		if err := r.check(); err != nil {
			return err
		}
		for _, f := range r.Files {
			if c.cache.isLocal(r, f) {
				continue
			}
			complete = false
			if f.SHA256 != "" {
				missing[c.cache.blob(r.Repo, f.SHA256+partSuffix)] = f.Size
			}
		}
	}
	switch {
	case complete:
		return nil
	case c.o.Offline():
		return errOffline()
	case c.unusable != nil:
		return c.unusable
	default:
		return c.checkSpace(ctx, missing)
	}
}

// isLocal reports whether a local cache has a file of this name and size.
func (c *Cache) isLocal(r Request, f File) bool {
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
