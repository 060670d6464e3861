package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// The limits of a path: the bytes of all of it, and the characters of each name in it.
const (
	maxPath = 4096
	maxName = 255
)

// PathTooLong reports whether a path is longer than the file systems of this machine could take.
func PathTooLong(path string) bool {
	long := func(name string) bool { return utf8.RuneCountInString(name) > maxName }
	return len(path) > maxPath || slices.ContainsFunc(strings.FieldsFunc(path, isSeparator), long)
}

func isSeparator(r rune) bool { return r < utf8.RuneSelf && os.IsPathSeparator(byte(r)) }

// RealPath resolves the links in the part of a path that exists.
func RealPath(path string) string {
	path = filepath.Clean(path)
	known := len(filepath.VolumeName(path))
	if known < len(path) && os.IsPathSeparator(path[known]) {
		known++ // the root
	}
	for end := known + 1; end <= len(path); end++ {
		if end < len(path) && !os.IsPathSeparator(path[end]) {
			continue
		}
		if _, err := os.Stat(path[:end]); err != nil {
			break
		}
		known = end
	}
	real, err := filepath.EvalSymlinks(path[:known])
	if known == 0 || err != nil {
		return path
	}
	return filepath.Join(real, path[known:])
}

// TryFolder returns an error if no file can be written to a folder, which need not exist. What it makes to find out is removed.
func TryFolder(dir string) (err error) {
	created, err := makeFolders(filepath.Clean(dir))
	defer func() {
		for _, folder := range created {
			err = errors.Join(err, os.Remove(folder))
		}
	}()
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, tempPrefix+"*")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// makeFolders makes a folder and those above it that are missing, and returns these, the innermost first.
func makeFolders(dir string) (created []string, err error) {
	info, err := os.Stat(dir)
	switch {
	case err == nil && !info.IsDir():
		return nil, &fs.PathError{Op: "open", Path: dir, Err: errors.New("not a folder")}
	case err == nil:
		return nil, nil
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	if parent := filepath.Dir(dir); parent != dir {
		if created, err = makeFolders(parent); err != nil {
			return created, err
		}
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return created, err
	}
	return append([]string{dir}, created...), nil
}
