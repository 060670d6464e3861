package hub

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/voicewright/voicewright/backend/files"
)

// entries are the files of the snapshots, each a link to a blob or a file itself, with its record.
type entries struct {
	records

	Symlink func(target, link string) error // nil: os.Symlink; a failure means that files are moved or copied instead
	Link    func(target, link string) error // nil: os.Link
}

// storeBlob moves a downloaded and verified file to the blobs, and adds it to the snapshot.
func (e *entries) storeBlob(ctx context.Context, repo, commit string, t target, partial string) error {
	blob := e.blob(repo, t.blob())
	if checkFile(ctx, blob, t) == nil {
		// The content is there already under another path, whose record has its time.
		if err := removeFile(partial); err != nil {
			return e.errFailed("remove a file", err)
		}
		return e.addEntry(ctx, repo, commit, t, blob)
	}
	discardSpecial(blob)
	if err := files.Move(partial, blob); err != nil {
		return e.errFailed("move a file to the blobs", err)
	}
	return e.addEntry(ctx, repo, commit, t, blob)
}

// discardSpecial removes a device, a pipe or a socket that is in the place of a file of the cache.
func discardSpecial(path string) {
	if files.CheckTarget(path) != nil {
		_ = os.Remove(path) // what is left is an error of replacing it
	}
}

// addEntry adds a blob of this cache to the snapshot: as a relative symbolic link, else by moving it when nothing else needs
// it, else as a hard link or a copy. A file that is itself an entry is never linked by its name, which may be removed at any
// time.
func (e *entries) addEntry(ctx context.Context, repo, commit string, t target, blob string) error {
	place := e.file(repo, commit, t.Path)
	to, err := filepath.Rel(filepath.Dir(place), blob)
	if err != nil {
		return e.errFailed("find the relative path of a file", err)
	}
	discardSpecial(place)
	if !e.inBlobs(repo, realPath(blob)) || e.symlinkEntry(repo, commit, t, to) != nil {
		if err := e.placeEntry(ctx, repo, place, blob); err != nil {
			return e.errFailed("add a file to the snapshot", err)
		}
	}
	return e.writeRecord(repo, commit, t.Path, t.SHA256)
}

// symlinkEntry adds a symbolic link to the snapshot.
func (e *entries) symlinkEntry(repo, commit string, t target, to string) error {
	place := e.file(repo, commit, t.Path)
	if err := os.MkdirAll(filepath.Dir(place), 0o755); err != nil {
		return err
	}
	return files.Place(place, func(temp string) error { return e.Symlink(to, temp) })
}

// placeEntry adds a file to the snapshot without a symbolic link. It moves the blob, as the hub's own library does, unless
// another snapshot links to it.
func (e *entries) placeEntry(ctx context.Context, repo, place, blob string) error {
	if err := os.MkdirAll(filepath.Dir(place), 0o755); err != nil {
		return err
	}
	if real := realPath(blob); e.inBlobs(repo, real) && !e.isNeeded(repo, real) {
		return files.Move(blob, place)
	}
	if err := files.Place(place, func(temp string) error { return e.Link(blob, temp) }); err == nil {
		return nil
	}
	return e.copyTo(ctx, place, blob)
}

// copyTo replaces the file path with a copy.
func (e *entries) copyTo(ctx context.Context, path, from string) error {
	return files.Place(path, func(temp string) error {
		_, _, err := files.Copy(ctx, from, temp, 0o644)
		return err
	})
}

// inBlobs reports whether a path without links is a blob of this cache.
func (e *entries) inBlobs(repo, real string) bool {
	blobs := realPath(filepath.Join(e.repo(repo), "blobs"))
	return real != "" && blobs != "" && filepath.Dir(real) == blobs
}

// isNeeded reports whether an entry of any snapshot of the repository links to the blob.
func (e *entries) isNeeded(repo, blob string) bool {
	errNeeded := errors.New("needed")
	err := filepath.WalkDir(filepath.Join(e.repo(repo), "snapshots"), func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.Type()&fs.ModeSymlink == 0 {
			return nil //nolint:nilerr // unreadable entries link to nothing
		}
		if real, err := filepath.EvalSymlinks(name); err == nil && real == blob {
			return errNeeded
		}
		return nil
	})
	return errors.Is(err, errNeeded)
}
