package system_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/voicewright/voicewright/backend/system"
)

func mount(t *testing.T, flags uintptr) string {
	t.Helper()
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", flags, "size=64k"); err != nil {
		t.Skipf("this user may not mount a file system: %v", err)
	}
	t.Cleanup(func() { require.NoError(t, unix.Unmount(dir, unix.MNT_DETACH)) })
	return dir
}

func TestDoctorOnASmallDisk(t *testing.T) {
	found := system.Examine(t.Context(), []system.Check{system.DiskSpace(mount(t, 0))})
	require.Equal(t, system.Warning, found[0].Level)
	require.Contains(t, found[0].Detail, "0.0 GB free")
	require.NotEmpty(t, found[0].Remedy)
}

func TestDoctorOnAReadOnlyDisk(t *testing.T) {
	dir := mount(t, unix.MS_RDONLY)
	found := system.Examine(t.Context(), []system.Check{system.Writable(dir)})
	require.Equal(t, system.Broken, found[0].Level)
	require.Contains(t, found[0].Detail, dir)
	require.Contains(t, found[0].Remedy, "permissions")
}
