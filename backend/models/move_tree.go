package models

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

func within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// realPath follows the links of the part of a path that is there.
func realPath(path string) string {
	real, err := filepath.EvalSymlinks(path)
	if parent := filepath.Dir(path); err != nil && parent != path {
		return filepath.Join(realPath(parent), filepath.Base(path))
	}
	return real
}

// moveTree brings a folder with everything in it to another place. finish removes what is left at the old one, undo brings
// everything back; one of both is called after a success.
func moveTree(ctx context.Context, from, to string, symlink func(target, link string) error) (undo, finish func() error, err error) {
	nothing := func() error { return nil }
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return nil, nil, err
	}
	from = realPath(from)
	if _, err := os.Stat(from); errors.Is(err, fs.ErrNotExist) {
		return nothing, nothing, os.MkdirAll(to, 0o755)
	}
	_ = os.Remove(to) // an empty folder would be in the way of the rename
	err = os.Rename(from, to)
	if err == nil {
		return func() error { return os.Rename(to, from) }, nothing, nil
	}
	// Another disk, or a folder on which one is mounted: it stays where it is, and is empty where it is the new place.
	left, readErr := os.ReadDir(to)
	if len(left) > 0 || readErr != nil && !errors.Is(err, syscall.EXDEV) && !errors.Is(err, syscall.EBUSY) {
		return nil, nil, err
	}
	undo = func() error { return removeAll(to) }
	if err := copyTree(ctx, from, to, symlink); err != nil {
		return nil, nil, errors.Join(err, undo())
	}
	return undo, func() error { return removeAll(from) }, nil
}

// removeAll removes a folder; of one on which a disk is mounted only the content.
func removeAll(dir string) error {
	err := os.RemoveAll(dir)
	if left, readErr := os.ReadDir(dir); readErr == nil && len(left) == 0 {
		return nil
	}
	return err
}

// copyTree copies files and links with their times; relative links stay relative.
func copyTree(ctx context.Context, from, to string, symlink func(target, link string) error) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		inside, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		place := filepath.Join(to, inside)
		if d.IsDir() {
			return os.MkdirAll(place, 0o755)
		}
		if d.Type()&fs.ModeSymlink != 0 {
			target, err := os.Readlink(path)
			if err == nil {
				err = symlink(target, place)
			}
			if err == nil {
				return nil
			}
			// Where there are no links, the file itself takes the place.
		}
		if _, err := copyFile(ctx, path, place); err != nil {
			return err
		}
		info, err := os.Stat(path) // the cache knows a file that nobody touched by its time
		if err != nil {
			return err
		}
		return os.Chtimes(place, info.ModTime(), info.ModTime())
	})
}
