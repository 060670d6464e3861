package hub

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Remove removes the files of s from this cache and returns the freed bytes. Entries of keep stay, and so does a blob to which
// another entry of the repository links. The shared cache is never changed: of a file that it holds, only the link in this
// cache is removed, which frees nothing.
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
	c.removeEmptyFolders(s)
	return freed, nil
}

// removeEntry removes one file of a snapshot, its record and its blob, and returns the freed bytes.
func (c *Cache) removeEntry(s Snapshot, f File, place string) (int64, error) {
	real := realPath(place)
	var freed int64
	if info, err := os.Stat(place); err == nil && !c.isShared(real) && !c.alsoShared(s, f, info) {
		freed = info.Size()
	}
	c.removeRecord(s.Repo, s.Revision, f.Path)
	bad, err := c.removeQuarantined(s.Repo, s.Revision, f.Path)
	if err := errors.Join(err, removeFile(place)); err != nil {
		return 0, c.errFailed("remove a file", err)
	}
	if bad != nil && !c.alsoShared(s, f, bad) {
		freed += bad.Size()
	}
	if !c.inBlobs(s.Repo, real) {
		return freed, nil // a plain file, or one of the shared cache
	}
	if c.isNeeded(s.Repo, real) {
		return 0, nil
	}
	if err := removeFile(real); err != nil {
		return 0, c.errFailed("remove a file", err)
	}
	return freed, nil
}

// realPath resolves links; it returns "" for a broken link.
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

// removeEmptyFolders removes the empty folders of a snapshot, and the refs to a commit without files.
func (c *Cache) removeEmptyFolders(s Snapshot) {
	removeEmpty(c.snapshot(s.Repo, s.Revision))
	if _, err := os.Stat(c.snapshot(s.Repo, s.Revision)); err != nil {
		refs := filepath.Join(c.repo(s.Repo), "refs")
		_ = filepath.WalkDir(refs, func(name string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return nil //nolint:nilerr // unreadable refs stay
			}
			if raw, err := os.ReadFile(name); err == nil && strings.TrimSpace(string(raw)) == s.Revision {
				_ = os.Remove(name)
			}
			return nil
		})
	}
	removeEmpty(c.repo(s.Repo))
}

// removeEmpty removes a folder when it and its subfolders hold no files; os.Remove refuses other folders.
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

// removeFile removes a file that need not exist.
func removeFile(name string) error {
	if err := os.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
