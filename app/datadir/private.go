package datadir

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/voicewright/voicewright/backend"
)

// DatabaseFile is the name of the database in the data directory.
const DatabaseFile = "voicewright.db"

// Make creates the data directory with access for its owner only. When others may write to an existing one, Make removes
// that permission if the directory is empty or contains our database; a folder with other files is not changed.
// Errors: not_permitted.
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
		_ = os.Chmod(dir, 0o700) // another owner, or a file system without permissions, must not prevent the start
	}
	return nil
}

// CheckPrivate returns a sentence on who may write to the data directory. Errors: not_permitted when others may.
func CheckPrivate(dir string) (string, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return "", backend.FileError("read the permissions of the data directory", "the data directory "+dir, err)
	}
	if othersMay(info, 0o022) {
		return "", backend.E(backend.CodeNotPermitted, "Other users of this machine can write to "+dir+".",
			"Restrict it with: chmod 700 "+dir)
	}
	return "only you can write to " + dir, nil
}

// IsSecret reports whether only the user can have written or read a file. When others may read it, IsSecret removes that
// permission, which does not make the content secret again. On a file system without permissions every file is secret.
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
