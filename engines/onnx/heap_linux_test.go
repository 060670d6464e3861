package onnx_test

import (
	"errors"
	"os"
	"regexp"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines/onnx"
)

// heapSize is the address space that glibc takes for the C heap of a thread, on 64 bits. It begins at a multiple of it.
const heapSize = 64 << 20

var mapped = regexp.MustCompile(`(?m)^([0-9a-f]+)-([0-9a-f]+) (rw-p|---p) 00000000 00:00 0 *$`)

// TestThreadsShareAHeap: memory that a thread's own heap has freed would stay with the process. Sessions that are opened, run and closed
// at once leave no such heaps.
func TestThreadsShareAHeap(t *testing.T) {
	r := library(t)
	before := threadHeaps(t) // the race detector starts a thread before anything can be set
	failures := make([]error, 8)
	var opening sync.WaitGroup
	for i := range failures {
		opening.Go(func() {
			s, err := r.Open(t.Context(), small(t), voice(), onnx.SessionOptions{Threads: 2})
			if err == nil {
				_, err = s.Run(t.Context(), "speaking", inputs(20, 1)...)
				err = errors.Join(err, s.Close())
			}
			failures[i] = err
		})
	}
	opening.Wait()
	require.NoError(t, errors.Join(failures...))
	require.Equal(t, before, threadHeaps(t))
}

// threadHeaps returns how many threads have a heap of their own: what is used of it, and what is free.
func threadHeaps(t *testing.T) (n int) {
	t.Helper()
	maps, err := os.ReadFile("/proc/self/maps")
	require.NoError(t, err)
	all := mapped.FindAllSubmatch(maps, -1)
	for i := range all[1:] {
		used, free := all[i], all[i+1]
		if string(used[3]) == "rw-p" && string(free[3]) == "---p" && string(used[2]) == string(free[1]) &&
			address(t, used[1])%heapSize == 0 && address(t, free[2]) == address(t, used[1])+heapSize {
			n++
		}
	}
	return n
}

func address(t *testing.T, text []byte) uint64 {
	t.Helper()
	n, err := strconv.ParseUint(string(text), 16, 64)
	require.NoError(t, err)
	return n
}
