package hub

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/files"
)

// Cache is a directory in the standard layout of the hub: models--owner--name with blobs, snapshots and refs, and .locks beside
// them. Each repository also has a folder verified, with a record of each verified file. A Cache is safe for concurrent use by
// goroutines and processes.
type Cache struct {
	Dir    string
	Shared string // another program's cache in the same layout, which is only read; "" for none

	Symlink func(target, link string) error // nil: os.Symlink; a failure means that files are moved or copied instead
	Link    func(target, link string) error // nil: os.Link

	standard string // the shared cache of NewCache
}

// NewCache returns the cache in dir, which need not exist yet. shared is the user's standard hub cache, or "".
func NewCache(dir, shared string) *Cache {
	c := &Cache{Symlink: os.Symlink, Link: os.Link, standard: shared}
	c.SetDir(dir)
	return c
}

// same reports whether two paths are the same directory.
func same(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

func (c *Cache) repo(repo string) string { return filepath.Join(c.Dir, repoDir(repo)) }

func (c *Cache) blob(repo, key string) string { return filepath.Join(c.repo(repo), "blobs", key) }

func (c *Cache) ref(repo, revision string) string {
	return filepath.Join(c.repo(repo), "refs", filepath.FromSlash(revision))
}

func (c *Cache) snapshot(repo, commit string) string {
	return filepath.Join(c.repo(repo), "snapshots", commit)
}

func (c *Cache) file(repo, commit, path string) string {
	return filepath.Join(c.snapshot(repo, commit), filepath.FromSlash(path))
}

// commit returns the commit of a revision. That of a branch or tag was stored by an earlier download.
func (c *Cache) commit(r Request) (string, bool) {
	if isCommit(r.Revision) {
		return r.Revision, true
	}
	raw, err := os.ReadFile(c.ref(r.Repo, r.Revision))
	commit := strings.TrimSpace(string(raw))
	return commit, err == nil && isCommit(commit)
}

// setRef stores the commit of a branch or tag.
func (c *Cache) setRef(r Request, commit string) error {
	if isCommit(r.Revision) {
		return nil
	}
	return c.write(c.ref(r.Repo, r.Revision), []byte(commit))
}

// tag marks the directory as a cache for backup programs (bford.info/cachedir).
func (c *Cache) tag() error {
	name := filepath.Join(c.Dir, "CACHEDIR.TAG")
	if _, err := os.Stat(name); err == nil {
		return nil
	}
	return c.write(name, []byte("Signature: 8a477f597d28d172789f06886806bc55\n# Models that can be downloaded again.\n"))
}

// write replaces a small file in one step, and creates its folder.
func (c *Cache) write(name string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return c.failed("make a folder", err)
	}
	return c.failed("write "+filepath.Base(name), files.Write(name, content, 0o644))
}

// failed returns the error of a file operation with its code. A missing folder means that somebody moved the directory.
func (c *Cache) failed(op string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return backend.E(backend.CodeDownloadFailed, "The models directory was moved or removed during the download.",
			"Choose the directory again and start the download. It resumes where it left off.").
			With("directory", c.Dir).WithCause(fmt.Errorf("%s: %w", op, err))
	}
	return backend.FileError(op, "the models directory", err)
}
