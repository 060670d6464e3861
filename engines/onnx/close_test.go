package onnx_test

import (
	"math"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines/onnx"
	"github.com/voicewright/voicewright/engines/onnx/onnxtest"
)

// TestCloseStopsRuns: Close does not wait for the end of a long run, and neither do runs that begin in the meantime.
func TestCloseStopsRuns(t *testing.T) {
	s := open(t, 1)
	long := inputs(2000, 4)
	begun, failures := make(chan struct{}, 3), make(chan error, 3)
	for range cap(failures) {
		go func() {
			begun <- struct{}{}
			for { // also those that begin while Close waits
				if _, err := s.Run(t.Context(), "speaking", long...); err != nil {
					failures <- err
					return
				}
			}
		}()
	}
	for range cap(begun) {
		<-begun
	}
	require.NoError(t, s.Close())
	for range cap(failures) {
		err := <-failures
		require.ErrorIs(t, err, backend.ErrCancelled)
		require.NotContains(t, backend.AsError(err).Detail, "closed")
	}
}

// openEndless loads a graph that counts to n.
func openEndless(t testing.TB) *onnx.Session {
	t.Helper()
	body := onnxtest.Join(
		onnxtest.Bytes(2, []byte("body")), onnxtest.Node("Identity", "goes_on", []string{"goes"}), onnxtest.Node("Identity", "after", []string{"before"}),
		onnxtest.Value(onnxtest.Input, "i", onnxtest.Int64, 0), onnxtest.Value(onnxtest.Input, "goes", onnxtest.Bool, 0),
		onnxtest.Value(onnxtest.Input, "before", onnxtest.Float32, 1),
		onnxtest.Value(onnxtest.Output, "goes_on", onnxtest.Bool, 0), onnxtest.Value(onnxtest.Output, "after", onnxtest.Float32, 1))
	loop := onnxtest.Join(onnxtest.Bytes(1, []byte("body")), onnxtest.Bytes(6, body), onnxtest.Number(20, 5))
	return openNodes(t, onnx.Signature{
		Inputs:  []onnx.Value{{Name: "n", Type: onnx.Int64}, {Name: "x", Type: onnx.Float32, Rank: 1}},
		Outputs: []onnx.Value{{Name: "y", Type: onnx.Float32, Rank: 1}},
	}, onnxtest.Node("Loop", "y", []string{"n", "", "x"}, loop))
}

// TestCloseStopsEndlessRuns: Close ends runs that would not end by themselves, also those on the goroutine of the caller.
func TestCloseStopsEndlessRuns(t *testing.T) {
	bothInto(t, openEndless, func(t *testing.T, s *onnx.Session, run into) {
		x, y := onnx.NewTensor([]float32{7}, 1), []float32{0}
		require.NoError(t, run(t.Context(), "counting", []onnx.Tensor{onnx.NewTensor([]int64{3}), x}, []onnx.Tensor{onnx.NewTensor(y, 1)}))
		require.Equal(t, []float32{7}, y)
		ended := make(chan error)
		for range 2 {
			go func() {
				ended <- run(t.Context(), "counting", []onnx.Tensor{onnx.NewTensor([]int64{math.MaxInt64}), x}, make([]onnx.Tensor, 1))
			}()
		}
		for s.Calls() < 2 {
			runtime.Gosched()
		}
		require.NoError(t, s.Close())
		for range 2 {
			require.ErrorIs(t, <-ended, backend.ErrCancelled)
		}
		require.Zero(t, s.Calls())
	})
}
