package models

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/voicewright/voicewright/backend/files"
)

// within reports whether path is dir or below it.
func within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// moveTree moves a folder with its content. After a success the caller calls either finish, which removes the old folder, or
// undo, which moves everything back.
func moveTree(ctx context.Context, from, to string, symlink func(target, link string) error) (undo, finish func() error, err error) {
	nothing := func() error { return nil }
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return nil, nil, err
	}
	from = files.RealPath(from)
	if _, err := os.Stat(from); errors.Is(err, fs.ErrNotExist) {
		return nothing, nothing, os.MkdirAll(to, 0o755)
	}
	_ = os.Remove(to) // a rename cannot replace an empty folder everywhere
	err = os.Rename(from, to)
	if err == nil {
		return func() error { return os.Rename(to, from) }, nothing, nil
	}
	// Another disk, or a folder on which one is mounted: the files are copied into the new folder, which must be empty.
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

// removeAll removes a folder, or its content where a disk is mounted on it.
func removeAll(dir string) error {
	err := files.RemoveAll(dir)
	if left, readErr := os.ReadDir(dir); readErr == nil && len(left) == 0 {
		return nil
	}
	return err
}

// copyTree copies files with their times, and links; relative links stay relative.
func copyTree(ctx context.Context, from, to string, symlink func(target, link string) error) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		inside, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, inside)
		if d.IsDir() {
			return os.MkdirAll(target, 0o755)
		}
		if d.Type()&fs.ModeSymlink != 0 {
			link, err := os.Readlink(path)
			if err == nil {
				err = symlink(link, target)
			}
			if err == nil {
				return nil
			}
			// Where links are impossible, the file itself is copied.
		}
		if _, err := copyFile(ctx, path, target); err != nil {
			return err
		}
		info, err := os.Stat(path) // the cache recognizes an unchanged file by its time
		if err != nil {
			return err
		}
		return os.Chtimes(target, info.ModTime(), info.ModTime())
	})
}
