package backend_test

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

// A disk without locks, such as some of NFS, FUSE and SMB, is named with what helps.
func TestFileErrorOfDisksWithoutLocks(t *testing.T) {
	for _, errno := range []syscall.Errno{syscall.ENOLCK, syscall.ENOSYS, syscall.ENOTSUP} {
		err := backend.FileError("lock the data directory", "the data directory /mnt/nas", &fs.PathError{Op: "flock", Path: "lock", Err: errno})
		known := backend.AsError(err)
		require.Equal(t, backend.CodeNotPermitted, known.Code)
		require.Contains(t, known.Detail, "the data directory /mnt/nas has no file locks")
		require.Contains(t, known.Remedy, "--data")
		require.Equal(t, "file_system", known.Params["reason"])
	}
}

// A disk that fails is named, with its place where the caller knows it.
func TestFailedDiskIsNamed(t *testing.T) {
	for _, errno := range []syscall.Errno{syscall.EIO, syscall.ESTALE} {
		cause := &fs.PathError{Op: "sync", Path: "a.wav", Err: errno}
		for err, detail := range map[error]string{
			backend.FileError("store", "the data directory", cause): "The disk of the data directory reports an error.",
			fmt.Errorf("keep the speeds: %w", cause):                "A disk that Voicewright uses reports an error.",
		} {
			known := backend.AsError(err)
			require.Equal(t, backend.CodeDiskFailed, known.Code)
			require.Equal(t, detail, known.Detail)
			require.Contains(t, known.Remedy, "connected and healthy")
			require.ErrorIs(t, known, errno)
		}
	}
}

// A full disk is named wherever it was met, also where nobody gave the error a code.
func TestFullDiskIsNamed(t *testing.T) {
	for _, errno := range []syscall.Errno{syscall.ENOSPC, syscall.EDQUOT} {
		err := fmt.Errorf("keep the speeds: %w", errors.Join(errors.New("first"), &fs.PathError{Op: "sync", Path: "a", Err: errno}))
		known := backend.AsError(err)
		require.Equal(t, backend.CodeInsufficientDisk, known.Code)
		require.Equal(t, "A disk that Voicewright writes to is full.", known.Detail)
		require.ErrorIs(t, known, errno)
	}
}
