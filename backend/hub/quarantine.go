package hub

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// corruptSuffix ends the name of a blob whose bytes are wrong, where no reader of the cache takes it.
const corruptSuffix = ".corrupt"

// quarantine takes a file whose bytes are wrong away from all readers of the cache. A file of our own becomes
// blobs/<name>.corrupt; of another program's, which is only read, our link goes. With it go all other entries of the
// repository that lead to the file, and their records. read is the file that was read: one that stands in its place now
// and is another stays.
func (c *Cache) quarantine(s Snapshot, f File, read fs.FileInfo) error {
	place := c.file(s.Repo, s.Revision, f.Path)
	if !stands(place, read) {
		return nil
	}
	real := realPath(place)
	entries := c.leadTo(s.Repo, read)
	var errs []error
	if name, ours := c.ownName(s.Repo, place, real, f); ours {
		for _, e := range entries {
			errs = append(errs, c.write(c.note(s.Repo, e.commit, e.path), []byte(name)))
		}
		errs = append(errs, os.MkdirAll(filepath.Dir(c.blob(s.Repo, name)), 0o755), os.Rename(real, c.blob(s.Repo, name+corruptSuffix)))
	}
	for _, e := range entries {
		c.doubt(s.Repo, e.commit, e.path)
		errs = append(errs, drop(c.file(s.Repo, e.commit, e.path)))
	}
	return errors.Join(errs...)
}

// stands reports whether the file that was read is still the one in that place; nil was none.
func stands(place string, read fs.FileInfo) bool {
	now, err := os.Stat(place)
	if err != nil || read == nil {
		return err != nil && read == nil
	}
	return os.SameFile(read, now)
}

// ownName gives the name of the blob that a place holds or leads to; ours is false for another program's file.
func (c *Cache) ownName(repo, place, real string, f File) (name string, ours bool) {
	if c.inBlobs(repo, real) {
		return filepath.Base(real), true
	}
	info, err := os.Lstat(place)
	return f.SHA256, err == nil && info.Mode().IsRegular()
}

// inBlobs reports whether a real file is a blob of this cache.
func (c *Cache) inBlobs(repo, real string) bool {
	blobs := realPath(filepath.Join(c.repo(repo), "blobs"))
	return real != "" && blobs != "" && filepath.Dir(real) == blobs
}

// led is an entry of a snapshot.
type led struct{ commit, path string }

// leadTo lists the entries of all snapshots of a repository that are a file or lead to it.
func (c *Cache) leadTo(repo string, file fs.FileInfo) []led {
	snapshots := filepath.Join(c.repo(repo), "snapshots")
	var out []led
	_ = filepath.WalkDir(snapshots, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil //nolint:nilerr // what cannot be read leads nowhere
		}
		info, err := os.Stat(name)
		if err != nil || !os.SameFile(info, file) {
			return nil //nolint:nilerr // a link that leads nowhere
		}
		rel, err := filepath.Rel(snapshots, name)
		commit, path, ok := strings.Cut(filepath.ToSlash(rel), "/")
		if err == nil && ok && checkPath(path) == nil {
			out = append(out, led{commit, path})
		}
		return nil
	})
	return out
}

// note is where it stands which blob of an entry lies in quarantine: once the entry is gone, nothing else tells it.
func (c *Cache) note(repo, commit, path string) string {
	return strings.TrimSuffix(c.record(repo, commit, path), recordSuffix) + corruptSuffix
}

// release removes what lies in quarantine of an entry and gives its size. Without success the note stays, for the next time.
func (c *Cache) release(repo, commit, path string) (fs.FileInfo, error) {
	note := c.note(repo, commit, path)
	raw, err := os.ReadFile(note)
	if err != nil || !isBlob(string(raw)) {
		return nil, drop(note)
	}
	name := c.blob(repo, string(raw)+corruptSuffix)
	info, err := os.Stat(name)
	if err != nil {
		return nil, drop(note)
	}
	return info, errors.Join(drop(name), drop(note))
}
