//go:build unix

package main

import (
	"os"
	"syscall"
)

// hold opens a file and locks it, which other programs may ignore, until the returned function is called.
func hold(path string) (release func(), err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return func() { _ = file.Close() }, syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}
