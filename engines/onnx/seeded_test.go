package onnx_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines/enginetest"
	"github.com/voicewright/voicewright/engines/onnx"
	"github.com/voicewright/voicewright/engines/onnx/onnxtest"
)

// TestEqualSeedsEqualBytes: of the random nodes alone, at sizes that threads share unevenly, and of a real network.
func TestEqualSeedsEqualBytes(t *testing.T) {
	path, want := allKinds(t)
	sessions := []*onnx.Session{openSeeded(t, path, want, 1), openSeeded(t, path, want, 2), openSeeded(t, path, want, 3)}
	for seed, n := range []int{1, 2, 3, 1000, 4097, 65537, 70001, 300007} {
		seed := int64(seed) << 20
		first, other := drawn(t, sessions[0], n, seed), drawn(t, sessions[0], n, seed+1)
		for _, s := range sessions {
			for i, values := range drawn(t, s, n, seed) {
				require.True(t, same(first[i], values), "output %d of %d elements", i, n)
			}
		}
		for i, values := range other {
			require.False(t, same(first[i], values), "output %d of %d elements", i, n)
		}
	}
}

func same(a, b []float32) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if math.Float32bits(a[i]) != math.Float32bits(b[i]) {
			return false
		}
	}
	return true
}

// noisy are the inputs of n ids with the scales of a real voice.
func noisy(n int) []onnx.Tensor {
	in := inputs(n, 1)
	in[2] = onnx.NewTensor([]float32{0.667, 1, 0.8}, 3)
	return in
}

func spoken(t testing.TB, s *onnx.Session, seed int64) []float32 {
	t.Helper()
	out, err := s.RunSeeded(t.Context(), "speaking", seed, noisy(40)...)
	require.NoError(t, err)
	values, err := out[0].Floats()
	require.NoError(t, err)
	return values
}

func TestSeedsOfAVoice(t *testing.T) {
	one, two := openSeeded(t, small(t), voice(), 1), openSeeded(t, small(t), voice(), 2)
	first := spoken(t, one, 7)
	require.True(t, same(first, spoken(t, one, 7)))
	require.True(t, same(first, spoken(t, two, 7)))
	require.False(t, same(first, spoken(t, one, 8)))
	out, err := one.Run(t.Context(), "speaking", noisy(40)...)
	require.NoError(t, err)
	plain, err := out[0].Floats()
	require.NoError(t, err)
	require.True(t, same(plain, spoken(t, one, 0)), "Run is not RunSeeded with 0")
	var wg sync.WaitGroup
	for seed := range int64(4) {
		want := spoken(t, one, seed)
		wg.Go(func() {
			out, err := one.RunSeeded(t.Context(), "speaking", seed, noisy(40)...)
			if err != nil {
				t.Errorf("run: %v", err)
				return
			}
			if got, _ := out[0].Floats(); !same(want, got) {
				t.Errorf("seed %d sounds otherwise beside others", seed)
			}
		})
	}
	wg.Wait()
}

