package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	driver "modernc.org/sqlite"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/dbfault"
)

// fail wraps err with its operation, and with a code and a remedy where a user can do something about it. Errors that have a
// code already are returned unchanged.
func (db *library) fail(op string, err error) error {
	var known *backend.Error
	var invalid *backend.ValidationError
	if err == nil || errors.As(err, &known) || errors.As(err, &invalid) {
		return err
	}
	err = fmt.Errorf("%s: %w", op, err)
	var e *driver.Error
	if errors.As(err, &e) {
		return db.failSQLite(e.Code(), err)
	}
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return backend.ErrCancelled.WithCause(err)
	case backend.DiskFull(err):
		return db.errFull(err)
	case backend.DiskFailed(err):
		return db.errDisk(err)
	case backend.InUse(err):
		return db.errLocked(err)
	case errors.As(err, &path), errors.As(err, &link):
		return db.errNotPermitted(err)
	}
	return err
}

func (db *library) failSQLite(code int, err error) error {
	switch dbfault.OfCode(code) {
	case dbfault.FileSystem:
		return db.errFileSystem(err)
	case dbfault.Corrupt:
		return db.errCorrupt(err)
	case dbfault.Full:
		return db.errFull(err)
	case dbfault.Refused:
		return db.errNotPermitted(err)
	case dbfault.Device:
		return db.errDisk(err)
	case dbfault.Locked:
		return db.errLocked(err)
	case dbfault.Interrupted:
		return backend.ErrCancelled.WithCause(err)
	default:
		return err
	}
}

func (db *library) errLocked(cause error) error {
	return backend.E(backend.CodeDataDirLocked, fmt.Sprintf("Another program is using the library file %s.", db.path),
		"Close the other program, then try again.").With("path", db.path).WithCause(cause)
}

func (db *library) errFull(cause error) error {
	return backend.E(backend.CodeInsufficientDisk, fmt.Sprintf("The disk that holds the library file %s is full.", db.path),
		"Free some space on this disk, then try again.").With("path", db.path).WithCause(cause)
}

// errDisk returns the error for a disk that the system could not read or write.
func (db *library) errDisk(cause error) error {
	return backend.E(backend.CodeDiskFailed, fmt.Sprintf("The system could not read or write the library file %s.", db.path),
		"Check that the disk is connected and healthy, then start Voicewright again. A network disk needs its server.").
		With("path", db.path).WithCause(cause)
}

// errFileSystem returns the error for a file system that cannot lock, share or sync the file, or a disk that fails while it does.
func (db *library) errFileSystem(cause error) error {
	return backend.E(backend.CodeNotPermitted, fmt.Sprintf("The file system of the library file %s cannot lock or sync it.", db.path),
		"Use a folder on a local disk with --data: many network and FUSE disks lack this. If it is a local disk, check that it is "+
			"connected and healthy.").
		With("path", db.path).With("reason", "file_system").WithCause(cause)
}

func (db *library) errNotPermitted(cause error) error {
	return backend.E(backend.CodeNotPermitted, fmt.Sprintf("The library file %s cannot be opened for writing.", db.path),
		"Check that its folder exists and that you may write there, or choose another folder with --data.").
		With("path", db.path).WithCause(cause)
}

// errCorrupt returns the error for a damaged file. The file is never changed, as some of it may be recoverable.
func (db *library) errCorrupt(cause error) error {
	remedy := "Close Voicewright and move this file away; then restore a backup with `voicewright restore FILE`, " +
		"or start again with an empty library."
	backup := newestBackup(db.path)
	if backup != "" {
		remedy = fmt.Sprintf("Close Voicewright, move this file and those beside it that end in -wal and -shm away, "+
			"and copy the newest backup, %s, to its place.", backup)
	}
	return backend.E(backend.CodeDatabaseCorrupt,
		fmt.Sprintf("The library file %s is damaged or is not a library of Voicewright. It has not been changed.", db.path),
		remedy).With("path", db.path).With("backup", backup).WithCause(cause)
}

func (db *library) errNewer(have, know int64) error {
	return backend.E(backend.CodeDatabaseNewer,
		fmt.Sprintf("The library file %s was written by a newer Voicewright (its version is %d, this program knows %d).",
			db.path, have, know),
		"Install the newest Voicewright, or choose another folder with --data.").
		With("path", db.path).With("have", have).With("know", know)
}

// errUnknownGeneration returns the error for an id that is not in the history.
func errUnknownGeneration(id string) error {
	return backend.E(backend.CodeGenerationNotFound, "There is no generation with this id.",
		"It may have been deleted; check the history.").With("id", id)
}

// errUnknownTranscript returns the error for an id without a transcript.
func errUnknownTranscript(id string) error {
	return backend.E(backend.CodeTranscriptNotFound, "There is no transcript with this id.",
		"It may have been deleted; check the list of transcripts.").With("id", id)
}

// errUnknownProfile returns the error for an id, a name or a preset without a profile.
func errUnknownProfile(key string) error {
	return backend.E(backend.CodeProfileNotFound, "There is no such voice profile.",
		"It may have been deleted or renamed; check the list of profiles.").With("profile", key)
}

// errUnknownSample returns the error for an id without a sample.
func errUnknownSample(id string) error {
	return backend.E(backend.CodeSampleNotFound, "There is no sample with this id.",
		"It may have been deleted; check the samples of the profile.").With("id", id)
}

func errNameTaken(name string) error {
	return backend.E(backend.CodeNameTaken, fmt.Sprintf("There is already a voice profile named %q.", name),
		"Choose another name.").With("name", name)
}
