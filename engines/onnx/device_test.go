package onnx_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/onnx"
	"github.com/voicewright/voicewright/engines/onnx/gpu"
	"github.com/voicewright/voicewright/engines/onnx/onnxtest"
)

var errBroken = errors.New("CUDA failure 999: unknown error\n at /home/someone/src/kernel.cc:12")

// fails returns what fails the loads and runs from number first on.
func fails(first int) func(int) error {
	return func(n int) error {
		if n >= first {
			return errBroken
		}
		return nil
	}
}

// placed returns a runtime with the GPU under the name of CUDA, a place on it, and the reasons that were told.
func placed(t *testing.T, fake *onnxtest.GPU, o engines.Options) (*onnx.Runtime, *onnx.Place, *[]*backend.Error) {
	t.Helper()
	r := onnx.New(onnx.Options{Path: enginetest.Library(t), Providers: map[string]gpu.Provider{"cuda": fake}})
	var told []*backend.Error
	o.Moved = func(why *backend.Error) { told = append(told, why) }
	place, err := r.Place(o)
	require.NoError(t, err)
	return r, place, &told
}

func openAt(t *testing.T, r *onnx.Runtime, place *onnx.Place) *onnx.Session {
	t.Helper()
	path, want := sumFile(t)
	s, err := r.Open(t.Context(), path, want, onnx.SessionOptions{Threads: 1, Place: place})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// add runs the graph, and returns what is wrong with that.
func add(ctx context.Context, s *onnx.Session) error {
	out, err := s.Run(ctx, "adding", onnx.NewTensor([]float32{1, 2}, 2), onnx.NewTensor([]float32{10}))
	if err != nil {
		return err
	}
	if sum, err := out[0].Floats(); err != nil || !slices.Equal(sum, []float32{11, 12}) {
		return fmt.Errorf("the sum is %v, %w", sum, err)
	}
	return nil
}

// The library of the tests has no code for a GPU, and says so.
func TestLibraryWithoutGPUs(t *testing.T) {
	for _, device := range []string{"cuda", "cuda:3", "directml", "coreml", "metal"} {
		var told *backend.Error
		place, err := library(t).Place(engines.Options{Device: device, Moved: func(why *backend.Error) { told = why }})
		require.NoError(t, err)
		require.Equal(t, "cpu", place.Device(), device)
		require.Equal(t, backend.CodeUnsupportedGPU, told.Code)
		require.Equal(t, engines.GPUMissing, told.Params["reason"], told.Error())
		require.Equal(t, told, place.Why())
	}
	for _, device := range []string{"", "auto", "cpu"} {
		place, err := library(t).Place(engines.Options{Device: device})
		require.NoError(t, err)
		require.Equal(t, "cpu", place.Device())
		require.Nil(t, place.Why())
	}
	for _, device := range []string{"tpu", "cuda:x", "cuda:-1"} {
		_, err := library(t).Place(engines.Options{Device: device})
		require.Equal(t, backend.CodeUnsupportedGPU, backend.CodeOf(err), device)
		require.Contains(t, backend.AsError(err).Detail, device)
	}
	r := library(t)
	known, why := r.Knows("cuda")
	require.True(t, known, "its file is not there")
	require.Equal(t, engines.GPUMissing, why.Params["reason"])
	known, _ = r.Knows("directml")
	require.False(t, known)
	require.NoError(t, r.Init())
	for _, device := range []string{"cuda", "directml", "coreml", "tpu"} {
		known, why := r.Knows(device)
		require.True(t, known, device)
		require.Equal(t, engines.GPUMissing, why.Params["reason"], device)
	}
}

func TestGPUThatWorks(t *testing.T) {
	fake := &onnxtest.GPU{}
	r, place, told := placed(t, fake, engines.Options{Device: "cuda:1", Memory: 5 << 30})
	s := openAt(t, r, place)
	require.NoError(t, add(t.Context(), s))
	require.Equal(t, int64(5<<30), fake.Memory())
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if err := add(context.Background(), s); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	done, atOnce := fake.Done()
	require.Equal(t, 6, done)
	require.Equal(t, 1, atOnce, "a GPU does one run at a time")
	require.Empty(t, *told)
	info := engines.Info{Placement: place.Placement, Concurrency: 8, Reproducible: true}.Clone()
	require.Equal(t, "cuda:1", info.Device)
	require.Equal(t, 1, info.Concurrency)
	require.False(t, info.Reproducible)
}

func TestGPUThatCannotBeUsed(t *testing.T) {
	for reason, fake := range map[string]*onnxtest.GPU{
		engines.GPUMissing: {Lacking: true},
		engines.GPULibrary: {Broken: errors.New("libcudnn.so.9: cannot open shared object file")},
		engines.GPULoad:    {Fails: fails(1)},
	} {
		r, place, told := placed(t, fake, engines.Options{Device: "cuda"})
		s := openAt(t, r, place)
		require.Len(t, *told, 1)
		require.Equal(t, reason, place.Why().Params["reason"])
		require.Equal(t, "cuda:0", place.Why().Params["device"])
		require.Equal(t, "cpu", place.Device())
		require.NoError(t, add(t.Context(), s))
		openAt(t, r, place)
		require.Len(t, *told, 1, "once a model")
	}
}

// When one graph of a model fails on a GPU, all of them move to the CPU, and no run is lost.
func TestGPUThatFailsAtARun(t *testing.T) {
	fake := &onnxtest.GPU{Fails: fails(4)} // two loads and a run
	r, place, told := placed(t, fake, engines.Options{Device: "cuda"})
	first, second := openAt(t, r, place), openAt(t, r, place)
	require.NoError(t, add(t.Context(), first))
	require.Equal(t, "cuda:0", place.Device())
	var all sync.WaitGroup
	for range 4 {
		for _, s := range []*onnx.Session{first, second} {
			all.Go(func() {
				if err := add(context.Background(), s); err != nil {
					t.Error(err)
				}
			})
		}
	}
	all.Wait()
	require.NoError(t, add(t.Context(), second))
	require.Len(t, *told, 1)
	why := (*told)[0]
	require.Equal(t, engines.GPURun, why.Params["reason"])
	require.Equal(t, "CUDA failure 999: unknown error", why.Params["cause"])
	require.NotContains(t, why.Detail, "/home")
	done, _ := fake.Done()
	require.Equal(t, 4, done, "nothing more is tried there")
}

// An input that no device can compute, and a run that was cancelled, say nothing about the GPU.
func TestErrorsThatAreNotTheGPUs(t *testing.T) {
	r, place, told := placed(t, &onnxtest.GPU{}, engines.Options{Device: "cuda"})
	s := openAt(t, r, place)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, add(ctx, s), backend.ErrCancelled)
	_, err := s.Run(t.Context(), "adding", onnx.Tensor{})
	require.Error(t, err)
	require.NoError(t, add(t.Context(), s), "the turn was passed on")
	require.Empty(t, *told)
}

