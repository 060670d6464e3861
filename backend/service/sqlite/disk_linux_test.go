package sqlite_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/service/sqlite"
)

// disk mounts a small file system of its own; TestFullFile covers the same errors where that is not permitted.
func disk(t *testing.T, size string) string {
	t.Helper()
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("this user may not mount a file system: %v", err)
	}
	t.Cleanup(func() { require.NoError(t, unix.Unmount(dir, unix.MNT_DETACH)) })
	return dir
}

func TestFullDisk(t *testing.T) {
	dir := disk(t, "1m")
	path := filepath.Join(dir, "service.db")
	fill(t, openAt(t, path), func() {
		require.NoError(t, unix.Mount("", dir, "", unix.MS_REMOUNT, "size=16m"))
	})
}

func TestDiskTooSmallForANewStore(t *testing.T) {
	path := filepath.Join(disk(t, "16k"), "service.db")
	_, err := sqlite.Open(t.Context(), sqlite.Options{Path: path})
	requireError(t, err, backend.CodeInsufficientDisk, path)
}

func TestReadOnlyDisk(t *testing.T) {
	dir := disk(t, "4m")
	path := filepath.Join(dir, "service.db")
	db, err := sqlite.Open(t.Context(), sqlite.Options{Path: path})
	require.NoError(t, err)
	require.NoError(t, db.Close())
	require.NoError(t, unix.Mount("", dir, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""))
	_, err = sqlite.Open(t.Context(), sqlite.Options{Path: path})
	requireError(t, err, backend.CodeNotPermitted, path)
}
