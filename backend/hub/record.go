package hub

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// record is stored for each verified file, with its size and time: a file that changed later is not trusted.
type record struct {
	Size     int64  `json:"size"`
	SHA256   string `json:"sha256"`
	Modified int64  `json:"modified"` // nanoseconds since 1970
}

const recordSuffix = ".json"

// record returns the path of a file's record.
func (c *Cache) record(repo, commit, path string) string {
	return filepath.Join(c.repo(repo), "verified", commit, url.PathEscape(path)+recordSuffix)
}

// recorded returns the paths of the files of a commit that have a record.
func (c *Cache) recorded(repo, commit string) []string {
	entries, _ := os.ReadDir(filepath.Join(c.repo(repo), "verified", commit)) // an unreadable folder has no records
	var paths []string
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), recordSuffix)
		path, err := url.PathUnescape(name)
		if ok && err == nil && checkPath(path) == nil {
			paths = append(paths, path)
		}
	}
	return paths
}

// readRecord reports false when there is no valid record.
func (c *Cache) readRecord(repo, commit, path string) (record, bool) {
	raw, err := os.ReadFile(c.record(repo, commit, path))
	if err != nil {
		return record{}, false
	}
	var r record
	err = json.Unmarshal(raw, &r)
	return r, err == nil && r.Size >= 0 && hashName.MatchString(r.SHA256)
}

// verified returns size and SHA-256 of a file that is verified and unchanged and matches the pin of f.
func (c *Cache) verified(repo, commit string, f File) (File, bool) {
	r, ok := c.readRecord(repo, commit, f.Path)
	if !ok {
		return File{}, false
	}
	return c.unchanged(repo, commit, f, r)
}

// unchanged returns size and SHA-256 of a file whose size and time match its record, and whose hash matches the pin of f.
func (c *Cache) unchanged(repo, commit string, f File, r record) (File, bool) {
	info, err := os.Stat(c.file(repo, commit, f.Path))
	if err != nil || !info.Mode().IsRegular() || info.Size() != r.Size || info.ModTime().UnixNano() != r.Modified {
		return File{}, false
	}
	if f.SHA256 != "" && (f.SHA256 != r.SHA256 || f.Size != r.Size) {
		return File{}, false
	}
	return File{Path: f.Path, Size: r.Size, SHA256: r.SHA256}, true
}

// writeRecord records that a file of a snapshot is verified, and removes the quarantined file that it replaces.
func (c *Cache) writeRecord(repo, commit, path, sha string) error {
	info, err := os.Stat(c.file(repo, commit, path))
	if err != nil {
		return c.failed("read the time of a file", err)
	}
	raw, err := json.Marshal(record{Size: info.Size(), SHA256: sha, Modified: info.ModTime().UnixNano()})
	if err != nil {
		return fmt.Errorf("encode the record of a file: %w", err)
	}
	if err := c.write(c.record(repo, commit, path), raw); err != nil {
		return err
	}
	_, _ = c.removeQuarantined(repo, commit, path) // it only takes space; a delete tries again
	return nil
}

// removeRecord removes the record of a file, which is no longer trusted.
func (c *Cache) removeRecord(repo, commit, path string) {
	_ = os.Remove(c.record(repo, commit, path))
}
