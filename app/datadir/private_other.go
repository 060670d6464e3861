//go:build !unix

package datadir

import "io/fs"

// othersMay is false: modes say nothing here, and the folders of a user are closed to others.
func othersMay(fs.FileInfo, fs.FileMode) bool { return false }

func isOwn(fs.FileInfo) bool { return true }
