package hub

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Lookup sorts the files of r, without the network, into those that are there, were verified and did not change since, and
// the others, with size and SHA-256 as far as a pin or a record tells them. A branch means the commit that was noted for it
// where that one is whole, else the newest commit with verified files that is, else the commit that lacks least.
func (c *Cache) Lookup(r Request) (here, missing Snapshot) {
	missing = Snapshot{Repo: r.Repo, Revision: r.Revision, Files: r.Files}
	if r.check() != nil {
		return Snapshot{}, missing
	}
	for i, commit := range c.commits(r) {
		h, m := c.lookupAt(r, commit)
		if i == 0 || len(h.Files) > len(here.Files) {
			here, missing = h, m
		}
		if len(m.Files) == 0 {
			break
		}
	}
	return here, missing
}

func (c *Cache) lookupAt(r Request, commit string) (here, missing Snapshot) {
	here = Snapshot{Repo: r.Repo, Revision: commit, Dir: c.snapshot(r.Repo, commit)}
	missing = here
	for _, f := range r.Files {
		if was, ok := c.readRecord(r.Repo, commit, f.Path); ok {
			if found, ok := c.unchanged(r.Repo, commit, f, was); ok {
				here.Files = append(here.Files, found)
				continue
			}
			if f.SHA256 == "" {
				f.Size, f.SHA256 = was.Size, was.SHA256
			}
		}
		missing.Files = append(missing.Files, f)
	}
	return here, missing
}

// commits are those that a revision can mean here. The commit of a branch moves on with each listing, also of other files
// of the repository, so that files which came before lie under an older one.
func (c *Cache) commits(r Request) []string {
	if isCommit(r.Revision) {
		return []string{r.Revision}
	}
	var out []string
	noted, ok := c.commit(r)
	if ok {
		out = append(out, noted)
	}
	for _, commit := range c.verifiedCommits(r.Repo) {
		if commit != noted {
			out = append(out, commit)
		}
	}
	return out
}

// verifiedCommits lists the commits of which files were verified, the one with the newest record first.
func (c *Cache) verifiedCommits(repo string) []string {
	dir := filepath.Join(c.repo(repo), "verified")
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	type dated struct {
		commit string
		newest int64
	}
	var all []dated
	for _, e := range entries {
		if !isCommit(e.Name()) {
			continue
		}
		d := dated{commit: e.Name()}
		records, _ := os.ReadDir(filepath.Join(dir, d.commit)) // what cannot be read has no records
		for _, record := range records {
			if info, err := record.Info(); err == nil && strings.HasSuffix(record.Name(), recordSuffix) {
				d.newest = max(d.newest, info.ModTime().UnixNano())
			}
		}
		all = append(all, d)
	}
	slices.SortFunc(all, func(a, b dated) int {
		return cmp.Or(cmp.Compare(b.newest, a.newest), cmp.Compare(a.commit, b.commit))
	})
	out := make([]string, len(all))
	for i, d := range all {
		out[i] = d.commit
	}
	return out
}
