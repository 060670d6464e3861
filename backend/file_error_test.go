package backend

import (
	"io/fs"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFileErrorOfWindows names what Windows refuses; elsewhere its numbers have another meaning.
func TestFileErrorOfWindows(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		number syscall.Errno
		code   Code
		reason any
		detail string
	}{
		{32, CodeNotPermitted, "in_use", "Another program is using the data directory."},
		{33, CodeNotPermitted, "in_use", "Another program is using the data directory."},
		{112, CodeInsufficientDisk, nil, "The disk of the data directory is full."},
		{39, CodeInsufficientDisk, nil, "The disk of the data directory is full."},
		{23, CodeDiskFailed, nil, "The disk of the data directory reports an error."},
		{1117, CodeDiskFailed, nil, "The disk of the data directory reports an error."},
		{19, CodeNotPermitted, nil, "Voicewright doesn't have permission to read or write the data directory."},
	} {
		err := &fs.PathError{Op: "open", Path: "a.wav", Err: c.number}
		known := AsError(fileError("windows", "write", "the data directory", err))
		require.Equal(t, c.code, known.Code, c.number)
		require.Equal(t, c.detail, known.Detail)
		require.Equal(t, c.reason, known.Params["reason"])
		require.NotEmpty(t, known.Remedy)
		require.ErrorIs(t, known, c.number)
	}
	require.Equal(t, CodeInternal, CodeOf(fileError("linux", "write", "the data directory", syscall.Errno(32))))
	require.Equal(t, CodeInternal, CodeOf(fileError("windows", "write", "the data directory", syscall.Errno(31))))
}
