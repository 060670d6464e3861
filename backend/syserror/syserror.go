// Package syserror says why the operating system refused to read or write a file.
package syserror

import (
	"errors"
	"io/fs"
	"runtime"
	"slices"
	"syscall"
)

// Kind is why an operation on a file failed.
type Kind int

// The kinds of errors.
const (
	None    Kind = iota // another reason
	Full                // the disk, or the part of it that the user may fill, is full
	Failed              // the disk could not be read or written, or the server of a network disk is gone
	InUse               // Windows refuses a file that another program has open
	Lacking             // the file system has no locks, or lacks something else
	Denied              // the user may not, or the disk is read-only
)

// The errors of Windows that Go's syscall package gives no other name.
var (
	winFull   = []syscall.Errno{39, 112}
	winFailed = []syscall.Errno{
		21,     // not ready
		23,     // CRC
		25,     // seek
		27,     // sector not found
		29, 30, // write fault, read fault
		1117, // I/O device
		1167, // not connected
	}
	winLost   = []syscall.Errno{53, 59, 64, 1231, 1232} // the server of a network disk, or of anything else
	winInUse  = []syscall.Errno{32, 33}
	winDenied = []syscall.Errno{19} // write protected
)

// Of returns why an operation failed.
func Of(err error) Kind { return On(runtime.GOOS, err) }

// On is Of on another system, as runtime.GOOS names it.
func On(system string, err error) Kind {
	is := func(known ...error) bool {
		return slices.ContainsFunc(known, func(e error) bool { return errors.Is(err, e) })
	}
	var number syscall.Errno
	isNumber := func(known []syscall.Errno) bool {
		return system == "windows" && errors.As(err, &number) && slices.Contains(known, number)
	}
	var path *fs.PathError
	lost := errors.As(err, &path) && (is(syscall.EHOSTDOWN) || isNumber(winLost))
	switch {
	case is(syscall.ENOSPC, syscall.EDQUOT) || isNumber(winFull):
		return Full
	case is(syscall.EIO, syscall.ESTALE) || isNumber(winFailed) || lost:
		return Failed
	case isNumber(winInUse):
		return InUse
	case is(syscall.ENOLCK, errors.ErrUnsupported):
		return Lacking
	case is(fs.ErrPermission, syscall.EROFS, syscall.ENOTDIR) || isNumber(winDenied):
		return Denied
	}
	return None
}
