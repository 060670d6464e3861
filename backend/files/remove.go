package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// RemoveAll removes a file, or a folder with all that is in it; what is not there is removed. os.RemoveAll asks Windows to remove what
// it has opened, which some network disks and drivers of virtual ones refuse: there RemoveAll removes by name.
func RemoveAll(path string) error {
	err := os.RemoveAll(path)
	if err == nil || runtime.GOOS != "windows" {
		return err
	}
	return patiently(func() error { return removeByName(path) })
}

// removeByName is RemoveAll by the names in each folder. It goes on after an error, and follows no link.
func removeByName(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return ignoreMissing(err)
	}
	var failed []error
	if info.IsDir() {
		entries, err := os.ReadDir(path)
		failed = append(failed, ignoreMissing(err))
		for _, e := range entries {
			failed = append(failed, removeByName(filepath.Join(path, e.Name())))
		}
	}
	if err := errors.Join(failed...); err != nil {
		return err
	}
	return ignoreMissing(os.Remove(path))
}

// CheckFree returns the error with which Windows would refuse to remove or replace a file because another program has it open.
// Elsewhere, and where there is no file, it returns nil.
func CheckFree(path string) error { return patiently(func() error { return checkFree(path) }) }

// checkFree is CheckFree that asks once.
func checkFree(path string) error {
	if runtime.GOOS != "windows" {
		return nil
	}
	return ignoreMissing(os.Rename(path, path)) // to itself: nothing but the question
}

// ignoreMissing returns nil for the error of something that is not there, or no more.
func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