// TestSeededKeepsTheVoice: without noise the patched graph returns the same as the original one.
func TestSeededKeepsTheVoice(t *testing.T) {
	s, plain := openSeeded(t, small(t), voice(), 1), open(t, 1)
	defer func() { require.NoError(t, plain.Close()) }()
	require.False(t, plain.Reproducible())
	for _, n := range []int{5, 60} {
		want, err := plain.Run(t.Context(), "speaking", inputs(n, 1)...)
		require.NoError(t, err)
		got, err := s.RunSeeded(t.Context(), "speaking", 3, inputs(n, 1)...)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}

func TestGraphWithoutRandomNodesIsReproducible(t *testing.T) {
	path := voiceFile(t, "repo", "en", "en_US", "lessac", "medium", "en_US-lessac-medium.onnx")
	s := openSeeded(t, path, voice(), 1)
	require.True(t, s.Reproducible())
	require.True(t, same(spoken(t, s, 1), spoken(t, s, 2)))
}

func TestGraphsThatCannotBeSeeded(t *testing.T) {
	like := onnxtest.Node("RandomNormalLike", "y", []string{"x"})
	branch := func(name string) []byte {
		inside := onnxtest.Bytes(6, onnxtest.Node("RandomUniformLike", "inner", []string{"x"}, onnxtest.Int("dtype", 1)), onnxtest.Bytes(2, []byte("b")), onnxtest.Bytes(12, onnxtest.Bytes(1, []byte("inner")), onnxtest.Bytes(2, onnxtest.Bytes(1, onnxtest.Number(1, 1)))))
		return append(append(onnxtest.Bytes(1, []byte(name)), inside...), onnxtest.Number(20, 5)...)
	}
	for name, tt := range map[string]struct {
		opset uint64
		nodes [][]byte
	}{
		"in a nested graph": {15, [][]byte{
			like, onnxtest.Node("Constant", "yes", nil, append(append(onnxtest.Bytes(1, []byte("value")), onnxtest.Bytes(5, onnxtest.Number(2, 9), onnxtest.Bytes(9, []byte{1}))...), onnxtest.Number(20, 4)...)),
			onnxtest.Node("If", "z", []string{"yes"}, branch("then_branch"), branch("else_branch")),
		}},
		"another random operator": {15, [][]byte{like, onnxtest.Node("Sigmoid", "s", []string{"x"}), onnxtest.Node("Bernoulli", "z", []string{"s"})}},
		"old operators, no type":  {13, [][]byte{like, onnxtest.Node("Neg", "z", []string{"x"})}},
		"very old operators":      {9, [][]byte{onnxtest.Node("RandomNormalLike", "y", []string{"x"}, onnxtest.Int("dtype", 1)), onnxtest.Node("Neg", "z", []string{"x"})}},
	} {
		t.Run(name, func(t *testing.T) {
			path, want := graphFile(t, tt.opset, []string{"y", "z"}, tt.nodes...)
			s := openSeeded(t, path, want, 1)
			require.False(t, s.Reproducible())
			require.Len(t, drawn(t, s, 100, 1), 2, "it still runs")
		})
	}
}

// TestExposedTensors: a tensor inside a graph is an output, of a seeded voice and of one that draws its noise.
func TestExposedTensors(t *testing.T) {
	model, err := onnx.Inspect(small(t))
	require.NoError(t, err)
	frames, ok := model.Made("Ceil")
	require.True(t, ok)
	_, ok = model.Made("Conv")
	require.False(t, ok, "there are many")
	_, ok = model.Made("Bernoulli")
	require.False(t, ok)
	want := voice()
	want.Outputs = append(want.Outputs, onnx.Value{Name: frames, Type: onnx.Float32, Rank: onnx.AnyRank})
	for _, seeded := range []bool{true, false} {
		o := onnx.SessionOptions{Threads: 1, Seeded: seeded, Expose: []string{frames}}
		s, err := library(t).Open(t.Context(), small(t), want, o)
		require.NoError(t, err)
		require.Equal(t, seeded, s.Reproducible())
		out, err := s.RunSeeded(t.Context(), "speaking", 1, noisy(30)...)
		require.NoError(t, err)
		samples, err := out[0].Floats()
		require.NoError(t, err)
		each, err := out[1].Floats()
		require.NoError(t, err)
		require.Len(t, each, 30)
		sum := float32(0)
		for _, f := range each {
			sum += f
		}
		require.Len(t, samples, int(sum)*256)
		require.NoError(t, s.Close())
	}
	_, err = library(t).Open(t.Context(), small(t), want, onnx.SessionOptions{Seeded: true})
	require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err), "not asked to expose it")
	want.Outputs[1].Name = "no such tensor"
	_, err = library(t).Open(t.Context(), small(t), want, onnx.SessionOptions{Expose: []string{"no such tensor"}})
	require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err))
}

