package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// RealPath resolves the links in the part of a path that exists.
func RealPath(path string) string {
	real, err := filepath.EvalSymlinks(path)
	if parent := filepath.Dir(path); err != nil && parent != path {
		return filepath.Join(RealPath(parent), filepath.Base(path))
	}
	return real
}

// TryFolder returns an error if no file can be written to a folder, which need not exist. What it makes to find out is removed.
func TryFolder(dir string) (err error) {
	made, err := makeFolders(filepath.Clean(dir))
	defer func() {
		for _, folder := range made {
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
func makeFolders(dir string) (made []string, err error) {
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
		if made, err = makeFolders(parent); err != nil {
			return made, err
		}
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return made, err
	}
	return append([]string{dir}, made...), nil
}
