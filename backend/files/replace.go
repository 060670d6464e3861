// Package files replaces files in one step, copies them and syncs folders. Its rules hold for every file that the program
// keeps:
//
//   - A file is there complete or not at all: it is written under another name, synced and renamed, and its folder is synced.
//     When a function returns nil, the new file survives a power cut.
//   - After an error the former file is there unchanged, and no temporary file is left. The one exception is a folder that
//     cannot be synced after the rename: the error is returned, and the new file is there.
//   - A process that is killed may leave a temporary file, which Sweep removes later.
//   - A new file gets the given mode, less the umask, whatever mode the former one had. A symbolic link is replaced and not
//     followed. What is neither a file nor a folder, or a link to such, is left alone: ErrNotAFile.
//
// Errors are those of the operating system, so that backend.FileError finds their code.
package files

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend"
)

// Write replaces a file with content.
func Write(path string, content []byte, mode fs.FileMode) error {
	return Replace(path, mode, func(f *os.File) error {
		_, err := f.Write(content)
		return err
	})
}

// Replace replaces a file with what write writes.
func Replace(path string, mode fs.FileMode, write func(f *os.File) error) error {
	return ReplaceFrom(filepath.Dir(path), path, mode, write)
}

// ReplaceFrom is Replace with the temporary file in the folder dir, which is on the same disk as path: a folder that is emptied
// at each start keeps no file of a process that was killed.
func ReplaceFrom(dir, path string, mode fs.FileMode, write func(f *os.File) error) error {
	return place(tempName(dir), path, func(temp string) error {
		f, err := os.OpenFile(temp, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		if err != nil {
			return err
		}
		defer func() { _ = f.Close() }() // also when write panics; a second Close does nothing
		return errors.Join(write(f), f.Close())
	})
}

// Place replaces a file with what create makes under the name temp, in the same folder: a file that another program writes, or
// a link.
func Place(path string, create func(temp string) error) error {
	return place(tempName(filepath.Dir(path)), path, create)
}

func place(temp, path string, create func(temp string) error) error {
	defer func() { _ = os.Remove(temp) }() // after success there is none
	if err := CheckTarget(path); err != nil {
		return err
	}
	if err := create(temp); err != nil {
		return err
	}
	return Move(temp, path)
}

// Move replaces a file with the finished file from, which is on the same disk. After an error from is still there. A folder
// moves likewise, to a name that is free.
func Move(from, path string) error {
	if err := errors.Join(CheckTarget(path), syncContent(from)); err != nil {
		return err
	}
	if err := Rename(from, path); err != nil {
		return err
	}
	return SyncDir(filepath.Dir(path))
}

// Rename is os.Rename, tried again for a while as long as another program has the file open. It syncs nothing.
func Rename(from, path string) error { return patiently(func() error { return rename(from, path) }) }

// rename is os.Rename with the error that another program has the file open, for which Windows says that access is denied.
func rename(from, path string) error {
	err := os.Rename(from, path)
	if errors.Is(err, fs.ErrPermission) {
		if used := checkFree(path); backend.InUse(used) {
			return used
		}
	}
	return err
}

// tempPrefix begins the names of temporary files.
const tempPrefix = ".new-"

func tempName(dir string) string { return filepath.Join(dir, tempPrefix+rand.Text()) }

const staleAfter = 24 * time.Hour // nobody writes a temporary file for so long

// Sweep removes the temporary files that killed processes left in a folder more than a day before now. What cannot be removed
// is left for the next time.
func Sweep(dir string, now time.Time) { sweep(dir, now.Add(-staleAfter)) }

// SweepOwned removes the temporary files that killed processes left in a folder in which nobody else writes now.
func SweepOwned(dir string) { sweep(dir, time.Now().Add(staleAfter)) }

func sweep(dir string, before time.Time) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), tempPrefix) {
			continue
		}
		if info, err := e.Info(); err == nil && info.ModTime().Before(before) {
			_ = os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}
