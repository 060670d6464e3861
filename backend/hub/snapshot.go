package hub

import "path/filepath"

// Snapshot finds the files of r without the network: all of them are there, were verified, and did not change since.
func (c *Cache) Snapshot(r Request) (Snapshot, bool) {
	here, missing := c.Lookup(r)
	if len(here.Files) == 0 || len(missing.Files) > 0 {
		return Snapshot{}, false
	}
	return here, true
}

// Entries names the places of the files of r, whether they are there or not, for Remove: one snapshot for each commit that
// r can mean.
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
	Dir      string // the folder in which the files lie under their paths
	Files    []File // with size and SHA-256
}

// Path gives where a file of the snapshot lies.
func (s Snapshot) Path(name string) string { return filepath.Join(s.Dir, filepath.FromSlash(name)) }
