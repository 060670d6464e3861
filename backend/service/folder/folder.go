// Package folder implements service.Files in one folder of this machine.
package folder

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend/files"
	"github.com/voicewright/voicewright/backend/service"
)

// Folder is an open folder. All methods are safe for concurrent use, also by several processes.
type Folder struct {
	dir     string
	sync    func(*os.File) error // writes the content of a file to the disk
	syncDir func(string) error   // and the names in a folder
	checked check
}

// check is what Ready found last.
type check struct {
	mu     sync.Mutex
	until  time.Time // how long it holds
	folder fs.FileInfo
}

// checkHolds is how long the folder counts as ready while it does not change: everybody may ask, and each check writes.
const checkHolds = 2 * time.Second

var _ service.Files = (*Folder)(nil)

// partPrefix begins the names of files that are being written; no valid name begins with it.
const partPrefix = ".part-"

const staleAfter = time.Hour // nobody writes a file for so long

// Open creates the folder (mode 0700) if it is missing, checks that it can be written, and removes what processes that were killed
// more than an hour ago left half written.
func Open(dir string) (*Folder, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("open folder of files: %w", err)
	}
	f := &Folder{dir: dir, sync: files.Sync, syncDir: files.SyncDir}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("open folder of files: %w", err)
	}
	if err := f.probe(nil); err != nil {
		return nil, fmt.Errorf("open folder of files: %w", err)
	}
	return f, f.sweep(time.Now())
}

// probeSize is a second of MP3. An empty file can often be made on a full disk.
const probeSize = 16 << 10

// Ready implements service.Files: it writes a file and removes it, unless it did a moment ago.
func (f *Folder) Ready(context.Context) error {
	c := &f.checked
	c.mu.Lock()
	defer c.mu.Unlock()
	if info, err := os.Stat(f.dir); err == nil && time.Now().Before(c.until) && sameState(info, c.folder) {
		return nil
	}
	c.until = time.Time{}
	err := f.probe(make([]byte, probeSize))
	if err == nil {
		c.folder, err = os.Stat(f.dir)
	}
	if err != nil {
		return storageError("check folder of files", err)
	}
	c.until = time.Now().Add(checkHolds)
	return nil
}

// sameState reports whether a folder is the same one, with the same permissions and names.
func sameState(a, b fs.FileInfo) bool {
	return os.SameFile(a, b) && a.Mode() == b.Mode() && a.ModTime().Equal(b.ModTime())
}

// probe writes a file with content and removes it.
func (f *Folder) probe(content []byte) error {
	path := f.part()
	err := os.WriteFile(path, content, 0o600)
	if removed := os.Remove(path); err == nil {
		err = removed
	}
	return err
}

// part returns a path for a file that is being written.
func (f *Folder) part() string { return filepath.Join(f.dir, partPrefix+rand.Text()) }

// sweep removes half-written files of killed processes.
func (f *Folder) sweep(now time.Time) error {
	entries, err := os.ReadDir(f.dir)
	if err != nil {
		return fmt.Errorf("open folder of files: %w", err)
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !strings.HasPrefix(e.Name(), partPrefix) || now.Sub(info.ModTime()) < staleAfter {
			continue
		}
		_ = os.Remove(filepath.Join(f.dir, e.Name())) // else at the next start
	}
	return nil
}

// validName matches names that mean a file of the folder on every system.
var validName = regexp.MustCompile(`^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$`)

// path returns where a file is. Error: service.ErrNotFound for a name that no file can have.
func (f *Folder) path(name string) (string, error) {
	if !validName.MatchString(name) || !filepath.IsLocal(name) {
		return "", fmt.Errorf("invalid file name: %w", service.ErrNotFound)
	}
	return filepath.Join(f.dir, name), nil
}

// Create implements service.Files. The file and its name are on the disk when it returns.
func (f *Folder) Create(ctx context.Context, name string, write func(io.Writer) error) error {
	path, err := f.path(name)
	if err != nil {
		return fmt.Errorf("create file: %w", err)
	}
	part := f.part()
	file, err := os.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return storageError("create file", err)
	}
	defer func() {
		_ = file.Close()    // also when write panics; a second Close does nothing
		_ = os.Remove(part) // after success there is none
	}()
	err = errors.Join(write(file), ctx.Err())
	if err == nil {
		err = f.sync(file)
	}
	if err := errors.Join(err, file.Close()); err != nil {
		return storageError("create file", err)
	}
	if err := errors.Join(os.Rename(part, path), f.syncDir(f.dir)); err != nil {
		return storageError("create file", err)
	}
	return nil
}

// Open implements service.Files.
func (f *Folder) Open(_ context.Context, name string) (io.ReadSeekCloser, int64, error) {
	path, err := f.path(name)
	if err != nil {
		return nil, 0, err
	}
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return nil, 0, service.ErrNotFound
	}
	if err != nil {
		return nil, 0, fmt.Errorf("open file: %w", err)
	}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, service.ErrNotFound
	}
	if err != nil {
		return nil, 0, fmt.Errorf("open file: %w", err)
	}
	return file, info.Size(), nil
}

// Delete implements service.Files. A reader that has the file open can read on.
func (f *Folder) Delete(_ context.Context, name string) error {
	path, err := f.path(name)
	if err != nil {
		return fmt.Errorf("delete file: %w", err)
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("delete file: %w", err)
	}
	return nil
}

// Names implements service.Files.
func (f *Folder) Names(ctx context.Context) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		entries, err := os.ReadDir(f.dir)
		if err = errors.Join(err, ctx.Err()); err != nil {
			yield("", fmt.Errorf("list files: %w", err))
			return
		}
		for _, e := range entries {
			if e.Type().IsRegular() && validName.MatchString(e.Name()) && !yield(e.Name(), nil) {
				return
			}
		}
	}
}
