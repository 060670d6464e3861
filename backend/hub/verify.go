package hub

import (
	"context"
	"fmt"
	"os"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/files"
)

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

// checkFile reads a file whole. Errors: checksum_mismatch.
func checkFile(ctx context.Context, name string, t target) error {
	d := newDigest(t)
	if _, err := files.Read(ctx, name, d); err != nil {
		return err
	}
	if info, err := os.Stat(name); err != nil || info.Size() != t.Size || !d.matches(t) {
		return mismatch(t.File, err)
	}
	return nil
}
