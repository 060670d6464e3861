package models

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// EndMove ends a move of the models directory that a kill interrupted, and returns where the models are. current is the
// directory of the settings, which change when everything is in the new one. Files that were copied twice are removed from
// the side that does not count; nothing else is.
func EndMove(from, to, current string) (string, error) {
	switch {
	case current == from && !isDir(from) && isDir(to): // renamed, and killed before the settings changed
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

// removeCopies removes the files below dir that are below original too, and the folders that this leaves empty. Where both
// paths lead to the same file, it is no copy and stays.
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
			return nil //nolint:nilerr // not a copy, or one that cannot be known
		}
		return os.Remove(path)
	})
	for i := len(folders) - 1; i >= 0; i-- {
		_ = os.Remove(folders[i]) // stays where something is left in it
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
