package hub

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Remove takes the files of s out of this cache and gives the bytes that this freed. Entries of keep stay, and so does
// a blob to which any other entry of the repository leads. Another program's cache is never touched: of a file that is
// shared with it only our name goes, and nothing is freed.
func (c *Cache) Remove(s Snapshot, keep ...Snapshot) (int64, error) {
	kept := map[string]bool{}
	for _, k := range keep {
		for _, f := range k.Files {
			kept[c.file(k.Repo, k.Revision, f.Path)] = true
		}
	}
	var freed int64
	for _, f := range s.Files {
		place := c.file(s.Repo, s.Revision, f.Path)
		if kept[place] {
			continue
		}
		n, err := c.removeEntry(s, f, place)
		if err != nil {
			return freed, err
		}
		freed += n
	}
	c.tidy(s)
	return freed, nil
}

func (c *Cache) removeEntry(s Snapshot, f File, place string) (int64, error) {
	real := realPath(place)
	var freed int64
	if info, err := os.Stat(place); err == nil && !c.isShared(real) && !c.alsoShared(s, f, info) {
		freed = info.Size()
	}
	c.doubt(s.Repo, s.Revision, f.Path)
	bad, err := c.release(s.Repo, s.Revision, f.Path)
	if err := errors.Join(err, drop(place)); err != nil {
		return 0, c.failed("remove a file", err)
	}
	if bad != nil && !c.alsoShared(s, f, bad) {
		freed += bad.Size()
	}
	if !c.inBlobs(s.Repo, real) {
		return freed, nil // it was a plain file, or another program's
	}
	if c.needed(s.Repo, real) {
		return 0, nil
	}
	if err := drop(real); err != nil {
		return 0, c.failed("remove a file", err)
	}
	return freed, nil
}

// realPath follows links; "" when they lead nowhere.
func realPath(name string) string {
	real, err := filepath.EvalSymlinks(name)
	if err != nil {
		return ""
	}
	return real
}

// alsoShared reports whether the shared cache holds the same file under a hard link.
func (c *Cache) alsoShared(s Snapshot, f File, info fs.FileInfo) bool {
	if c.Shared == "" {
		return false
	}
	for _, name := range candidates(c.Shared, s.Repo, s.Revision, target{File: f}) {
		if other, err := os.Stat(name); err == nil && os.SameFile(info, other) {
			return true
		}
	}
	return false
}

// needed reports whether any entry of any snapshot of the repository still leads to the blob.
func (c *Cache) needed(repo, blob string) bool {
	errNeeded := errors.New("needed")
	err := filepath.WalkDir(filepath.Join(c.repo(repo), "snapshots"), func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.Type()&fs.ModeSymlink == 0 {
			return nil //nolint:nilerr // what cannot be read leads nowhere
		}
		if real, err := filepath.EvalSymlinks(name); err == nil && real == blob {
			return errNeeded
		}
		return nil
	})
	return errors.Is(err, errNeeded)
}

// tidy removes folders that became empty, and names of commits of which nothing is left.
func (c *Cache) tidy(s Snapshot) {
	removeEmpty(c.snapshot(s.Repo, s.Revision))
	if _, err := os.Stat(c.snapshot(s.Repo, s.Revision)); err != nil {
		refs := filepath.Join(c.repo(s.Repo), "refs")
		_ = filepath.WalkDir(refs, func(name string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return nil //nolint:nilerr // what cannot be read stays
			}
			if raw, err := os.ReadFile(name); err == nil && strings.TrimSpace(string(raw)) == s.Revision {
				_ = os.Remove(name)
			}
			return nil
		})
	}
	removeEmpty(c.repo(s.Repo))
}

// removeEmpty removes folders without files from below; os.Remove refuses the others.
func removeEmpty(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if e.IsDir() {
			removeEmpty(filepath.Join(dir, e.Name()))
		}
	}
	_ = os.Remove(dir)
}

// drop removes a file that may be gone already.
func drop(name string) error {
	if err := os.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
