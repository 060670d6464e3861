package onnx_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines/onnx"
	"github.com/voicewright/voicewright/engines/onnx/onnxtest"
)

// sum returns the graph y = x + s.
func sum() ([]byte, onnx.Signature) {
	const float32Type = uint64(onnx.Float32)
	graph := onnxtest.Model(16, onnxtest.Node("Add", "y", []string{"x", "s"}),
		onnxtest.Value(onnxtest.Input, "x", float32Type, 1), onnxtest.Value(onnxtest.Input, "s", float32Type, 0),
		onnxtest.Value(onnxtest.Output, "y", float32Type, 1))
	return graph, onnx.Signature{
		Inputs:  []onnx.Value{{Name: "x", Type: onnx.Float32, Rank: 1}, {Name: "s", Type: onnx.Float32}},
		Outputs: []onnx.Value{{Name: "y", Type: onnx.Float32, Rank: 1}},
	}
}

// sumFile returns a file with the graph of sum.
func sumFile(t *testing.T) (string, onnx.Signature) {
	t.Helper()
	graph, want := sum()
	path := filepath.Join(t.TempDir(), "sum.onnx")
	require.NoError(t, os.WriteFile(path, graph, 0o600))
	return path, want
}

// openSum loads the graph of sum from memory.
func openSum(t *testing.T) *onnx.Session {
	t.Helper()
	graph, want := sum()
	s, err := library(t).OpenData(t.Context(), "sum.onnx", graph, want, 1)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// A bound run reads and writes the memory that it was bound to, again and again.
func TestBoundRunsUseTheSameMemory(t *testing.T) {
	s := openSum(t)
	x, y := []float32{1, 2}, make([]float32, 2)
	b, err := s.Bind([]onnx.Tensor{onnx.NewTensor(x, 2), onnx.NewTensor([]float32{10})}, []onnx.Tensor{onnx.NewTensor(y, 2)})
	require.NoError(t, err)
	defer b.Close()
	for range 3 {
		require.NoError(t, b.Run(t.Context(), "adding"))
		require.Equal(t, []float32{x[0] + 10, x[1] + 10}, y)
		copy(x, y)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, b.Run(ctx, "adding"), backend.ErrCancelled)
	require.NoError(t, s.Close())
	require.ErrorIs(t, b.Run(t.Context(), "adding"), backend.ErrCancelled)
	b.Close()
}

func TestBoundErrors(t *testing.T) {
	s := openSum(t)
	x, scalar := onnx.NewTensor([]float32{1, 2}, 2), onnx.NewTensor([]float32{10})
	_, err := s.Bind([]onnx.Tensor{x, scalar}, []onnx.Tensor{onnx.NewTensor([]float32{0}, 5)})
	require.ErrorContains(t, err, "shape [5] has 1 elements")
	b, err := s.Bind([]onnx.Tensor{x, scalar}, []onnx.Tensor{onnx.NewTensor(make([]float32, 3), 3)})
	require.NoError(t, err)
	defer b.Close()
	require.Equal(t, backend.CodeEngineFailed, backend.CodeOf(b.Run(t.Context(), "adding")), "the output has another shape")

	_, err = library(t).OpenData(t.Context(), "bad.onnx", []byte("no graph"), onnx.Signature{}, 1)
	require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err))
}

// A bound run that would take minutes ends when it is stopped, and stays stopped.
func TestStopABoundRun(t *testing.T) {
	const products = 4000
	nodes := onnxtest.Node("MatMul", "m1", []string{"x", "x"})
	for i := 1; i < products; i++ {
		nodes = append(nodes, onnxtest.Node("MatMul", fmt.Sprintf("m%d", i+1), []string{fmt.Sprintf("m%d", i), "x"})...)
	}
	graph := onnxtest.Model(16, nodes, onnxtest.Node("Identity", "y", []string{fmt.Sprintf("m%d", products)}),
		onnxtest.Value(onnxtest.Input, "x", onnxtest.Float32, 2), onnxtest.Value(onnxtest.Output, "y", onnxtest.Float32, 2))
	s, err := library(t).OpenData(t.Context(), "long.onnx", graph, onnx.Signature{
		Inputs: []onnx.Value{{Name: "x", Type: onnx.Float32, Rank: 2}}, Outputs: []onnx.Value{{Name: "y", Type: onnx.Float32, Rank: 2}},
	}, 1)
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	const side = 1024
	b, err := s.Bind([]onnx.Tensor{onnx.NewTensor(make([]float32, side*side), side, side)},
		[]onnx.Tensor{onnx.NewTensor(make([]float32, side*side), side, side)})
	require.NoError(t, err)
	defer b.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	context.AfterFunc(ctx, b.Stop)
	require.ErrorIs(t, b.Run(ctx, "multiplying"), backend.ErrCancelled)
	require.Equal(t, backend.CodeEngineFailed, backend.CodeOf(b.Run(t.Context(), "multiplying")))
	b.Close()
	b.Stop()
}
