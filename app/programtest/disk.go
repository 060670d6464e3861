//go:build linux

package programtest

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// Disk is a small file system that can be made full.
type Disk struct {
	t    *testing.T
	dir  string
	size string
}

// Mount mounts a file system of a size, such as 200m, on a folder, which is made, until the end of the test. A plain user may do so in
// a user namespace, as make disk-full-test does.
func Mount(t *testing.T, dir, size string) *Disk {
	t.Helper()
	require.NoError(t, os.MkdirAll(dir, 0o700))
	require.NoError(t, unix.Mount("tmpfs", dir, "tmpfs", 0, "size="+size), "this user may not mount a file system: use make disk-full-test")
	t.Cleanup(func() { require.NoError(t, unix.Unmount(dir, unix.MNT_DETACH)) })
	return &Disk{t, dir, size}
}

// Leave makes the disk one that has so many bytes left.
func (d *Disk) Leave(free int64) {
	d.t.Helper()
	var disk unix.Statfs_t
	require.NoError(d.t, unix.Statfs(d.dir, &disk))
	used := int64(disk.Blocks-disk.Bfree) * disk.Bsize
	require.NoError(d.t, unix.Mount("", d.dir, "", unix.MS_REMOUNT, fmt.Sprint("size=", max(used+free, disk.Bsize))))
}

// Enlarge makes the disk large again.
func (d *Disk) Enlarge() {
	d.t.Helper()
	require.NoError(d.t, unix.Mount("", d.dir, "", unix.MS_REMOUNT, "size="+d.size))
}

// FullPoints are the bytes that are free in turn: each page of the file system at first, a third more each time then, up to 96 MB.
func FullPoints() (points []int64) {
	const page = 4 << 10
	for free := int64(0); free < 12*page; free += page {
		points = append(points, free)
	}
	for free := int64(12 * page); free <= 96<<20; free += free / 3 / page * page {
		points = append(points, free)
	}
	return points
}
