package hub

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/files"
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

// Verify reads every byte of the snapshot's files again. The first wrong file is checksum_mismatch with the parameter
// `file`. Each wrong one is put into quarantine: no reader of the cache finds it any more, and the next Download fetches it.
// checked is called with the bytes read so far, and may be nil.
func (c *Cache) Verify(ctx context.Context, s Snapshot, checked func(bytes int64)) error {
	var done int64
	var first error
	for _, f := range s.Files {
		err := c.reread(ctx, s, f, func(n int) {
			done += int64(n)
			if checked != nil {
				checked(done)
			}
		})
		if ctx.Err() != nil {
			return backend.ErrCancelled.Because(ctx.Err())
		}
		if first == nil {
			first = err
		}
	}
	return first
}

// reread compares the bytes of a file with its hash. A file that is gone or cannot be read is no more trusted, and one whose
// bytes are wrong goes into quarantine.
func (c *Cache) reread(ctx context.Context, s Snapshot, f File, told func(n int)) error {
	place := c.file(s.Repo, s.Revision, f.Path)
	before, err := os.Stat(place)
	if err != nil {
		before = nil
	}
	t := target{File: f}
	d := newDigest(t)
	if _, err = files.Read(ctx, place, tee{d, told}); err == nil && d.matches(t) {
		return nil
	}
	switch {
	case ctx.Err() != nil: // what was not read to its end is not doubted
	case err == nil && f.SHA256 != "" && before != nil:
		err = c.quarantine(s, f, before)
	case stands(place, before):
		c.doubt(s.Repo, s.Revision, f.Path)
	}
	return mismatch(f, err)
}

func mismatch(f File, cause error) error {
	return backend.E(backend.CodeChecksumMismatch, fmt.Sprintf("The file %s is not what it should be.", f.Path),
		"Download the model again; only the damaged file is fetched.").With("file", f.Path).Because(cause)
}

// tee hashes and tells how much.
type tee struct {
	digest *digest
	told   func(n int)
}

func (t tee) Write(b []byte) (int, error) {
	n, err := t.digest.Write(b)
	t.told(n)
	return n, err
}
