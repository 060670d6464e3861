//go:build !linux || !cgo

package onnx

// Trim does nothing here: only glibc has to be asked to give freed memory back.
func Trim() {}
