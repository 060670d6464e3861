package onnx_test

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines/onnx"
	"github.com/voicewright/voicewright/engines/onnx/onnxtest"
)

// openNodes loads a graph from memory.
func openNodes(t testing.TB, want onnx.Signature, nodes ...[]byte) *onnx.Session {
	t.Helper()
	parts := nodes
	for _, v := range want.Inputs {
		parts = append(parts, onnxtest.Value(onnxtest.Input, v.Name, uint64(v.Type), v.Rank))
	}
	for _, v := range want.Outputs {
		parts = append(parts, onnxtest.Value(onnxtest.Output, v.Name, uint64(v.Type), v.Rank))
	}
	s, err := library(t).OpenData(t.Context(), "test.onnx", onnxtest.Model(16, parts...), want, 1)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// openStates loads a graph that adds x to each of n states.
func openStates(t testing.TB, n int) *onnx.Session {
	t.Helper()
	want := onnx.Signature{Inputs: []onnx.Value{{Name: "x", Type: onnx.Float32, Rank: 1}}}
	var nodes [][]byte
	for i := range n {
		in, out := fmt.Sprintf("state_%d", i), fmt.Sprintf("out_state_%d", i)
		nodes = append(nodes, onnxtest.Node("Add", out, []string{in, "x"}))
		want.Inputs = append(want.Inputs, onnx.Value{Name: in, Type: onnx.Float32, Rank: 2})
		want.Outputs = append(want.Outputs, onnx.Value{Name: out, Type: onnx.Float32, Rank: 2})
	}
	return openNodes(t, want, nodes...)
}

// into is RunInto or Step.
type into func(ctx context.Context, stage string, inputs, outputs []onnx.Tensor) error

// bothInto calls test with both, each of a session of its own.
func bothInto(t *testing.T, open func(t testing.TB) *onnx.Session, test func(t *testing.T, s *onnx.Session, run into)) {
	t.Run("RunInto", func(t *testing.T) { s := open(t); test(t, s, s.RunInto) })
	t.Run("Step", func(t *testing.T) { s := open(t); test(t, s, s.Step) })
}

// TestRunIntoSwapsStates: the states of a step are the inputs of the next one, in two sets of buffers.
func TestRunIntoSwapsStates(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 3, 70} {
		bothInto(t, func(t testing.TB) *onnx.Session { return openStates(t, n) }, func(t *testing.T, _ *onnx.Session, run into) {
			swapStates(t, n, run)
		})
	}
}

func swapStates(t *testing.T, n int, run into) {
	t.Helper()
	in, out := make([]onnx.Tensor, n+1), make([]onnx.Tensor, n)
	in[0] = onnx.NewTensor([]float32{1, 10}, 2)
	buffers := make([][]float32, n)
	for i := range n {
		buffers[i] = []float32{float32(i), 0, 0, 0}
		in[1+i] = onnx.NewTensor(buffers[i], 2, 2)
		out[i] = onnx.NewTensor(make([]float32, 4), 2, 2)
	}
	for range 4 {
		require.NoError(t, run(t.Context(), "adding", in, out))
		for i := range n {
			in[1+i], out[i] = out[i], in[1+i]
		}
	}
	for i := range n {
		require.Equal(t, []float32{float32(i) + 4, 40, 4, 40}, buffers[i], "state %d of %d", i, n)
	}
}

// TestRunIntoAllocates what the caller did not: a zero Tensor becomes the result, the others stay where they are.
func TestRunIntoAllocates(t *testing.T) {
	t.Parallel()
	bothInto(t, func(t testing.TB) *onnx.Session { return openStates(t, 2) }, func(t *testing.T, _ *onnx.Session, run into) {
		in := []onnx.Tensor{
			onnx.NewTensor([]float32{1, 2}, 2), onnx.NewTensor([]float32{0, 0}, 1, 2), onnx.NewTensor([]float32{5, 5, 5, 5}, 2, 2),
		}
		mine := []float32{9, 9}
		out := []onnx.Tensor{onnx.NewTensor(mine, 1, 2), {}}
		require.NoError(t, run(t.Context(), "adding", in, out))
		require.Equal(t, []float32{1, 2}, mine)
		got, err := out[1].Floats()
		require.NoError(t, err)
		require.Equal(t, []float32{6, 7, 6, 7}, got)
		require.Equal(t, []int64{2, 2}, out[1].Shape())
	})
}

