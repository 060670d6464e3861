package hub

import "path/filepath"

// Snapshot returns the files of r without using the network. It reports false unless all of them are in the cache, verified and
// unchanged.
func (c *Cache) Snapshot(r Request) (Snapshot, bool) {
	if here, missing := c.Lookup(r); len(here.Files) > 0 && len(missing.Files) == 0 {
		return here, true
	}
	return Snapshot{}, false
}

// Entries returns the paths of the files of r for Remove, whether the files exist or not: one snapshot for each commit that r
// can mean.
func (c *Cache) Entries(r Request) []Snapshot {
	if r.check() != nil {
		return nil
	}
	var out []Snapshot
	for _, commit := range c.commits(r) {
		out = append(out, Snapshot{Repo: r.Repo, Revision: commit, Dir: c.snapshot(r.Repo, commit), Files: r.Files})
	}
	return out
}

// Snapshot is a set of verified files of one commit.
type Snapshot struct {
	Repo     string
	Revision string // the commit
	Dir      string // the folder that holds the files under their paths
	Files    []File // with size and SHA-256
}

// Path returns the path of a file of the snapshot.
func (s Snapshot) Path(name string) string { return filepath.Join(s.Dir, filepath.FromSlash(name)) }
