//go:build !unix

package datadir

import "io/fs"

// othersMay is always false: permissions are not in the file mode, and the folders of a user are private.
func othersMay(fs.FileInfo, fs.FileMode) bool { return false }

func isOwn(fs.FileInfo) bool { return true }
