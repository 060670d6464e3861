//go:build linux && cgo

package onnx

/*
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
static void trim(void) { malloc_trim(0); }

// All threads share a heap. glibc has one for each otherwise, and trim returns nothing from the ends of those. The number is fixed when the
// second thread first asks for memory, so this runs before there is one.
__attribute__((constructor)) static void shareHeap(void) { mallopt(M_ARENA_MAX, 1); }
#else
static void trim(void) {}
#endif
*/
import "C"

// Trim returns memory that a closed session left in the C heap to the system (glibc keeps it otherwise;
// other C libraries do so by themselves).
func Trim() { C.trim() }
