package hub

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/files"
)

const (
	partSuffix = ".resume.incomplete"
	sideSuffix = ".resume.json"

	saveEvery = 64 << 20 // bytes between two side-cars
	tailSize  = 64 << 10 // bytes before the saved state that are compared at a resume

	maxSideCar = 1 << 20 // bytes of a side-car
)

// partial is a partial file: the bytes on the disk, and their digest.
type partial struct {
	cache   *Cache
	want    target
	name    string
	side    string
	file    *os.File
	digest  *digest
	size    int64 // bytes on disk, all of them in the digest
	url     string
	etag    string
	saved   int64 // size at the last side-car
	resumed bool  // the digest started from a saved state: the bytes before it were not read again

	mu     sync.Mutex // guards the side-car against a late save
	closed bool
	saving chan error // receives the result of the running save; nil when none runs
}

// openPartial opens or creates the partial file of a target. Bytes that no side-car covers are hashed again.
func (c *Cache) openPartial(ctx context.Context, repo string, t target) (*partial, error) {
	p := &partial{
		cache: c, want: t, digest: newDigest(t),
		name: c.blob(repo, t.key()+partSuffix), side: c.blob(repo, t.key()+sideSuffix),
	}
	if err := os.MkdirAll(filepath.Dir(p.name), 0o755); err != nil {
		return nil, c.errFailed("make a folder", err)
	}
	var err error
	if p.file, err = openOwn(p.name); err != nil {
		return nil, c.errFailed("open a partial file", err)
	}
	if err := p.resume(ctx); err != nil {
		_ = p.file.Close()
		return nil, c.errFailed("read a partial file", err)
	}
	return p, nil
}

// openOwn opens or creates a file of the cache for writing. Anything but a regular file, such as a symbolic link that somebody
// put there, is removed and never followed.
func openOwn(name string) (*os.File, error) {
	info, err := os.Lstat(name)
	if err == nil && info.Mode().IsRegular() {
		return os.OpenFile(name, os.O_RDWR|noFollow, 0)
	}
	if err == nil {
		err = os.Remove(name)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o644)
}

// resume restores the digest from the side-car, and hashes the bytes after it.
func (p *partial) resume(ctx context.Context) error {
	info, err := p.file.Stat()
	if err != nil {
		return err
	}
	if info.Size() > p.want.Size {
		return p.restart()
	}
	if s, ok := readSideCar(p.side); ok && s.Size == p.want.Size && s.SHA256 == p.want.SHA256 {
		p.url, p.etag = s.URL, s.ETag
		if s.Offset <= info.Size() && bytes.Equal(s.Tail, p.tail(s.Offset)) && p.digest.restore(s.State, s.GitState) == nil {
			p.size, p.resumed = s.Offset, s.Offset > 0
		} else {
			p.digest = newDigest(p.want)
		}
	}
	n, err := files.Stream(ctx, p.digest, io.NewSectionReader(p.file, p.size, info.Size()-p.size))
	p.size += n
	p.saved = p.size
	return err
}

// tail returns the SHA-256 of the bytes just before offset, nil when they cannot be read.
func (p *partial) tail(offset int64) []byte {
	n := min(offset, tailSize)
	h := sha256.New()
	if m, err := io.Copy(h, io.NewSectionReader(p.file, offset-n, n)); err != nil || m != n {
		return nil
	}
	return h.Sum(nil)
}

// verify reports whether the file on the disk has the wanted content. After a resume it reads all bytes again, as those before
// the saved state may have changed.
func (p *partial) verify(ctx context.Context) (bool, error) {
	if !p.digest.matches(p.want) {
		return false, nil
	}
	if !p.resumed {
		return true, nil
	}
	again := newDigest(p.want)
	if _, err := files.Stream(ctx, again, io.NewSectionReader(p.file, 0, p.size)); err != nil {
		return false, err
	}
	p.digest, p.resumed = again, false
	return again.matches(p.want), nil
}

