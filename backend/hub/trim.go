package hub

import (
	"cmp"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
		records, _ := os.ReadDir(filepath.Join(c.repo(repo), "verified", commit)) // an unreadable folder has no records
		for _, r := range records {
			path, err := url.PathUnescape(strings.TrimSuffix(r.Name(), recordSuffix))
			info, errInfo := r.Info()
			if err == nil && errInfo == nil && checkPath(path) == nil && matches(path) {
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
