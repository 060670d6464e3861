package hub

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// record is stored for each verified file, with its size and time: a file that changed later is not trusted.
type record struct {
	Size     int64  `json:"size"`
	SHA256   string `json:"sha256"`
	Modified int64  `json:"modified"` // nanoseconds since 1970
}

const recordSuffix = ".json"

// records say which files of the layout are verified, and which were quarantined.
type records struct{ layout }

// record returns the path of a file's record.
func (s *records) record(repo, commit, path string) string {
	return filepath.Join(s.repo(repo), "verified", commit, url.PathEscape(path)+recordSuffix)
}

// recorded returns the paths of the files of a commit that have a record.
func (s *records) recorded(repo, commit string) []string {
	entries, _ := os.ReadDir(filepath.Join(s.repo(repo), "verified", commit)) // an unreadable folder has no records
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
func (s *records) readRecord(repo, commit, path string) (record, bool) {
	raw, err := os.ReadFile(s.record(repo, commit, path))
	if err != nil {
		return record{}, false
	}
	var r record
	err = json.Unmarshal(raw, &r)
	return r, err == nil && r.Size >= 0 && hashName.MatchString(r.SHA256)
}

// verified returns size and SHA-256 of a file that is verified and unchanged and matches the pin of f.
func (s *records) verified(repo, commit string, f File) (File, bool) {
	r, ok := s.readRecord(repo, commit, f.Path)
	if !ok {
		return File{}, false
	}
	return s.unchanged(repo, commit, f, r)
}

// unchanged returns size and SHA-256 of a file whose size and time match its record, and whose hash matches the pin of f.
func (s *records) unchanged(repo, commit string, f File, r record) (File, bool) {
	info, err := os.Stat(s.file(repo, commit, f.Path))
	if err != nil || !info.Mode().IsRegular() || info.Size() != r.Size || info.ModTime().UnixNano() != r.Modified {
		return File{}, false
	}
	if f.SHA256 != "" && (f.SHA256 != r.SHA256 || f.Size != r.Size) {
		return File{}, false
	}
	return File{Path: f.Path, Size: r.Size, SHA256: r.SHA256}, true
}

// writeRecord records that a file of a snapshot is verified, and removes the quarantined file that it replaces.
func (s *records) writeRecord(repo, commit, path, sha string) error {
	info, err := os.Stat(s.file(repo, commit, path))
	if err != nil {
		return s.errFailed("read the time of a file", err)
	}
	raw, err := json.Marshal(record{Size: info.Size(), SHA256: sha, Modified: info.ModTime().UnixNano()})
	if err != nil {
		return fmt.Errorf("encode the record of a file: %w", err)
	}
	if err := s.write(s.record(repo, commit, path), raw); err != nil {
		return err
	}
	_, _ = s.removeQuarantined(repo, commit, path) // it only takes space; a delete tries again
	return nil
}

// removeRecord removes the record of a file, which is no longer trusted.
func (s *records) removeRecord(repo, commit, path string) {
	_ = os.Remove(s.record(repo, commit, path))
}

// verifiedCommits returns the commits that have verified files, the one with the newest record first.
func (s *records) verifiedCommits(repo string) []string {
	dir := filepath.Join(s.repo(repo), "verified")
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	type dated struct {
		commit string
		newest int64
	}
	var all []dated
	for _, e := range entries {
		if !isCommit(e.Name()) {
			continue
		}
		d := dated{commit: e.Name()}
		records, _ := os.ReadDir(filepath.Join(dir, d.commit)) // an unreadable folder has no records
		for _, record := range records {
			if info, err := record.Info(); err == nil && strings.HasSuffix(record.Name(), recordSuffix) {
				d.newest = max(d.newest, info.ModTime().UnixNano())
			}
		}
		all = append(all, d)
	}
	slices.SortFunc(all, func(a, b dated) int {
		return cmp.Or(cmp.Compare(b.newest, a.newest), cmp.Compare(a.commit, b.commit))
	})
	out := make([]string, len(all))
	for i, d := range all {
		out[i] = d.commit
	}
	return out
}
