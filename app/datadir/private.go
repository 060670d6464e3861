package datadir

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/voicewright/voicewright/backend"
)

// DatabaseFile is the name of the database in the data directory.
const DatabaseFile = "voicewright.db"

// Make creates the data directory, which only its owner may enter. One that others may write is closed to them when it
// is empty or holds our database; a folder with other things in it stays as it is. Errors: not_permitted.
func Make(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return backend.FileError("make the data directory", "the data directory "+dir, err)
	}
	info, err := os.Stat(dir)
	if err != nil || !othersMay(info, 0o022) {
		return backend.FileError("make the data directory", "the data directory "+dir, err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return backend.FileError("read the data directory", "the data directory "+dir, err)
	}
	_, err = os.Stat(filepath.Join(dir, DatabaseFile))
	if len(entries) == 0 || err == nil {
		_ = os.Chmod(dir, 0o700) // another owner, or a file system without modes, is no reason not to start
	}
	return nil
}

// CheckPrivate reports a data directory that others may write and that Make leaves as it is.
func CheckPrivate(dir string) (string, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return "", backend.FileError("look at the data directory", "the data directory "+dir, err)
	}
	if othersMay(info, 0o022) {
		return "", backend.E(backend.CodeNotPermitted, "Other users of this machine can write to "+dir+".",
			"Stop them with: chmod 700 "+dir)
	}
	return "only you can write to " + dir, nil
}

// IsSecret reports whether nobody but the user can have written or read a file. A file that others may read is closed to
// them, which does not make its content secret again. On a file system without modes every file counts as secret.
func IsSecret(path string) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || !isOwn(info) {
		return false
	}
	if !othersMay(info, 0o077) {
		return true
	}
	err = os.Chmod(path, 0o600)
	after, statErr := os.Lstat(path)
	return errors.Join(err, statErr) == nil && othersMay(after, 0o077)
}
