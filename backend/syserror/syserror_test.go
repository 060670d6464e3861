package syserror_test

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/syserror"
)

func TestKinds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		system string
		err    error
		want   syserror.Kind
	}{
		{"linux", syscall.ENOSPC, syserror.Full},
		{"darwin", syscall.EDQUOT, syserror.Full},
		{"windows", syscall.Errno(112), syserror.Full},
		{"linux", syscall.EIO, syserror.Failed},
		{"linux", syscall.ESTALE, syserror.Failed},
		{"windows", syscall.Errno(1117), syserror.Failed},
		{"windows", syscall.Errno(32), syserror.InUse},
		{"linux", syscall.Errno(32), syserror.None},
		{"linux", syscall.ENOLCK, syserror.Lacking},
		{"linux", syscall.ENOSYS, syserror.Lacking},
		{"linux", syscall.EACCES, syserror.Denied},
		{"linux", syscall.EROFS, syserror.Denied},
		{"windows", syscall.Errno(19), syserror.Denied},
		{"windows", syscall.Errno(31), syserror.None},
		{"linux", errors.New("other"), syserror.None},
		{"windows", nil, syserror.None},
	} {
		require.Equal(t, c.want, syserror.On(c.system, c.err), "%s %v", c.system, c.err)
		if c.err != nil {
			require.Equal(t, c.want, syserror.On(c.system, fmt.Errorf("copy: %w", &fs.PathError{Op: "write", Path: "a", Err: c.err})))
		}
	}
	require.Equal(t, syserror.Full, syserror.Of(syscall.ENOSPC))

	lost := syscall.Errno(64) // the name of a server, of a network disk or of a connection
	require.Equal(t, syserror.Failed, syserror.On("windows", &fs.PathError{Op: "read", Path: `\\server\share\a`, Err: lost}))
	require.Equal(t, syserror.None, syserror.On("windows", &net.OpError{Op: "read", Err: lost}))
	require.Equal(t, syserror.Failed, syserror.On("linux", &fs.PathError{Op: "read", Path: "/mnt/share/a", Err: syscall.EHOSTDOWN}))
}
