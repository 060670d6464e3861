package files_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/voicewright/voicewright/backend/files"
)

// TestReplaceBeyondALimit lets the system itself refuse the bytes in the middle of a file, as a full disk does.
func TestReplaceBeyondALimit(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.json")
	require.NoError(t, files.Write(path, []byte("former"), 0o600))
	var before unix.Rlimit
	require.NoError(t, unix.Getrlimit(unix.RLIMIT_FSIZE, &before))
	require.NoError(t, unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: 1 << 20, Max: before.Max}))
	err := files.Write(path, []byte(strings.Repeat("x", 2<<20)), 0o600)
	require.NoError(t, unix.Setrlimit(unix.RLIMIT_FSIZE, &before))
	require.ErrorIs(t, err, syscall.EFBIG)
	require.Equal(t, map[string]string{"a.json": "former"}, listing(t, dir))
}

// TestReplaceInAFolderWithoutPermission writes as a user without permission, also when the test runs as root.
func TestReplaceInAFolderWithoutPermission(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.json")
	require.NoError(t, files.Write(path, []byte("former"), 0o600))
	require.NoError(t, os.Chmod(dir, 0o500))
	t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })
	err := asUser(t, func() error { return files.Write(path, []byte("new"), 0o600) })
	require.ErrorIs(t, err, os.ErrPermission)
	require.Equal(t, map[string]string{"a.json": "former"}, listing(t, dir))
}

// TestSyncDirWithoutSync uses /proc, which cannot sync a folder.
func TestSyncDirWithoutSync(t *testing.T) {
	require.NoError(t, files.SyncDir("/proc"))
	require.ErrorIs(t, files.SyncDir(filepath.Join(t.TempDir(), "none")), os.ErrNotExist)
}

// asUser calls f without root's permissions on files.
func asUser(t *testing.T, f func() error) error {
	t.Helper()
	if os.Geteuid() != 0 {
		return f()
	}
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlock it: the thread ends with the goroutine
		if err := unix.Setfsuid(65534); err != nil {
			done <- err
			return
		}
		done <- f()
	}()
	return <-done
}
