package hub

import (
	"context"
	"fmt"
	"os"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/files"
)

// Verify reads every byte of the snapshot's files and compares the hashes. Each corrupt file is quarantined: readers of the cache
// no longer find it, and the next Download replaces it. checked is called with the bytes read so far, and may be nil.
// Errors: checksum_mismatch and not_permitted (another program has it open) with `file` for the first such file, cancelled.
func (c *Cache) Verify(ctx context.Context, s Snapshot, checked func(bytes int64)) error {
	var done int64
	var first error
	for _, f := range s.Files {
		err := c.verifyFile(ctx, s, f, func(n int) {
			done += int64(n)
			if checked != nil {
				checked(done)
			}
		})
		if ctx.Err() != nil {
			return backend.ErrCancelled.WithCause(ctx.Err())
		}
		if err != nil && (first == nil || backend.CodeOf(first) == backend.CodeNotPermitted) { // a corrupt file says more than an open one
			first = err
		}
	}
	return first
}

// verifyFile compares the bytes of a file with its hash. A missing or unreadable file is no longer trusted, and a corrupt one is
// quarantined. One that another program has open stays trusted: not_permitted.
func (c *Cache) verifyFile(ctx context.Context, s Snapshot, f File, onRead func(n int)) error {
	place := c.file(s.Repo, s.Revision, f.Path)
	before, err := os.Stat(place)
	if err != nil {
		before = nil
	}
	t := target{File: f}
	d := newDigest(t)
	if _, err = files.Read(ctx, place, tee{d, onRead}); err == nil && d.matches(t) {
		return nil
	}
	switch {
	case ctx.Err() != nil: // a file that was not read to its end stays trusted
	case backend.InUse(err):
		return backend.FileError("read a file of the model", place, err)
	case err == nil && f.SHA256 != "" && before != nil:
		err = c.quarantine(s, f, before)
	case isFile(place, before):
		c.removeRecord(s.Repo, s.Revision, f.Path)
	}
	return errMismatch(f, err)
}

// errMismatch returns checksum_mismatch with the parameter file.
func errMismatch(f File, cause error) error {
	return backend.E(backend.CodeChecksumMismatch, fmt.Sprintf("The file %s is corrupt.", f.Path),
		"Download the model again. Only this file is downloaded.").With("file", f.Path).WithCause(cause)
}

// tee hashes bytes and reports their number.
type tee struct {
	digest *digest
	onRead func(n int)
}

func (t tee) Write(b []byte) (int, error) {
	n, err := t.digest.Write(b)
	t.onRead(n)
	return n, err
}

// checkFile reads a file and compares it with its size and hash. Errors: checksum_mismatch, cancelled.
func checkFile(ctx context.Context, name string, t target) error {
	d := newDigest(t)
	if _, err := files.Read(ctx, name, d); err != nil {
		return err
	}
	if info, err := os.Stat(name); err != nil || info.Size() != t.Size || !d.matches(t) {
		return errMismatch(t.File, err)
	}
	return nil
}