func TestRunIntoErrors(t *testing.T) {
	t.Parallel()
	bothInto(t, func(t testing.TB) *onnx.Session { return openStates(t, 1) }, func(t *testing.T, s *onnx.Session, into into) {
		in := []onnx.Tensor{onnx.NewTensor([]float32{1, 2}, 2), onnx.NewTensor([]float32{0, 0}, 1, 2)}
		run := func(out ...onnx.Tensor) error { return into(t.Context(), "adding", in, out) }
		require.Equal(t, backend.CodeEngineFailed, backend.CodeOf(run()), "an output is missing")
		require.Equal(t, backend.CodeEngineFailed, backend.CodeOf(run(onnx.NewTensor(make([]float32, 3), 1, 3))), "another shape")
		require.ErrorContains(t, run(onnx.NewTensor(make([]float32, 3), 1, 2)), "output 0: tensor of shape [1 2] has 3 elements")
		require.ErrorContains(t, run(onnx.NewTensor(make([]float32, 1), -1, -1)), "output 0")
		require.ErrorContains(t, into(t.Context(), "adding", []onnx.Tensor{in[0], onnx.NewTensor([]float32{0}, -1, -1)},
			make([]onnx.Tensor, 1)), "input 1")

		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		require.ErrorIs(t, into(ctx, "adding", in, make([]onnx.Tensor, 1)), backend.ErrCancelled)
		require.NoError(t, s.Close())
		require.ErrorIs(t, run(onnx.Tensor{}), backend.ErrCancelled)
	})
}

// TestAbandonedRunKeepsItsMemory: the outputs of a run that was cancelled are not collected before the library has ended.
func TestAbandonedRunKeepsItsMemory(t *testing.T) {
	bothInto(t, func(t testing.TB) *onnx.Session { return open(t, 1) }, func(t *testing.T, s *onnx.Session, run into) {
		long := inputs(2000, 4)
		n := len(speak(t, s, inputs(20, 1)))
		for range 3 {
			ctx, cancel := context.WithCancel(t.Context())
			failed := make(chan error, 1)
			go func() {
				failed <- run(ctx, "speaking", long, []onnx.Tensor{onnx.NewTensor(make([]float32, n), 1, 1, 1, int64(n))})
			}()
			runtime.Gosched()
			cancel()
			require.ErrorIs(t, <-failed, backend.ErrCancelled)
			runtime.GC()
		}
		require.NoError(t, s.Close())
	})
}

func speak(t testing.TB, s *onnx.Session, in []onnx.Tensor) []float32 {
	t.Helper()
	out, err := s.Run(t.Context(), "speaking", in...)
	require.NoError(t, err)
	samples, err := out[0].Floats()
	require.NoError(t, err)
	return samples
}

// TestEmptyTensors: states begin without elements, in every type that graphs use.
func TestEmptyTensors(t *testing.T) {
	t.Parallel()
	var want onnx.Signature
	var nodes [][]byte
	for _, v := range []onnx.Value{
		{Name: "float", Type: onnx.Float32, Rank: 3},
		{Name: "int64", Type: onnx.Int64, Rank: 1},
		{Name: "int32", Type: onnx.Int32, Rank: 2},
		{Name: "bool", Type: onnx.Bool, Rank: 1},
	} {
		nodes = append(nodes, onnxtest.Node("Identity", "out_"+v.Name, []string{v.Name}))
		want.Inputs = append(want.Inputs, v)
		v.Name = "out_" + v.Name
		want.Outputs = append(want.Outputs, v)
	}
	s := openNodes(t, want, nodes...)
	empty := func() []onnx.Tensor {
		return []onnx.Tensor{
			onnx.NewTensor([]float32{}, 1, 0, 32), onnx.NewTensor([]int64(nil), 0), onnx.NewTensor([]int32{}, 128, 0),
			onnx.NewTensor([]bool{}, 0),
		}
	}
	check := func(out []onnx.Tensor) {
		for i, in := range empty() {
			require.Equal(t, in.Shape(), out[i].Shape())
		}
		floats, err := out[0].Floats()
		require.NoError(t, err)
		require.Empty(t, floats)
	}
	out, err := s.Run(t.Context(), "copying", empty()...)
	require.NoError(t, err)
	check(out)
	for _, into := range [][]onnx.Tensor{empty(), make([]onnx.Tensor, 4)} {
		require.NoError(t, s.RunInto(t.Context(), "copying", empty(), into))
		check(into)
	}

	out, err = s.Run(t.Context(), "copying", onnx.NewTensor([]float32{1}, 1, 1, 1), onnx.NewTensor([]int64{math.MaxInt64}, 1),
		onnx.NewTensor([]int32{math.MinInt32, 7}, 1, 2), onnx.NewTensor([]bool{true, false}, 2))
	require.NoError(t, err)
	ints, err := out[2].Int32s()
	require.NoError(t, err)
	require.Equal(t, []int32{math.MinInt32, 7}, ints)
	bools, err := out[3].Bools()
	require.NoError(t, err)
	require.Equal(t, []bool{true, false}, bools)
	_, err = out[1].Int32s()
	require.ErrorContains(t, err, "tensor holds []int64, not []int32")
}

