package app_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// TestTerminateWhileADownloadHangsInAFile makes the opening of the partial file block in the kernel, as a dead disk does: a lease
// on the file blocks the program until the test releases it. SIGTERM ends the program all the same.
func TestTerminateWhileADownloadHangsInAFile(t *testing.T) {
	u, hub := newUserWithHub(t)
	fetched, _ := u.stallDownload(hub, toySize/2)
	r := u.start("models", "download", "toy", "--yes")
	require.Eventually(t, fetched, testTimeout, 5*time.Millisecond)
	require.Equal(t, -1, r.signal(syscall.SIGKILL))
	hub.Heal()

	parts, err := filepath.Glob(filepath.Join(u.data, "models", "models--acme--toys", "blobs", "*.resume.incomplete"))
	require.NoError(t, err)
	require.Len(t, parts, 1)
	f, err := os.OpenFile(parts[0], os.O_RDWR, 0)
	require.NoError(t, err)
	t.Cleanup(func() { _ = f.Close() })
	if _, err := unix.FcntlInt(f.Fd(), unix.F_SETLEASE, unix.F_WRLCK); err != nil {
		t.Skipf("the file system of %s has no leases: %v", t.TempDir(), err)
	}
	info, err := f.Stat()
	require.NoError(t, err)
	inode := fmt.Sprintf(":%d ", info.Sys().(*syscall.Stat_t).Ino)
	hangs := func() bool {
		locks, err := os.ReadFile("/proc/locks")
		require.NoError(t, err)
		for line := range strings.Lines(string(locks)) {
			if strings.Contains(line, "BREAKING") && strings.Contains(line, inode) {
				return true
			}
		}
		return false
	}
	s := u.serve()
	status, body := s.request("POST", "/models/download", `{"model_name":"toy","accept_license":true}`)
	require.Less(t, status, 300, body)
	require.Eventually(t, hangs, testTimeout, 5*time.Millisecond)
	status, _ = s.request("GET", "/health", "")
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, exitDone, s.signal(syscall.SIGTERM), s.err.String())
	require.True(t, hangs(), "the program ended only after the file was released")
}
