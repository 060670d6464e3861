//go:build !linux

package system

// gpus lists no GPU: their memory is asked for on Linux only.
func gpus() []Device { return nil }
