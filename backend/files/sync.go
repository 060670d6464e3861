package files

import (
	"errors"
	"io/fs"
	"os"
	"runtime"
	"syscall"
)

// SyncDir writes the names in a folder to the disk, so that files that were made, renamed or removed in it stay so after a
// power cut. It does nothing on file systems that cannot sync a folder.
func SyncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		err = nil
	}
	return errors.Join(err, d.Close())
}

// syncContent writes the content of a regular file, or the names in a folder, to the disk.
func syncContent(path string) error {
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return SyncDir(path)
	case !info.Mode().IsRegular():
		return nil
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0) // Windows syncs only what is open for writing
	if errors.Is(err, fs.ErrPermission) {
		f, err = os.Open(path) // a link to a file that may not be written, or a mode without write permission
	}
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
