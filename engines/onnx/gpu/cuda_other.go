//go:build !linux

package gpu

// mendSignals is for CUDA's libraries for Linux.
func mendSignals() {}

// missingLibrary is known on Linux only.
func missingLibrary(string) error { return nil }
