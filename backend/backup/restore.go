package backup

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/files"
)

// The folders of a restore in the data directory.
const (
	stagingName = "restore-new"    // the restored library, until it replaces the current one
	formerName  = "before-restore" // the library from before the last restore
)

// Marker files in the staging folder, from which the next start continues an interrupted restore.
const (
	completeMark = "complete" // the restored library is complete and replaces the current one
	movedMark    = "moved"    // the former library was moved away
)

// Restore replaces the library in a data directory that nobody uses with that of a backup. prepare is called with the folder of the
// restored library before the old one is changed; it checks and adapts the database. The old library is moved to the folder that
// Former returns. Errors: unsupported_media, insufficient_disk, not_permitted, cancelled, those of prepare; then the old library
// is unchanged.
func Restore(ctx context.Context, a *Archive, data string, prepare func(dir string) error, progress func(done int64)) error {
	if err := Stage(ctx, a, data, prepare, progress); err != nil {
		return err
	}
	if err := Commit(data); err != nil {
		return errors.Join(err, Discard(data))
	}
	return Finish(data)
}

// Stage is the first half of Restore: it unpacks and checks the whole backup beside the library, which may be in use and is not
// changed. What an earlier call left is removed. Until Commit, Finish removes it.
func Stage(ctx context.Context, a *Archive, data string, prepare func(dir string) error, progress func(done int64)) error {
	staging := Staging(data)
	if err := files.RemoveAll(staging); err != nil {
		return backend.FileError("remove an unfinished restore", "the data directory", err)
	}
	err := a.extract(ctx, staging, progress)
	if err == nil {
		err = prepare(staging)
	}
	if err == nil && ctx.Err() != nil {
		err = backend.ErrCancelled.WithCause(ctx.Err())
	}
	if err != nil {
		return errors.Join(err, files.RemoveAll(staging))
	}
	return nil
}

// Staging returns the folder with the library of Stage.
func Staging(data string) string { return filepath.Join(data, stagingName) }

// Commit makes the library of Stage the one that replaces the current one at the next Finish, when nobody uses the data directory.
func Commit(data string) error { return complete(data) }

// Discard removes the library of Stage.
func Discard(data string) error {
	return backend.FileError("remove the files of a restore", "the data directory", files.RemoveAll(Staging(data)))
}

// Undo puts the library from before a restore back into its place, when the restored one cannot be opened; that one is then in the
// folder that Former returns. Nobody may use the data directory. Where there was no library before, it does nothing.
func Undo(data string) error {
	former := Former(data)
	if !exists(filepath.Join(former, databaseName)) {
		return nil
	}
	err := files.Write(filepath.Join(former, completeMark), nil, 0o600) // before it is renamed: Finish removes what has no mark
	if err == nil {
		err = files.Rename(former, Staging(data))
	}
	if err != nil {
		return backend.FileError("put the former library back", "the data directory", err)
	}
	return Finish(data)
}

// HasLibrary reports whether a data directory has a library, or a complete one of an interrupted restore.
func HasLibrary(data string) bool {
	return exists(filepath.Join(data, databaseName)) || exists(filepath.Join(data, stagingName, completeMark))
}

// Former returns the folder with the library from before the last restore. It need not exist.
func Former(data string) string { return filepath.Join(data, formerName) }

// complete empties the folder of the former library and marks the restored one as complete.
func complete(data string) error {
	err := files.RemoveAll(Former(data))
	if err == nil {
		err = os.Mkdir(Former(data), 0o700)
	}
	if err == nil {
		err = mark(data, completeMark)
	}
	return backend.FileError("prepare the restore", "the data directory", err)
}

// Finish continues a restore that was interrupted after its library was complete, and removes the files of any other. It does
// nothing where there was no restore.
func Finish(data string) error {
	staging := Staging(data)
	if !exists(staging) {
		return nil
	}
	if exists(filepath.Join(staging, completeMark)) {
		err := swap(data, staging)
		if err == nil {
			err = unmark(staging)
		}
		if err != nil {
			return backend.FileError("replace the library", "the data directory", err)
		}
	}
	return backend.FileError("remove the files of a restore", "the data directory", files.RemoveAll(staging))
}

// swap moves the current library to Former and the restored one into its place. A staging folder without its database, which moves
// last, has been through it.
func swap(data, staging string) error {
	if !exists(filepath.Join(staging, movedMark)) && exists(filepath.Join(staging, databaseName)) {
		if err := os.MkdirAll(Former(data), 0o700); err != nil {
			return err
		}
		for _, name := range slices.Backward(parts(data)) {
			if name == printsName && !exists(filepath.Join(staging, printsName)) {
				continue // those of this machine stay where the backup has none
			}
			if err := move(filepath.Join(data, name), filepath.Join(Former(data), name)); err != nil {
				return err
			}
		}
		if exists(filepath.Join(staging, printsName)) && exists(filepath.Join(Former(data), databaseName)) {
			if err := os.MkdirAll(filepath.Join(Former(data), printsName), 0o700); err != nil { // Undo removes those of the backup then
				return err
			}
		}
		if err := mark(data, movedMark); err != nil {
			return err
		}
	}
	for _, name := range parts(staging) {
		if err := move(filepath.Join(staging, name), filepath.Join(data, name)); err != nil {
			return err
		}
	}
	_ = os.Remove(Former(data)) // succeeds only when there was no library before
	return files.SyncDir(data)
}

// parts returns the names of what is a library in a folder: copies of its database from before migrations, all that belongs to it, and
// the database, whose log comes before it.
func parts(dir string) []string {
	var names []string
	copies, _ := filepath.Glob(filepath.Join(dir, databaseName+".backup-*")) // the pattern is well formed
	for _, file := range copies {
		names = append(names, filepath.Base(file))
	}
	return append(names, audioName, transcriptsName, voicesName, booksName, printsName, modelsName,
		databaseName+"-shm", databaseName+"-wal", databaseName)
}

// move renames a file or folder, if it exists.
func move(from, to string) error {
	if err := files.Rename(from, to); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// mark creates a marker file, once everything before it is on the disk.
func mark(data, name string) error {
	staging := Staging(data)
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

// unmark removes the mark of a complete library before anything else of staging: without the mark that the former library was moved,
// the next Finish would take the restored one for it.
func unmark(staging string) error {
	if err := files.RemoveAll(filepath.Join(staging, completeMark)); err != nil {
		return err
	}
	return files.SyncDir(staging)
}

// syncTree syncs a folder and all folders below it.
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
