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
type Cache struct{ entries }

// layout is where the files of a cache are. Every path of the cache comes from it.
type layout struct {
	Dir      string
	Shared   string // another program's cache in the same layout, which is only read; "" for none
	standard string // the shared cache of NewCache
}

// NewCache returns the cache in dir, which need not exist yet. shared is the user's standard hub cache, or "".
func NewCache(dir, shared string) *Cache {
	c := &Cache{}
	c.Symlink, c.Link, c.standard = os.Symlink, os.Link, shared
	c.SetDir(dir)
	return c
}

// same reports whether two paths are the same directory.
func same(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

// Holds reports whether the cache has a folder for a repository, perhaps an empty one.
func (l *layout) Holds(repo string) bool {
	_, err := os.Stat(l.repo(repo))
	return !errors.Is(err, fs.ErrNotExist)
}

func (l *layout) repo(repo string) string { return filepath.Join(l.Dir, repoDir(repo)) }

func (l *layout) blob(repo, key string) string { return filepath.Join(l.repo(repo), "blobs", key) }

func (l *layout) ref(repo, revision string) string {
	return filepath.Join(l.repo(repo), "refs", filepath.FromSlash(revision))
}

func (l *layout) snapshot(repo, commit string) string {
	return filepath.Join(l.repo(repo), "snapshots", commit)
}

func (l *layout) file(repo, commit, path string) string {
	return filepath.Join(l.snapshot(repo, commit), filepath.FromSlash(path))
}

func (l *layout) lockName(repo, key string) string {
	return filepath.Join(l.Dir, ".locks", repoDir(repo), key+".lock")
}

// commit returns the commit of a revision. That of a branch or tag was stored by an earlier download.
func (l *layout) commit(r Request) (string, bool) {
	if isCommit(r.Revision) {
		return r.Revision, true
	}
	raw, err := os.ReadFile(l.ref(r.Repo, r.Revision))
	commit := strings.TrimSpace(string(raw))
	return commit, err == nil && isCommit(commit)
}

// setRef stores the commit of a branch or tag.
func (l *layout) setRef(r Request, commit string) error {
	if isCommit(r.Revision) {
		return nil
	}
	return l.write(l.ref(r.Repo, r.Revision), []byte(commit))
}

// tag marks the directory as a cache for backup programs (bford.info/cachedir).
func (l *layout) tag() error {
	name := filepath.Join(l.Dir, "CACHEDIR.TAG")
	if _, err := os.Stat(name); err == nil {
		return nil
	}
	return l.write(name, []byte("Signature: 8a477f597d28d172789f06886806bc55\n# Models that can be downloaded again.\n"))
}

// write replaces a small file in one step, and creates its folder.
func (l *layout) write(name string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return l.errFailed("make a folder", err)
	}
	return l.errFailed("write "+filepath.Base(name), files.Write(name, content, 0o644))
}

// errFailed returns the error of a file operation with its code. A missing folder means that somebody moved the directory.
func (l *layout) errFailed(op string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return backend.E(backend.CodeDownloadFailed, "The models directory was moved or removed during the download.",
			"Choose the directory again and start the download. It resumes where it left off.").
			With("directory", l.Dir).WithCause(fmt.Errorf("%s: %w", op, err))
	}
	return backend.FileError(op, "the models directory", err)
}

// dirs returns the directories of this cache and the shared one.
func (l *layout) dirs() []string {
	if l.Shared == "" {
		return []string{l.Dir}
	}
	return []string{l.Dir, l.Shared}
}

// isShared reports whether a file, after its links were resolved, is in the shared cache.
func (l *layout) isShared(name string) bool {
	if l.Shared == "" {
		return false
	}
	dir, err := filepath.EvalSymlinks(l.Shared)
	if err != nil {
		return false
	}
	rel, err := filepath.Rel(dir, name)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
