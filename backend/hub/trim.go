package hub

import (
	"cmp"
	"os"
	"slices"
	"time"
)

// Trim removes the verified files of a repository for whose path matches returns true, except for the limit newest downloads.
func (c *Cache) Trim(repo string, limit int, matches func(path string) bool) error {
	type entry struct {
		commit, path string
		at           time.Time
	}
	var all []entry
	for _, commit := range c.verifiedCommits(repo) {
		for _, path := range c.recorded(repo, commit) {
			info, err := os.Stat(c.record(repo, commit, path))
			if err == nil && matches(path) {
				all = append(all, entry{commit, path, info.ModTime()})
			}
		}
	}
	slices.SortFunc(all, func(a, b entry) int { return cmp.Or(b.at.Compare(a.at), cmp.Compare(a.path, b.path)) })
	for _, e := range all[min(limit, len(all)):] {
		if _, err := c.Remove(Snapshot{Repo: repo, Revision: e.commit, Files: []File{{Path: e.path}}}); err != nil {
			return err
		}
	}
	return nil
}