// A GPU of too little precision returns what is not a number. The CPU does the run again.
func TestGPUWhoseResultsAreNoNumbers(t *testing.T) {
	r, place, told := placed(t, &onnxtest.GPU{}, engines.Options{Device: "cuda"})
	path, want := sumFile(t)
	s, err := r.Open(t.Context(), path, want, onnx.SessionOptions{Threads: 1, Place: place})
	require.NoError(t, err)
	_, err = s.Run(t.Context(), "adding", onnx.NewTensor([]float32{float32(math.NaN()), 2}, 2), onnx.NewTensor([]float32{10}))
	require.NoError(t, err, "this sum is the same on the CPU")
	require.Len(t, *told, 1)
	require.Contains(t, (*told)[0].Detail, "its result is not a number")
	require.NoError(t, s.Close())
}

// Bound runs move with their graph, with the memory that they are bound to.
func TestBoundRunThatFailsOnAGPU(t *testing.T) {
	fake := &onnxtest.GPU{Fails: fails(3)} // a load and a run
	r, place, told := placed(t, fake, engines.Options{Device: "cuda"})
	path, want := sumFile(t)
	s, err := r.Open(t.Context(), path, want, onnx.SessionOptions{Threads: 1, Place: place})
	require.NoError(t, err)
	x, y := []float32{1, 2}, make([]float32, 2)
	b, err := s.Bind([]onnx.Tensor{onnx.NewTensor(x, 2), onnx.NewTensor([]float32{10})}, []onnx.Tensor{onnx.NewTensor(y, 2)})
	require.NoError(t, err)
	for i := range 4 {
		require.NoError(t, b.Run(t.Context(), "adding"))
		require.Equal(t, []float32{x[0] + 10, x[1] + 10}, y)
		require.Equal(t, i == 0, place.OnGPU())
		copy(x, y)
	}
	require.Len(t, *told, 1)
	b.Stop()
	b.Close()
	require.NoError(t, s.Close())
}
