package hub

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
)

// record says that a file was verified, and how it looked then: a file that anyone changed later is not trusted.
type record struct {
	Size     int64  `json:"size"`
	SHA256   string `json:"sha256"`
	Modified int64  `json:"modified"` // nanoseconds since 1970
}

const recordSuffix = ".json"

func (c *Cache) record(repo, commit, path string) string {
	return filepath.Join(c.repo(repo), "verified", commit, url.PathEscape(path)+recordSuffix)
}

func (c *Cache) readRecord(repo, commit, path string) (record, bool) {
	raw, err := os.ReadFile(c.record(repo, commit, path))
	if err != nil {
		return record{}, false
	}
	var r record
	err = json.Unmarshal(raw, &r)
	return r, err == nil && r.Size >= 0 && hashName.MatchString(r.SHA256)
}

// verified gives size and SHA-256 of a file that is there, was verified and has not changed, and is what f pins.
func (c *Cache) verified(repo, commit string, f File) (File, bool) {
	r, ok := c.readRecord(repo, commit, f.Path)
	if !ok {
		return File{}, false
	}
	return c.unchanged(repo, commit, f, r)
}

// unchanged gives size and SHA-256 of a file that looks as its record says and is what f pins.
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

// vouch records that a file in its place is what it should be. What lay in quarantine in its stead goes.
func (c *Cache) vouch(repo, commit, path, sha string) error {
	info, err := os.Stat(c.file(repo, commit, path))
	if err != nil {
		return c.failed("look at a file", err)
	}
	raw, err := json.Marshal(record{Size: info.Size(), SHA256: sha, Modified: info.ModTime().UnixNano()})
	if err != nil {
		return fmt.Errorf("encode the record of a file: %w", err)
	}
	if err := c.write(c.record(repo, commit, path), raw); err != nil {
		return err
	}
	_, _ = c.release(repo, commit, path) // nothing depends on it; a delete tries again
	return nil
}

// doubt takes the record of a file back.
func (c *Cache) doubt(repo, commit, path string) {
	_ = os.Remove(c.record(repo, commit, path))
}
