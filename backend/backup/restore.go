package backup

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/files"
)

// The folders of a restore in the data directory.
const (
	stagingName = "restore-new"    // the new library, until it is in its place
	formerName  = "before-restore" // the library that was there before the last restore
)

// The marks in the staging folder; what a restore had reached when the program ended is gone on with from them.
const (
	completeMark = "complete" // the new library is whole: it will be put in place
	movedMark    = "moved"    // the former library is out of the way
)

// Restore puts the library of a backup in the place of the one in a data directory that nobody uses. mend is called with
// the folder of the new library before anything of the old one is touched, and checks and adapts its database. The old
// library is kept in the folder that Former returns. Errors: unsupported_media, insufficient_disk, not_permitted, cancelled,
// those of mend; then everything is as it was.
func Restore(ctx context.Context, a *Archive, data string, mend func(dir string) error, progress func(done int64)) error {
	staging := filepath.Join(data, stagingName)
	if err := os.RemoveAll(staging); err != nil {
		return backend.FileError("remove an unfinished restore", "the data directory", err)
	}
	err := a.extract(ctx, staging, progress)
	if err == nil {
		err = mend(staging)
	}
	if err == nil && ctx.Err() != nil {
		err = backend.ErrCancelled.WithCause(ctx.Err())
	}
	if err == nil {
		err = complete(data)
	}
	if err != nil {
		return errors.Join(err, os.RemoveAll(staging))
	}
	return Finish(data)
}

// HasLibrary reports whether a data directory holds a library, also one that a restore has not yet put in its place.
func HasLibrary(data string) bool {
	return exists(filepath.Join(data, databaseName)) || exists(filepath.Join(data, stagingName, completeMark))
}

// Former returns the folder that holds the library from before the last restore; there is none where nothing was before it.
func Former(data string) string { return filepath.Join(data, formerName) }

// complete makes room for the present library, then marks the new one.
func complete(data string) error {
	err := os.RemoveAll(Former(data))
	if err == nil {
		err = os.Mkdir(Former(data), 0o700)
	}
	if err == nil {
		err = mark(data, completeMark)
	}
	return backend.FileError("prepare the restore", "the data directory", err)
}

// Finish goes on with a restore that has a complete new library, at any point where a program ended before, and removes what
// is left of one that has none. It does nothing where there was no restore.
func Finish(data string) error {
	staging := filepath.Join(data, stagingName)
	if !exists(staging) {
		return nil
	}
	if exists(filepath.Join(staging, completeMark)) {
		if err := swap(data, staging); err != nil {
			return backend.FileError("put the restored library in place", "the data directory", err)
		}
	}
	return backend.FileError("remove what a restore left", "the data directory", os.RemoveAll(staging))
}

func swap(data, staging string) error {
	if !exists(filepath.Join(staging, movedMark)) {
		backups, _ := filepath.Glob(filepath.Join(data, databaseName+".backup-*")) // the pattern is well formed
		present := []string{databaseName + "-wal", databaseName + "-shm", databaseName, modelsName, audioName}
		for _, file := range backups {
			present = append(present, filepath.Base(file))
		}
		for _, name := range present {
			if err := move(filepath.Join(data, name), filepath.Join(Former(data), name)); err != nil {
				return err
			}
		}
		if err := mark(data, movedMark); err != nil {
			return err
		}
	}
	for _, name := range []string{audioName, modelsName, databaseName} {
		if err := move(filepath.Join(staging, name), filepath.Join(data, name)); err != nil {
			return err
		}
	}
	_ = os.Remove(Former(data)) // only succeeds where nothing was there before
	return files.SyncDir(data)
}

// move renames a file or folder that is there.
func move(from, to string) error {
	if err := os.Rename(from, to); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// mark notes in the staging folder how far a restore is, once everything before is on the disk.
func mark(data, name string) error {
	staging := filepath.Join(data, stagingName)
	if err := syncTree(staging); err != nil {
		return err
	}
	for _, dir := range []string{Former(data), data} {
		if err := files.SyncDir(dir); err != nil {
			return err
		}
	}
	return files.Write(filepath.Join(staging, name), nil, 0o600)
}

// syncTree writes the names in a folder and in all folders below it to the disk.
func syncTree(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		return files.SyncDir(path)
	})
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
