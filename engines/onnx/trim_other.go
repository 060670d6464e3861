//go:build !linux || !cgo

package onnx

// Trim does nothing here: only glibc keeps freed memory.
func Trim() {}
