package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrNotAFile is the error of replacing a device, a pipe or a socket by a file, which would destroy it.
var ErrNotAFile = errors.New("this is not a file")

// CheckTarget returns ErrNotAFile if a path is that of a device, a pipe or a socket, or a link to one. What else is wrong with a
// path, writing says.
func CheckTarget(path string) error {
	link, err := os.Lstat(path)
	ofSystem := err == nil && link.Mode()&fs.ModeSymlink != 0 && filepath.Dir(path) == "/dev" // such as /dev/stdout, when it is a file
	const special = fs.ModeDevice | fs.ModeCharDevice | fs.ModeNamedPipe | fs.ModeSocket
	if info, err := os.Stat(path); err == nil && (ofSystem || info.Mode()&special != 0) {
		return &fs.PathError{Op: "replace", Path: path, Err: ErrNotAFile}
	}
	return nil
}
