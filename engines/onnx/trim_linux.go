//go:build linux && cgo

package onnx

/*
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
static void trim(void) { malloc_trim(0); }
#else
static void trim(void) {}
#endif
*/
import "C"

// Trim returns memory that a closed session left in the C heap to the system (glibc keeps it otherwise;
// other C libraries do so by themselves).
func Trim() { C.trim() }
