package backend

import (
	"fmt"
	"runtime"

	"github.com/voicewright/voicewright/backend/syserror"
)

// FileError returns a failed file operation its code: insufficient_disk, disk_failed, not_permitted, else err wrapped with op.
// where is the place in words for the user, such as "the data directory".
func FileError(op, where string, err error) error { return fileError(runtime.GOOS, op, where, err) }

// fileError is FileError on a system.
func fileError(system, op, where string, err error) error {
	if err == nil {
		return nil
	}
	cause := fmt.Errorf("%s: %w", op, err)
	switch syserror.On(system, err) {
	case syserror.Full:
		return E(CodeInsufficientDisk, "The disk of "+where+" is full.", "Free some space and try again.").WithCause(cause)
	case syserror.Failed:
		return E(CodeDiskFailed, "The disk of "+where+" reports an error.", checkDisk).WithCause(cause)
	case syserror.InUse:
		return errInUse(where, cause)
	case syserror.Lacking:
		return E(CodeNotPermitted, "The file system of "+where+" has no file locks, or lacks something else that Voicewright needs.",
			"Choose a folder on a local disk: --data for the library, --models for models. Network disks get locks where their server allows them.").
			With("reason", "file_system").WithCause(cause)
	case syserror.Denied:
		return E(CodeNotPermitted, "Voicewright doesn't have permission to read or write "+where+".",
			"Check the permissions of the folder, or choose another one.").WithCause(cause)
	default:
		return cause
	}
}

// checkDisk is the remedy for a disk that fails.
const checkDisk = "Check that the disk is connected and healthy, and back up what is on it; then try again."

func errInUse(where string, cause error) *Error {
	return E(CodeNotPermitted, "Another program is using "+where+".", "Close it there and try again.").
		With("reason", "in_use").WithCause(cause)
}

// InUse reports whether Windows refused a file because another program has it open.
func InUse(err error) bool { return syserror.Of(err) == syserror.InUse }

// DiskFull reports whether the system refused to write because a disk, or the part of it that the user may fill, is full.
func DiskFull(err error) bool { return syserror.Of(err) == syserror.Full }

// DiskFailed reports whether the system could not read or write a disk, or lost the server of a network disk.
func DiskFailed(err error) bool { return syserror.Of(err) == syserror.Failed }
