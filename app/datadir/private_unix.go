//go:build unix

package datadir

import (
	"io/fs"
	"os"
	"syscall"
)

// othersMay reports whether a file grants others any of these permissions.
func othersMay(info fs.FileInfo, permissions fs.FileMode) bool {
	return info.Mode().Perm()&permissions != 0
}

// isOwn reports whether the file belongs to the user; root may use everybody's.
func isOwn(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return !ok || os.Geteuid() == 0 || int(stat.Uid) == os.Geteuid()
}
