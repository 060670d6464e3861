package hub

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// corruptSuffix ends the name of a quarantined blob, which readers of the cache ignore.
const corruptSuffix = ".corrupt"

// quarantine hides a corrupt file from all readers of the cache. A file of this cache becomes blobs/<name>.corrupt; of a file
// of the shared cache, which is only read, the link is removed. All other entries of the repository that are or link to the
// file are removed too, with their records. read is the file that was read; when another file has replaced it since, that one
// stays.
func (c *Cache) quarantine(s Snapshot, f File, read fs.FileInfo) error {
	place := c.file(s.Repo, s.Revision, f.Path)
	if !isFile(place, read) {
		return nil
	}
	real := realPath(place)
	entries := c.entriesOf(s.Repo, read)
	var errs []error
	if name, ours := c.ownName(s.Repo, place, real, f); ours {
		for _, e := range entries {
			errs = append(errs, c.write(c.quarantineRecord(s.Repo, e.commit, e.path), []byte(name)))
		}
		errs = append(errs, os.MkdirAll(filepath.Dir(c.blob(s.Repo, name)), 0o755), os.Rename(real, c.blob(s.Repo, name+corruptSuffix)))
	}
	for _, e := range entries {
		c.removeRecord(s.Repo, e.commit, e.path)
		errs = append(errs, removeFile(c.file(s.Repo, e.commit, e.path)))
	}
	return errors.Join(errs...)
}

// isFile reports whether path still is the file that was read; nil means that there was none.
func isFile(place string, read fs.FileInfo) bool {
	now, err := os.Stat(place)
	if err != nil || read == nil {
		return err != nil && read == nil
	}
	return os.SameFile(read, now)
}

// ownName returns the name of the blob at a path, or to which it links. ours is false for a file of the shared cache.
func (c *Cache) ownName(repo, place, real string, f File) (name string, ours bool) {
	if c.inBlobs(repo, real) {
		return filepath.Base(real), true
	}
	info, err := os.Lstat(place)
	return f.SHA256, err == nil && info.Mode().IsRegular()
}

// snapshotEntry is a file of a snapshot.
type snapshotEntry struct{ commit, path string }

// entriesOf returns the entries of all snapshots of a repository that are the file or link to it.
func (c *Cache) entriesOf(repo string, file fs.FileInfo) []snapshotEntry {
	snapshots := filepath.Join(c.repo(repo), "snapshots")
	var out []snapshotEntry
	_ = filepath.WalkDir(snapshots, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil //nolint:nilerr // unreadable entries link to nothing
		}
		info, err := os.Stat(name)
		if err != nil || !os.SameFile(info, file) {
			return nil //nolint:nilerr // a broken link
		}
		rel, err := filepath.Rel(snapshots, name)
		commit, path, ok := strings.Cut(filepath.ToSlash(rel), "/")
		if err == nil && ok && checkPath(path) == nil {
			out = append(out, snapshotEntry{commit, path})
		}
		return nil
	})
	return out
}

// quarantineRecord returns the path of the file that names the quarantined blob of an entry, for when the entry is removed.
func (s *records) quarantineRecord(repo, commit, path string) string {
	return strings.TrimSuffix(s.record(repo, commit, path), recordSuffix) + corruptSuffix
}

// removeQuarantined removes the quarantined blob of an entry and returns its file info, nil when there is none. After an error
// the record stays for the next attempt.
func (s *records) removeQuarantined(repo, commit, path string) (fs.FileInfo, error) {
	record := s.quarantineRecord(repo, commit, path)
	raw, err := os.ReadFile(record)
	if err != nil || !isBlob(string(raw)) {
		return nil, removeFile(record)
	}
	name := s.blob(repo, string(raw)+corruptSuffix)
	info, err := os.Stat(name)
	if err != nil {
		return nil, removeFile(record)
	}
	return info, errors.Join(removeFile(name), removeFile(record))
}
