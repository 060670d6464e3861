package models

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// EndMove ends an interrupted move of the models directory, and returns the directory that has the models. current is the
// directory in the settings, which change when everything is in the new one. Files that exist twice are removed from the other
// directory, and nothing else.
func EndMove(from, to, current string) (string, error) {
	switch {
	case current == from && !isDir(from) && isDir(to): // interrupted after the rename, before the settings changed
		return to, nil
	case current == from:
		return from, removeCopies(to, from)
	case current == to:
		return to, removeCopies(from, to)
	default:
		return current, nil
	}
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// removeCopies removes the files below dir that also exist below original, and the folders that become empty. A file that both
// paths lead to is not a copy and stays.
func removeCopies(dir, original string) error {
	var folders []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			folders = append(folders, path)
			return nil
		}
		inside, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		copied, err := d.Info()
		if err != nil {
			return err
		}
		other, err := os.Lstat(filepath.Join(original, inside))
		if err != nil || os.SameFile(copied, other) {
			return nil //nolint:nilerr // not a copy, or unreadable
		}
		return os.Remove(path)
	})
	for i := len(folders) - 1; i >= 0; i-- {
		_ = os.Remove(folders[i]) // fails where it is not empty
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
