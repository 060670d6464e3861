//go:build !windows

package app

import "os"

// Streams returns the streams of the process, and what to call with its exit code at the end.
func Streams([]string) (streams Stdio, end func(code int)) {
	return Stdio{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, func(int) {}
}
