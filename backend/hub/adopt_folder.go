package hub

import (
	"context"
	"os"
	"path/filepath"
	"strings"
)

// IsCache reports whether dir holds a repository in the standard layout.
func IsCache(dir string) bool {
	entries, _ := os.ReadDir(dir) // an unreadable folder has none
	for _, e := range entries {
		if !e.IsDir() || !strings.HasPrefix(e.Name(), repoPrefix) {
			continue
		}
		for _, part := range []string{"snapshots", "blobs"} {
			if info, err := os.Stat(filepath.Join(dir, e.Name(), part)); err == nil && info.IsDir() {
				return true
			}
		}
	}
	return false
}

// SetDir makes dir the directory of the cache; nobody may use the cache meanwhile. Its shared cache stays the one of NewCache.
func (c *Cache) SetDir(dir string) {
	c.Dir, c.Shared = dir, c.standard
	if same(dir, c.Shared) {
		c.Shared = ""
	}
}

// Unverified returns the bytes of those files of r that are in this cache and that Adopt has to read.
func (c *Cache) Unverified(r Request) int64 {
	var n int64
	commit, ok := c.commit(r)
	if !ok || r.check() != nil {
		return 0
	}
	for _, f := range r.Files {
		t := c.identify(r.Repo, commit, target{File: f})
		if _, ok := c.verified(r.Repo, commit, f); !ok && t.known() && c.holds(r.Repo, commit, t) {
			n += t.Size
		}
	}
	return n
}

// Adopt verifies those files of r that another program put into this cache, without using the network: from then on Lookup finds
// them. A file with other content is left as it is. read is called with the number of bytes of each read.
// Errors: download_failed for names that are not safe, not_permitted, insufficient_disk, cancelled.
func (c *Cache) Adopt(ctx context.Context, r Request, read func(n int)) error {
	if err := r.check(); err != nil {
		return err
	}
	commit, ok := c.commit(r)
	if !ok {
		return nil
	}
	for _, f := range r.Files {
		t := c.identify(r.Repo, commit, target{File: f})
		if _, ok := c.verified(r.Repo, commit, f); ok || !t.known() || !c.holds(r.Repo, commit, t) {
			continue
		}
		here, ok, err := c.find(ctx, r.Repo, commit, t, read)
		if err == nil && ok {
			err = c.useFound(ctx, r.Repo, commit, t, here, false)
		}
		if err != nil {
			return orCancelled(ctx, err)
		}
	}
	return nil
}

// holds reports whether this cache has a file of the target's size where the target may be.
func (c *Cache) holds(repo, commit string, t target) bool {
	for _, name := range candidates(c.Dir, repo, commit, t) {
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() && info.Size() == t.Size {
			return true
		}
	}
	return false
}
