package hub

// Lookup returns, without using the network, the files of r that are verified and unchanged, and the missing ones, with size and
// SHA-256 as far as a pin or a record has them. A branch means its stored commit when that is complete, else the newest
// complete commit, else the commit with the fewest missing files.
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

// lookupAt is Lookup for one commit.
func (c *Cache) lookupAt(r Request, commit string) (here, missing Snapshot) {
	here = Snapshot{Repo: r.Repo, Revision: commit, Dir: c.snapshot(r.Repo, commit)}
	if missing = here; !c.Holds(r.Repo) { // as of most models at a start
		missing.Files = r.Files
		return here, missing
	}
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

// commits returns the commits that a revision can mean. Each listing of a branch stores its newest commit, so that earlier files
// are under an older one.
func (c *Cache) commits(r Request) []string {
	if isCommit(r.Revision) {
		return []string{r.Revision}
	}
	var out []string
	stored, ok := c.commit(r)
	if ok {
		out = append(out, stored)
	}
	for _, commit := range c.verifiedCommits(r.Repo) {
		if commit != stored {
			out = append(out, commit)
		}
	}
	return out
}