// TestSeededThroughLinks: the hub's cache keeps the files of a snapshot as links to blobs with other names.
func TestSeededThroughLinks(t *testing.T) {
	top := t.TempDir()
	blobs, snapshot := filepath.Join(top, "blobs"), filepath.Join(top, "snapshots", "c0ffee", "onnx")
	require.NoError(t, os.MkdirAll(blobs, 0o700))
	require.NoError(t, os.MkdirAll(snapshot, 0o700))
	whole, err := os.ReadFile(small(t))
	require.NoError(t, err)
	place := func(name, blob string, content []byte) string {
		require.NoError(t, os.WriteFile(filepath.Join(blobs, blob), content, 0o600))
		path := filepath.Join(snapshot, name)
		require.NoError(t, os.Symlink(filepath.Join("..", "..", "..", "blobs", blob), path))
		return path
	}
	want := spoken(t, openSeeded(t, small(t), voice(), 1), 5)
	require.True(t, same(want, spoken(t, openSeeded(t, place("voice.onnx", "1c8b", whole), voice(), 1), 5)))

	// A model with its weights in another file, which also has another name behind the links.
	weights := make([]byte, 0, 40000)
	for i := range 10000 {
		weights = binary.LittleEndian.AppendUint32(weights, math.Float32bits(float32(i)))
	}
	entry := func(key, value string) []byte {
		return onnxtest.Bytes(13, onnxtest.Bytes(1, []byte(key)), onnxtest.Bytes(2, []byte(value)))
	}
	path, signature := graphFile(
		t, 15, []string{"y"},
		onnxtest.Bytes(5, onnxtest.Number(1, 10000), onnxtest.Number(2, 1), onnxtest.Bytes(8, []byte("w")), entry("location", "model.onnx_data"), entry("length", "40000"), onnxtest.Number(14, 1)),
		onnxtest.Node("RandomUniformLike", "u", []string{"w"}), onnxtest.Node("Add", "y", []string{"u", "w"}),
	)
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	place("model.onnx_data", "77aa", weights)
	got := draws(t, place("model.onnx", "88bb", content), signature, 1, 1, 6)[0]
	require.Len(t, got, 10000)
	for i, v := range got {
		require.GreaterOrEqual(t, v, float32(i))
		require.LessOrEqual(t, v, float32(i)+1)
	}
	require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(path), "model.onnx_data"), weights, 0o600))
	require.True(t, same(got, draws(t, path, signature, 1, 1, 6)[0]), "without links")

	require.NoError(t, os.Remove(filepath.Join(blobs, "77aa")))
	_, err = library(t).Open(t.Context(), filepath.Join(snapshot, "model.onnx"), signature, onnx.SessionOptions{Seeded: true})
	require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err))
}

func TestSeededOpenNamesDamage(t *testing.T) {
	whole, err := os.ReadFile(small(t))
	require.NoError(t, err)
	dir := t.TempDir()
	for name, content := range map[string][]byte{
		"empty.onnx": nil,
		"cut.onnx":   whole[:len(whole)/2],
		"short.onnx": whole[:len(whole)-1],
		"odd.onnx":   unknownOperator(whole),
		"page.onnx":  []byte("<!DOCTYPE html><html>not found</html>"),
		"life.onnx":  bytes.Replace(whole, []byte("RandomNormalLike"), []byte("RandomNormalLife"), 1),
	} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, content, 0o600))
		_, err := library(t).Open(t.Context(), path, voice(), onnx.SessionOptions{Seeded: true})
		require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err), name)
		require.Contains(t, backend.AsError(err).Detail, name)
	}
}

func TestSeededRunStopsWhenCancelled(t *testing.T) {
	s := openSeeded(t, small(t), voice(), 1)
	for _, after := range []time.Duration{0, time.Millisecond, 50 * time.Millisecond} {
		ctx, cancel := context.WithTimeout(t.Context(), after)
		_, err := s.RunSeeded(ctx, "speaking", 1, inputs(2000, 4)...)
		deadline, _ := ctx.Deadline()
		late := time.Since(deadline)
		cancel()
		require.ErrorIs(t, err, backend.ErrCancelled)
		require.Less(t, late, stopLimit)
	}
	require.NotEmpty(t, spoken(t, s, 1))
}

