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

// Trim gives memory that a closed session left behind in the C heap back to the system (glibc keeps it otherwise;
// other C libraries do so by themselves).
func Trim() { C.trim() }
