package backend

import (
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"syscall"
)

// FileError returns a failed file operation its code: insufficient_disk, not_permitted, else err wrapped with op.
// where is the place in words for the user, such as "the data directory".
func FileError(op, where string, err error) error { return fileError(runtime.GOOS, op, where, err) }

// The errors of Windows that Go's syscall package gives no other name.
const (
	winWriteProtected   = syscall.Errno(19)
	winSharingViolation = syscall.Errno(32)
	winLockViolation    = syscall.Errno(33)
	winHandleDiskFull   = syscall.Errno(39)
	winDiskFull         = syscall.Errno(112)
)

// fileError is FileError on a system.
func fileError(system, op, where string, err error) error {
	if err == nil {
		return nil
	}
	cause := fmt.Errorf("%s: %w", op, err)
	switch {
	case diskFull(system, err):
		return E(CodeInsufficientDisk, "The disk of "+where+" is full.", "Free some space and try again.").WithCause(cause)
	case inUse(system, err):
		return errInUse(where, cause)
	case errors.Is(err, syscall.ENOLCK), errors.Is(err, errors.ErrUnsupported):
		return E(CodeNotPermitted, "The file system of "+where+" has no file locks, or lacks something else that Voicewright needs.",
			"Choose a folder on a local disk: --data for the library, --models for models. Network disks get locks where their server allows them.").
			With("reason", "file_system").WithCause(cause)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS), errors.Is(err, syscall.ENOTDIR),
		isNumber(system, err, winWriteProtected):
		return E(CodeNotPermitted, "Voicewright doesn't have permission to read or write "+where+".",
			"Check the permissions of the folder, or choose another one.").WithCause(cause)
	default:
		return cause
	}
}

func errInUse(where string, cause error) *Error {
	return E(CodeNotPermitted, "Another program is using "+where+".", "Close it there and try again.").
		With("reason", "in_use").WithCause(cause)
}

// InUse reports whether Windows refused a file because another program has it open.
func InUse(err error) bool { return inUse(runtime.GOOS, err) }

func inUse(system string, err error) bool {
	return isNumber(system, err, winSharingViolation, winLockViolation)
}

// DiskFull reports whether the system refused to write because a disk, or the part of it that the user may fill, is full.
func DiskFull(err error) bool { return diskFull(runtime.GOOS, err) }

func diskFull(system string, err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || isNumber(system, err, winDiskFull, winHandleDiskFull)
}

// isNumber reports whether an error has one of these numbers of Windows.
func isNumber(system string, err error, known ...syscall.Errno) bool {
	var number syscall.Errno
	return system == "windows" && errors.As(err, &number) && slices.Contains(known, number)
}