// restart empties the file and removes its side-car.
func (p *partial) restart() error {
	if err := p.file.Truncate(0); err != nil {
		return err
	}
	p.size, p.saved, p.resumed, p.etag, p.url, p.digest = 0, 0, false, "", "", newDigest(p.want)
	return errors.Join(p.waitForSave(), removeFile(p.side))
}

// grow appends body until the file has its full size, and hashes it in parallel. onRead is called with the number of bytes of
// each read.
func (p *partial) grow(body io.Reader, onRead func(n int)) error {
	if _, err := p.file.Seek(p.size, io.SeekStart); err != nil {
		return &diskError{err}
	}
	h := startHasher(p.digest)
	defer h.close()
	for p.size < p.want.Size {
		block := <-h.free
		n, err := body.Read(block[:min(int64(blockSize), p.want.Size-p.size)])
		if _, werr := p.file.Write(block[:n]); werr != nil {
			h.free <- block
			return p.truncateAfter(werr)
		}
		h.full <- block[:n]
		p.size += int64(n)
		onRead(n)
		if p.size-p.saved >= saveEvery {
			h.wait()
			if err := p.saveState(); err != nil {
				return &diskError{err}
			}
		}
		if err != nil && p.size < p.want.Size {
			return err
		}
	}
	return nil
}

// truncateAfter removes the bytes of a failed write, so that the file matches the digest.
func (p *partial) truncateAfter(cause error) error {
	return &diskError{errors.Join(cause, p.file.Truncate(p.size))}
}

// diskError marks an error of the disk, as opposed to one of the connection.
type diskError struct{ err error }

func (e *diskError) Error() string { return e.err.Error() }

func (e *diskError) Unwrap() error { return e.err }

// saveState syncs the data and writes the side-car while the download continues. It does nothing while the last save runs, and
// returns the error of the last save.
func (p *partial) saveState() error {
	if p.saving != nil {
		select {
		case err := <-p.saving:
			p.saving = nil
			if err != nil {
				return err
			}
		default:
			p.saved = p.size
			return nil
		}
	}
	s, err := p.sideCar()
	if err != nil {
		return err
	}
	p.saved = p.size
	done := make(chan error, 1)
	p.saving = done
	file := p.file
	go func() {
		done <- backend.Contain(func() error {
			if err := files.Sync(file); err != nil && !errors.Is(err, os.ErrClosed) {
				return err
			}
			return p.writeSideCar(s)
		})
	}()
	return nil
}

// saveSource stores the address and etag before the first byte, so that they survive a killed process.
func (p *partial) saveSource(address, etag string) error {
	if p.url == address && p.etag == etag {
		return nil
	}
	if err := p.waitForSave(); err != nil {
		return err
	}
	p.url, p.etag = address, etag
	s, err := p.sideCar()
	if err != nil {
		return err
	}
	return p.writeSideCar(s)
}

// waitForSave waits for the running save and returns its error.
func (p *partial) waitForSave() error {
	if p.saving == nil {
		return nil
	}
	err := <-p.saving
	p.saving = nil
	return err
}

const saveTimeout = 50 * time.Millisecond // how long a stop waits for a slow disk

// stop closes an unfinished file and saves its state. It does not wait for the data to be synced: a state that a power cut
// makes wrong is found by the tail or the checksum.
func (p *partial) stop() {
	if p.saving != nil {
		late := time.NewTimer(saveTimeout)
		defer late.Stop()
		select {
		case err := <-p.saving:
			_ = err // the next start reads the file itself
		case <-late.C:
		}
	}
	if s, err := p.sideCar(); err == nil && p.size > 0 {
		_ = p.writeSideCar(s)
	}
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	_ = p.file.Close()
	if p.size == 0 {
		_ = errors.Join(removeFile(p.name), removeFile(p.side))
	}
}

// finish syncs and closes a complete file, and removes its side-car.
func (p *partial) finish() error {
	err := errors.Join(p.waitForSave(), files.Sync(p.file))
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	return errors.Join(err, p.file.Close(), removeFile(p.side))
}
