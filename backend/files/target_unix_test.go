//go:build unix

package files_test

import (
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/files"
)

// TestReplaceOfWhatIsNoFile: pipes, sockets and links to them stay what they are.
func TestReplaceOfWhatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	require.NoError(t, syscall.Mkfifo(in("pipe"), 0o600))
	require.NoError(t, os.Symlink("pipe", in("link")))
	socket, err := (&net.ListenConfig{}).Listen(t.Context(), "unix", in("socket"))
	require.NoError(t, err)
	defer func() { require.NoError(t, socket.Close()) }()
	require.NoError(t, os.WriteFile(in("new"), []byte("new"), 0o600))
	for _, name := range []string{"pipe", "link", "socket"} {
		before, err := os.Lstat(in(name))
		require.NoError(t, err)
		write := func(temp string) error { return os.WriteFile(temp, nil, 0o600) }
		require.ErrorIs(t, files.Write(in(name), []byte("new"), 0o600), files.ErrNotAFile, name)
		require.ErrorIs(t, files.Place(in(name), write), files.ErrNotAFile, name)
		require.ErrorIs(t, files.Move(in("new"), in(name)), files.ErrNotAFile, name)
		after, err := os.Lstat(in(name))
		require.NoError(t, err)
		require.True(t, os.SameFile(before, after), name)
	}
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 4, "no temporary file is left")
}

// TestCheckTarget writes nothing to a device.
func TestCheckTarget(t *testing.T) {
	require.ErrorIs(t, files.CheckTarget("/dev/tty"), files.ErrNotAFile)
	require.ErrorIs(t, files.CheckTarget("/dev/stdout"), files.ErrNotAFile, "also when it is a file")
	require.NoError(t, files.CheckTarget(filepath.Join(t.TempDir(), "a.zip")))
	require.NoError(t, files.CheckTarget(t.TempDir()), "writing says what is wrong")
}
