package hub

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"
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

// Discard drops what a cancelled download of r left behind. A part that another download is just fetching stays.
func (c *Cache) Discard(r Request) error {
	for _, p := range c.partials(r) {
		lock := flock.New(c.lockName(r.Repo, p.key))
		if ok, err := lock.TryLock(); err != nil || !ok {
			continue
		}
		err := errors.Join(drop(c.blob(r.Repo, p.key+partSuffix)), drop(c.blob(r.Repo, p.key+sideSuffix)))
		_ = lock.Unlock()
		if err != nil {
			return c.failed("remove a partial file", err)
		}
	}
	return nil
}

// Partial gives the bytes that are there of files of r that are not complete.
func (c *Cache) Partial(r Request) int64 {
	var n int64
	for _, p := range c.partials(r) {
		n += p.size
	}
	return n
}

type part struct {
	key  string
	size int64
}

// partials lists the partial files of r: by the pin, else by what their side-car says.
func (c *Cache) partials(r Request) []part {
	wanted := map[string]bool{}
	for _, f := range r.Files {
		wanted[f.SHA256] = true
	}
	if r.check() != nil {
		return nil
	}
	entries, err := os.ReadDir(filepath.Join(c.repo(r.Repo), "blobs"))
	if err != nil {
		return nil
	}
	var out []part
	for _, e := range entries {
		key, isPart := strings.CutSuffix(e.Name(), partSuffix)
		if !isPart {
			continue
		}
		side, ok := readSideCar(c.blob(r.Repo, key+sideSuffix))
		if !wanted[key] && (!ok || !r.names(side.Path)) {
			continue
		}
		if info, err := e.Info(); err == nil {
			out = append(out, part{key, info.Size()})
		}
	}
	return out
}

// names reports whether an unpinned file of that path is asked for.
func (r Request) names(path string) bool {
	for _, f := range r.Files {
		if f.SHA256 == "" && f.Path == path {
			return true
		}
	}
	return false
}

// Usage is the disk space of a cache, in bytes. What is shared with another program's cache by a symbolic link does not count.
type Usage struct {
	Files   int64 `json:"files"`   // complete ones
	Partial int64 `json:"partial"` // of downloads that stopped
	Corrupt int64 `json:"corrupt"` // in quarantine, until they are fetched again or deleted
}

// Usage measures the whole cache.
func (c *Cache) Usage() Usage {
	var u Usage
	_ = filepath.WalkDir(c.Dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil //nolint:nilerr // what cannot be read is not counted
		}
		info, err := d.Info()
		if err != nil {
			return nil //nolint:nilerr // it went away meanwhile
		}
		switch blob := filepath.Base(filepath.Dir(name)) == "blobs"; {
		case blob && strings.HasSuffix(name, partSuffix):
			u.Partial += info.Size()
		case blob && strings.HasSuffix(name, corruptSuffix):
			u.Corrupt += info.Size()
		default:
			u.Files += info.Size()
		}
		return nil
	})
	return u
}
