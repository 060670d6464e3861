package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrNotAFile is the error of replacing a device, a pipe or a socket by a file, which would destroy it.
var ErrNotAFile = errors.New("this is not a file")

// CheckTarget returns ErrNotAFile if a path is that of a device, a pipe or a socket, or a link to one.
func CheckTarget(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return nil // nothing to destroy; what is wrong with the path, writing says
	}
	link, err := os.Lstat(path)
	ofSystem := err == nil && link.Mode()&fs.ModeSymlink != 0 && filepath.Dir(path) == "/dev" // such as /dev/stdout, when it is a file
	if ofSystem || info.Mode()&(fs.ModeDevice|fs.ModeCharDevice|fs.ModeNamedPipe|fs.ModeSocket) != 0 {
		return &fs.PathError{Op: "replace", Path: path, Err: ErrNotAFile}
	}
	return nil
}
