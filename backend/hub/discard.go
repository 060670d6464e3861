package hub

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"
)

// Discard removes the partial files of a cancelled download of r. A file that another process is downloading stays.
func (c *Cache) Discard(r Request) error {
	for _, p := range c.partials(r) {
		lock := flock.New(c.lockName(r.Repo, p.key))
		if ok, err := lock.TryLock(); err != nil || !ok {
			continue
		}
		err := errors.Join(removeFile(c.blob(r.Repo, p.key+partSuffix)), removeFile(c.blob(r.Repo, p.key+sideSuffix)))
		_ = lock.Unlock()
		if err != nil {
			return c.errFailed("remove a partial file", err)
		}
	}
	return nil
}

// Partial returns the bytes of the partial files of r.
func (c *Cache) Partial(r Request) int64 {
	var n int64
	for _, p := range c.partials(r) {
		n += p.size
	}
	return n
}

// part is a partial file: the key of its content, and its size in bytes.
type part struct {
	key  string
	size int64
}

// partials returns the partial files of r, found by the pin, else by the path in the side-car.
func (c *Cache) partials(r Request) []part {
	wanted := map[string]bool{}
	for _, f := range r.Files {
		wanted[f.SHA256] = true
	}
	if r.check() != nil {
		return nil
	}
	entries, err := os.ReadDir(filepath.Join(c.repo(r.Repo), "blobs"))
	if err != nil {
		return nil
	}
	var out []part
	for _, e := range entries {
		key, isPart := strings.CutSuffix(e.Name(), partSuffix)
		if !isPart {
			continue
		}
		side, ok := readSideCar(c.blob(r.Repo, key+sideSuffix))
		if !wanted[key] && (!ok || !r.names(side.Path)) {
			continue
		}
		if info, err := e.Info(); err == nil {
			out = append(out, part{key, info.Size()})
		}
	}
	return out
}
