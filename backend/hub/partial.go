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

	keepEvery = 64 << 20 // bytes between two side-cars
	tailSize  = 64 << 10 // bytes before the kept state that are compared when a download goes on

	maxSideCar = 1 << 20 // bytes of a side-car that are read
)

// partial is a file on its way: what is on disk, and the digest of exactly that.
type partial struct {
	cache  *Cache
	want   target
	name   string
	side   string
	file   *os.File
	digest *digest
	size   int64 // bytes on disk, all of them in the digest
	url    string
	etag   string
	kept   int64 // size when the last side-car was begun
	taken  bool  // the digest began with a kept state: what lies before it was not read again

	mu     sync.Mutex // guards the side-car against a keeper that is late
	closed bool
	keeper chan error // the running keeper's end; nil when none runs
}

// openPartial opens what is there of the wanted file, or begins it. What cannot be trusted is hashed again.
func (c *Cache) openPartial(ctx context.Context, repo string, t target) (*partial, error) {
	p := &partial{
		cache: c, want: t, digest: newDigest(t),
		name: c.blob(repo, t.key()+partSuffix), side: c.blob(repo, t.key()+sideSuffix),
	}
	if err := os.MkdirAll(filepath.Dir(p.name), 0o755); err != nil {
		return nil, c.failed("make a folder", err)
	}
	var err error
	if p.file, err = openOwn(p.name); err != nil {
		return nil, c.failed("open a partial file", err)
	}
	if err := p.takeUp(ctx); err != nil {
		_ = p.file.Close()
		return nil, c.failed("read a partial file", err)
	}
	return p, nil
}

// openOwn opens a file of the cache for writing, or makes it. What is no regular file there, such as a symbolic link that
// somebody put there, is removed and never written through.
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

func (p *partial) takeUp(ctx context.Context) error {
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
			p.size, p.taken = s.Offset, s.Offset > 0
		} else {
			p.digest = newDigest(p.want)
		}
	}
	n, err := files.Stream(ctx, p.digest, io.NewSectionReader(p.file, p.size, info.Size()-p.size))
	p.size += n
	p.kept = p.size
	return err
}

// tail hashes the bytes just before offset; nil when they cannot be read.
func (p *partial) tail(offset int64) []byte {
	n := min(offset, tailSize)
	h := sha256.New()
	if m, err := io.Copy(h, io.NewSectionReader(p.file, offset-n, n)); err != nil || m != n {
		return nil
	}
	return h.Sum(nil)
}

// verify reports whether the file on the disk is the wanted one. A state that an earlier process kept let the download go
// on at once; now the bytes before it are read again, as anything may have happened to them.
func (p *partial) verify(ctx context.Context) (bool, error) {
	if !p.digest.matches(p.want) {
		return false, nil
	}
	if !p.taken {
		return true, nil
	}
	again := newDigest(p.want)
	if _, err := files.Stream(ctx, again, io.NewSectionReader(p.file, 0, p.size)); err != nil {
		return false, err
	}
	p.digest, p.taken = again, false
	return again.matches(p.want), nil
}

// restart drops every byte.
func (p *partial) restart() error {
	if err := p.file.Truncate(0); err != nil {
		return err
	}
	p.size, p.kept, p.taken, p.etag, p.url, p.digest = 0, 0, false, "", "", newDigest(p.want)
	return errors.Join(p.waitKeeper(), drop(p.side))
}

// grow appends body until the file has its size. The hash runs beside the reading and writing. told is called with the
// bytes of each read.
func (p *partial) grow(body io.Reader, told func(n int)) error {
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
			return p.cutBack(werr)
		}
		h.full <- block[:n]
		p.size += int64(n)
		told(n)
		if p.size-p.kept >= keepEvery {
			h.wait()
			if err := p.keepBeside(); err != nil {
				return &diskError{err}
			}
		}
		if err != nil && p.size < p.want.Size {
			return err
		}
	}
	return nil
}

// cutBack removes what a failed write left, so that file and digest agree.
func (p *partial) cutBack(cause error) error {
	return &diskError{errors.Join(cause, p.file.Truncate(p.size))}
}

// diskError tells a failure of the disk from one of the connection.
type diskError struct{ err error }

func (e *diskError) Error() string { return e.err.Error() }

func (e *diskError) Unwrap() error { return e.err }

// keepBeside notes the state while the download goes on: the data is synced first, then the side-car is written. A
// keeper that is still at work lets this turn pass; its failure is told by the next one.
func (p *partial) keepBeside() error {
	if p.keeper != nil {
		select {
		case err := <-p.keeper:
			p.keeper = nil
			if err != nil {
				return err
			}
		default:
			p.kept = p.size
			return nil
		}
	}
	s, err := p.note()
	if err != nil {
		return err
	}
	p.kept = p.size
	done := make(chan error, 1)
	p.keeper = done
	file := p.file
	go func() {
		done <- backend.Contain(func() error {
			if err := file.Sync(); err != nil && !errors.Is(err, os.ErrClosed) {
				return err
			}
			return p.writeSide(s)
		})
	}()
	return nil
}

// begun notes where the file comes from before its first byte, so that a killed process leaves the etag.
func (p *partial) begun(address, etag string) error {
	if p.url == address && p.etag == etag {
		return nil
	}
	if err := p.waitKeeper(); err != nil {
		return err
	}
	p.url, p.etag = address, etag
	s, err := p.note()
	if err != nil {
		return err
	}
	return p.writeSide(s)
}

// waitKeeper gives the end of the running keeper.
func (p *partial) waitKeeper() error {
	if p.keeper == nil {
		return nil
	}
	err := <-p.keeper
	p.keeper = nil
	return err
}

const lateKeeper = 50 * time.Millisecond // so long a stop waits for a slow disk

// stop closes an unfinished file and notes its state. It does not wait for the disk: a state that a power cut makes
// wrong is found by the tail, or by the checksum.
func (p *partial) stop() {
	if p.keeper != nil {
		late := time.NewTimer(lateKeeper)
		defer late.Stop()
		select {
		case err := <-p.keeper:
			_ = err // the next start reads what is there
		case <-late.C:
		}
	}
	if s, err := p.note(); err == nil && p.size > 0 {
		_ = p.writeSide(s)
	}
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	_ = p.file.Close()
	if p.size == 0 {
		_ = errors.Join(drop(p.name), drop(p.side))
	}
}

// finish syncs and closes a complete file; its side-car goes.
func (p *partial) finish() error {
	err := errors.Join(p.waitKeeper(), p.file.Sync())
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	return errors.Join(err, p.file.Close(), drop(p.side))
}
