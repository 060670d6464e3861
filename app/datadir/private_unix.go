//go:build unix

package datadir

import (
	"io/fs"
	"os"
	"syscall"
)

// othersMay reports whether other users have any of these permissions on a file.
func othersMay(info fs.FileInfo, permissions fs.FileMode) bool {
	return info.Mode().Perm()&permissions != 0
}

// isOwn reports whether the file belongs to the user. Root may use the files of every user.
func isOwn(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return !ok || os.Geteuid() == 0 || int(stat.Uid) == os.Geteuid()
}