// TestScalarOutputs: results without dimensions are read like all others.
func TestScalarOutputs(t *testing.T) {
	t.Parallel()
	var want onnx.Signature
	var nodes [][]byte
	scalars := []onnx.Tensor{
		onnx.NewTensor([]float32{2.5}), onnx.NewTensor([]int64{-3}), onnx.NewTensor([]int32{4}), onnx.NewTensor([]bool{true}),
		onnx.NewTensor([]uint8{200}),
	}
	for i, kind := range []onnx.Type{onnx.Float32, onnx.Int64, onnx.Int32, onnx.Bool, onnx.Uint8} {
		in, out := fmt.Sprintf("in%d", i), fmt.Sprintf("out%d", i)
		nodes = append(nodes, onnxtest.Node("Identity", out, []string{in}))
		want.Inputs = append(want.Inputs, onnx.Value{Name: in, Type: kind})
		want.Outputs = append(want.Outputs, onnx.Value{Name: out, Type: kind})
	}
	s := openNodes(t, want, nodes...)
	out, err := s.Run(t.Context(), "copying", scalars...)
	require.NoError(t, err)
	require.Equal(t, scalars, out)
	into := make([]onnx.Tensor, len(scalars))
	into[0] = onnx.NewTensor([]float32{0})
	require.NoError(t, s.RunInto(t.Context(), "copying", scalars, into))
	require.Equal(t, scalars, into)
}

// BenchmarkStates runs a step of a small decoder with 12 states of 64 kB. "run" copies the states of each step; "into" swaps
// two sets of buffers; "bound" swaps two bound runs, for states whose shapes never change. allocs/op are those of the
// binding and of one goroutine.
func BenchmarkStates(b *testing.B) {
	const n, size = 12, 16 << 10
	s := openStates(b, n)
	in, out := make([]onnx.Tensor, n+1), make([]onnx.Tensor, n)
	in[0] = onnx.NewTensor(make([]float32, size), size)
	for i := range n {
		in[1+i], out[i] = onnx.NewTensor(make([]float32, size), 1, size), onnx.NewTensor(make([]float32, size), 1, size)
	}
	b.Run("run", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			_, err := s.Run(b.Context(), "adding", in...)
			require.NoError(b, err)
		}
	})
	b.Run("into", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			require.NoError(b, s.RunInto(b.Context(), "adding", in, out))
			for i := range n {
				in[1+i], out[i] = out[i], in[1+i]
			}
		}
	})
	b.Run("bound", func(b *testing.B) {
		forth, err := s.Bind(in, out)
		require.NoError(b, err)
		defer forth.Close()
		for i := range n {
			in[1+i], out[i] = out[i], in[1+i]
		}
		back, err := s.Bind(in, out)
		require.NoError(b, err)
		defer back.Close()
		b.ReportAllocs()
		for b.Loop() {
			require.NoError(b, forth.Run(b.Context(), "adding"))
			forth, back = back, forth
		}
	})
}
