//go:build linux && cgo

package onnx

/*
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
static void trim(void) { malloc_trim(0); }
// One heap for all threads: glibc trims the ends of no others. The number is fixed when a second thread first asks for memory.
__attribute__((constructor)) static void shareHeap(void) { mallopt(M_ARENA_MAX, 1); }
#else
static void trim(void) {}
#endif
*/
import "C"

// Trim returns memory that a closed session left in the C heap to the system, which glibc alone does not do by itself.
func Trim() { C.trim() }