// FuzzSeeded opens any bytes as a seeded graph, after the parts that make it one.
func FuzzSeeded(f *testing.F) {
	for _, parts := range [][][]byte{
		{onnxtest.Node("RandomNormalLike", "y", []string{"x"})},
		{onnxtest.Node("RandomUniform", "y", nil, dims(true, 3, 4)), onnxtest.Bytes(5, onnxtest.Number(1, 2000), onnxtest.Number(2, 1), onnxtest.Bytes(8, []byte("w")), onnxtest.Bytes(9, make([]byte, 8000)))},
		{onnxtest.Node("RandomNormal", "y", nil, dims(false, 3), floatOf("mean", 1)), onnxtest.Bytes(5, onnxtest.Bytes(13, onnxtest.Bytes(1, []byte("location")), onnxtest.Bytes(2, []byte("../w"))))},
	} {
		var content []byte
		for _, p := range parts {
			content = append(content, p...)
		}
		f.Add(content)
	}
	want := onnx.Signature{Outputs: []onnx.Value{{Name: "y", Type: onnx.Float32, Rank: onnx.AnyRank}}}
	r := library(f)
	path := filepath.Join(f.TempDir(), "model.onnx")
	f.Fuzz(func(t *testing.T, parts []byte) {
		content := append(onnxtest.Number(1, 8), onnxtest.Bytes(7, parts, onnxtest.Value(onnxtest.Input, "x", 1, 1), onnxtest.Value(onnxtest.Output, "y", 1, 1))...)
		content = append(content, onnxtest.Bytes(8, onnxtest.Number(2, 15))...)
		require.NoError(t, os.WriteFile(path, content, 0o600))
		s, err := r.Open(t.Context(), path, want, onnx.SessionOptions{Seeded: true})
		if err != nil {
			require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err))
			return
		}
		require.NoError(t, s.Close())
	})
}

// BenchmarkSeeded compares a seeded voice with the same voice unchanged: `open` and `run` are ratios of the medians of
// times taken in turns, and the MiB are what the process grows by, weights included. VOICEWRIGHT_GRAPH names a voice of
// true size to use instead of the small one.
func BenchmarkSeeded(b *testing.B) {
	path := os.Getenv("VOICEWRIGHT_GRAPH")
	if path == "" {
		path = small(b)
	}
	require.NoError(b, library(b).Init())
	var opens, runs [2][]float64
	var grown [2]float64
	ids := noisy(100)
	ids[2] = onnx.NewTensor([]float32{0.667, 1, 0}, 3) // the same length each time
	for b.Loop() {
		for i, seeded := range []bool{false, true, true, false} {
			kind := (i + 1) / 2 % 2
			before := enginetest.Resident(b)
			start := time.Now()
			s, err := library(b).Open(b.Context(), path, voice(), onnx.SessionOptions{Threads: 1, Seeded: seeded})
			require.NoError(b, err)
			opens[kind] = append(opens[kind], time.Since(start).Seconds())
			for range 5 {
				start := time.Now()
				_, err := s.RunSeeded(b.Context(), "speaking", 1, ids...)
				require.NoError(b, err)
				runs[kind] = append(runs[kind], time.Since(start).Seconds())
			}
			grown[kind] = max(grown[kind], float64(enginetest.Resident(b)-before)/(1<<20))
			require.NoError(b, s.Close())
		}
	}
	b.ReportMetric(onnxtest.Median(opens[1])/onnxtest.Median(opens[0]), "open")
	b.ReportMetric(onnxtest.Median(runs[1])/onnxtest.Median(runs[0]), "run")
	b.ReportMetric(onnxtest.Median(opens[1])*1000, "ms/open")
	b.ReportMetric(grown[0], "plain-MiB")
	b.ReportMetric(grown[1], "seeded-MiB")
}
