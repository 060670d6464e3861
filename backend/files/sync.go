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
	return errors.Join(Sync(d), d.Close())
}

// Sync writes the content of an open file to the disk. It does nothing on file systems that cannot sync, as some of FUSE and SMB
// are: what is written there is as safe as they make it.
func Sync(f *os.File) error {
	err := f.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return err
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
	return errors.Join(Sync(f), f.Close())
}
