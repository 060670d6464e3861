package onnx_test

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines/onnx"
	"github.com/voicewright/voicewright/engines/onnx/onnxtest"
)

func TestLimitsNameTheField(t *testing.T) {
	require.NoError(t, onnx.CheckLimits("config.json", onnx.Limit{Field: "a", Value: 2, Min: 1, Max: 2}))
	for _, value := range []int{-1, 0, 3, 10_000_000_000} {
		err := onnx.CheckLimits("config.json", onnx.Limit{Field: "a", Value: 1, Min: 1, Max: 2},
			onnx.Limit{Field: "b.c", Value: value, Min: 1, Max: 2})
		require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err))
		require.Equal(t, "The model file config.json has a wrong value in b.c.", backend.AsError(err).Detail)
	}
}

// sparse makes a file with a start and a hole behind it, as long as this disk lets a file be.
func sparse(t *testing.T, start []byte, size int64) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "model.onnx")
	require.NoError(t, os.WriteFile(path, start, 0o600))
	require.NoError(t, os.Truncate(path, size))
	return path
}

// TestHolesAreNoGraph: reading the zeros of a huge empty file byte by byte would take days.
func TestHolesAreNoGraph(t *testing.T) {
	for name, start := range map[string][]byte{"nothing": {}, "a whole graph": onnxtest.Bytes(7, node("Add"), onnxtest.Value(onnxtest.Output, "y", 1, 1))} {
		t.Run(name, func(t *testing.T) {
			_, err := onnx.Inspect(sparse(t, start, 1<<40))
			require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err))
		})
	}
}

// allocated returns the bytes that a call allocates.
func allocated(call func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	call()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestHugeFieldIsRefused: a seeded graph is a copy of everything but the weights, so a description of 1 GB, a hole on
// the disk, would need more than that in memory.
func TestHugeFieldIsRefused(t *testing.T) {
	whole, err := os.ReadFile(small(t))
	require.NoError(t, err)
	description := append(binary.AppendUvarint(nil, 6<<3|2), binary.AppendUvarint(nil, 1<<30)...)
	path := sparse(t, append(whole, description...), int64(len(whole)+len(description))+1<<30)
	used := allocated(func() {
		_, err = library(t).Open(t.Context(), path, voice(), onnx.SessionOptions{Threads: 1, Seeded: true})
	})
	require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err))
	require.Less(t, used, uint64(64<<20))
}

// TestEndlessNamesAreRefused: a file of a few MB can hold millions of inputs without a name.
func TestEndlessNamesAreRefused(t *testing.T) {
	graph := append(bytes.Repeat([]byte{11<<3 | 2, 0}, 4_000_000), onnxtest.Value(onnxtest.Output, "y", 1, 1)...)
	used := allocated(func() {
		_, err := inspect(t, onnxtest.Bytes(7, graph))
		require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err))
	})
	require.Less(t, used, uint64(256<<20))
}

func TestNoiseOfAnyShapeIsRefused(t *testing.T) {
	for name, shape := range map[string][]byte{
		"too many numbers":    onnxtest.Bytes(5, onnxtest.Bytes(1, []byte("shape")), onnxtest.Number(8, 1<<20), onnxtest.Number(8, 1<<20), onnxtest.Number(20, 7)),
		"negative":            onnxtest.Bytes(5, onnxtest.Bytes(1, []byte("shape")), onnxtest.Number(8, 1<<64-1), onnxtest.Number(20, 7)),
		"too many dimensions": onnxtest.Bytes(5, onnxtest.Bytes(1, []byte("shape")), onnxtest.Bytes(8, bytes.Repeat([]byte{1}, 1000)), onnxtest.Number(20, 7)),
	} {
		t.Run(name, func(t *testing.T) {
			random := onnxtest.Bytes(1, onnxtest.Bytes(2, []byte("y")), onnxtest.Bytes(4, []byte("RandomNormal")), shape)
			path, want := graphFile(t, 15, []string{"y", "z"}, random, onnxtest.Node("Neg", "z", []string{"x"}))
			_, err := library(t).Open(t.Context(), path, want, onnx.SessionOptions{Threads: 1, Seeded: true})
			require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err))
		})
	}
}
