package onnx_test

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines/onnx"
	"github.com/voicewright/voicewright/engines/onnx/onnxtest"
)

func floatOf(name string, v float32) []byte {
	raw := binary.LittleEndian.AppendUint32([]byte{2<<3 | 5}, math.Float32bits(v))
	return append(append(onnxtest.Bytes(1, []byte(name)), raw...), onnxtest.Number(20, 1)...)
}

func dims(packed bool, values ...uint64) []byte {
	out := append(onnxtest.Bytes(1, []byte("shape")), onnxtest.Number(20, 7)...)
	if packed {
		var body []byte
		for _, v := range values {
			body = binary.AppendUvarint(body, v)
		}
		return append(out, onnxtest.Bytes(8, body)...)
	}
	for _, v := range values {
		out = append(out, onnxtest.Number(8, v)...)
	}
	return out
}

// graphFile writes a model with the float32 input x of one dimension, the float32 outputs and the given parts.
func graphFile(t testing.TB, opset uint64, outputs []string, parts ...[]byte) (string, onnx.Signature) {
	t.Helper()
	want := onnx.Signature{Inputs: []onnx.Value{{Name: "x", Type: onnx.Float32, Rank: 1}}}
	parts = append(parts, onnxtest.Bytes(2, []byte("test")), onnxtest.Value(onnxtest.Input, "x", 1, 1))
	for _, name := range outputs {
		parts = append(parts, onnxtest.Bytes(12, onnxtest.Bytes(1, []byte(name)), onnxtest.Bytes(2, onnxtest.Bytes(1, onnxtest.Number(1, 1)))))
		want.Outputs = append(want.Outputs, onnx.Value{Name: name, Type: onnx.Float32, Rank: onnx.AnyRank})
	}
	path := filepath.Join(t.TempDir(), "random.onnx")
	content := append(append(onnxtest.Number(1, 8), onnxtest.Bytes(7, parts...)...), onnxtest.Bytes(8, onnxtest.Number(2, opset))...)
	require.NoError(t, os.WriteFile(path, content, 0o600))
	return path, want
}

// draws opens a graph of graphFile and returns its outputs for n elements of x.
func draws(t testing.TB, path string, want onnx.Signature, threads, n int, seed int64) [][]float32 {
	t.Helper()
	s := openSeeded(t, path, want, threads)
	require.True(t, s.Reproducible())
	return drawn(t, s, n, seed)
}

func openSeeded(t testing.TB, path string, want onnx.Signature, threads int) *onnx.Session {
	t.Helper()
	s, err := library(t).Open(t.Context(), path, want, onnx.SessionOptions{Threads: threads, Seeded: true})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

func drawn(t testing.TB, s *onnx.Session, n int, seed int64) [][]float32 {
	t.Helper()
	out, err := s.RunSeeded(t.Context(), "drawing", seed, onnx.NewTensor(make([]float32, n), int64(n)))
	require.NoError(t, err)
	values := make([][]float32, len(out))
	for i, o := range out {
		values[i], err = o.Floats()
		require.NoError(t, err)
	}
	return values
}

// allKinds is a graph with every kind of random node that can be replaced.
func allKinds(t testing.TB) (string, onnx.Signature) {
	return graphFile(
		t, 15, []string{"normal", "again", "moved", "uniform", "wide", "shaped", "boxed", "plain"},
		onnxtest.Node("RandomNormalLike", "normal", []string{"x"}),
		onnxtest.Node("RandomNormalLike", "again", []string{"x"}, onnxtest.Int("dtype", 1), floatOf("seed", 3)),
		onnxtest.Node("RandomNormalLike", "moved", []string{"x"}, floatOf("mean", 3), floatOf("scale", 0.5), onnxtest.Int("dtype", 1)),
		onnxtest.Node("RandomUniformLike", "uniform", []string{"x"}, onnxtest.Int("dtype", 1)),
		onnxtest.Node("RandomUniformLike", "wide", []string{"x"}, floatOf("low", 5), floatOf("high", 6)),
		onnxtest.Node("RandomNormal", "shaped", nil, dims(false, 2, 3, 50001), floatOf("scale", 2)),
		onnxtest.Node("RandomUniform", "boxed", nil, dims(true, 7, 40001), floatOf("low", -3), floatOf("high", -1)),
		onnxtest.Node("RandomUniform", "plain", nil, dims(true, 300000)),
	)
}

type moments struct{ mean, sd, low, high, neighbours, cubed, fourth float64 }

func momentsOf(values []float32) moments {
	m := moments{low: math.Inf(1), high: math.Inf(-1)}
	n := float64(len(values))
	for _, v := range values {
		x := float64(v)
		m.mean += x / n
		m.low, m.high = min(m.low, x), max(m.high, x)
	}
	for _, v := range values {
		m.sd += (float64(v) - m.mean) * (float64(v) - m.mean) / n
	}
	m.sd = math.Sqrt(m.sd)
	for _, v := range values {
		z := (float64(v) - m.mean) / m.sd
		m.cubed += z * z * z / n
		m.fourth += z * z * z * z / n
	}
	m.neighbours = correlation(values[1:], values[:len(values)-1])
	return m
}

// correlation is not watched by the race detector, which would take half the time of this package for it: it reads millions of samples,
// which belong to one test.
//
//go:norace
func correlation(a, b []float32) float64 {
	var meanA, meanB, ab, aa, bb float64
	n := float64(len(a))
	for i := range a {
		meanA += float64(a[i]) / n
		meanB += float64(b[i]) / n
	}
	for i := range a {
		x, y := float64(a[i])-meanA, float64(b[i])-meanB
		ab, aa, bb = ab+x*y, aa+x*x, bb+y*y
	}
	return ab / math.Sqrt(aa*bb)
}

func TestNoiseHasTheAskedShape(t *testing.T) {
	const n = 300001
	path, want := allKinds(t)
	values := draws(t, path, want, 1, n, 42)
	uniform := 1 / math.Sqrt(12)
	for i, tt := range []struct{ count, mean, sd, low, high, fourth float64 }{
		{n, 0, 1, -8, 8, 3},
		{n, 0, 1, -8, 8, 3},
		{n, 3, 0.5, -1, 7, 3},
		{n, 0.5, uniform, 0, 1, 1.8},
		{n, 5.5, uniform, 5, 6, 1.8},
		{300006, 0, 2, -16, 16, 3},
		{280007, -2, 2 * uniform, -3, -1, 1.8},
		{300000, 0.5, uniform, 0, 1, 1.8},
	} {
		got := momentsOf(values[i])
		require.Len(t, values[i], int(tt.count))
		require.InDelta(t, tt.mean, got.mean, 5*tt.sd/math.Sqrt(n), "mean of %d", i)
		require.InDelta(t, tt.sd, got.sd, 0.005*tt.sd, "standard deviation of %d", i)
		require.InDelta(t, 0, got.cubed, 0.03, "skew of %d", i)
		require.InDelta(t, tt.fourth, got.fourth, 0.06, "kurtosis of %d", i)
		require.GreaterOrEqual(t, got.low, tt.low)
		require.Less(t, got.high, tt.high)
		for lag := 1; lag < 100; lag++ {
			require.InDelta(t, 0, correlation(values[i][lag:], values[i][:len(values[i])-lag]), 0.01, "lag %d of %d", lag, i)
		}
	}
}

// TestNodesDrawApart: the noise of each node and each seed differs from all others, also at neighbouring places.
func TestNodesDrawApart(t *testing.T) {
	const n = 100000
	path, want := allKinds(t)
	s := openSeeded(t, path, want, 1)
	var all [][]float32
	for _, seed := range []int64{0, 1, 2, -1, math.MaxInt32, math.MaxInt64} {
		all = append(all, drawn(t, s, n, seed)...)
	}
	for i := range all {
		for j := range i {
			for lag := range 4 {
				require.InDelta(t, 0, correlation(all[i][lag:n], all[j][:n-lag]), 0.02, "%d and %d, lag %d", i, j, lag)
			}
		}
	}
}

// TestNoiseHasNoLattice counts triples of neighbours in the cells of a cube (a chi-square test).
func TestNoiseHasNoLattice(t *testing.T) {
	path, want := graphFile(t, 15, []string{"y"}, onnxtest.Node("RandomUniformLike", "y", []string{"x"}, onnxtest.Int("dtype", 1)))
	const side = 32
	for _, step := range []int{1, 2, 300} {
		u := draws(t, path, want, 1, 1<<20, 9)[0]
		var cells [side * side * side]float64
		n := 0.0
		for i := 0; i+2*step < len(u); i += 3 {
			cells[int(u[i]*side)*side*side+int(u[i+step]*side)*side+int(u[i+2*step]*side)]++
			n++
		}
		chi, expected := 0.0, n/float64(len(cells))
		for _, c := range cells {
			chi += (c - expected) * (c - expected) / expected
		}
		free := float64(len(cells) - 1)
		require.InDelta(t, free, chi, 6*math.Sqrt(2*free), "step %d", step)
	}
}

func TestNormalNoiseHasItsTails(t *testing.T) {
	path, want := graphFile(t, 15, []string{"y"}, onnxtest.Node("RandomNormalLike", "y", []string{"x"}))
	values := draws(t, path, want, 1, 2_000_000, 4)[0]
	for _, z := range []float64{0.5, 1, 2, 3, 4} {
		beyond := 0.0
		for _, v := range values {
			if float64(v) > z {
				beyond++
			}
		}
		expected := float64(len(values)) * math.Erfc(z/math.Sqrt2) / 2
		require.InDelta(t, expected, beyond, 5*math.Sqrt(expected), "beyond %g", z)
	}
}

func TestTypesOfNoise(t *testing.T) {
	for name, tt := range map[string]struct {
		dtype uint64
		step  float64 // the numbers are multiples of it
	}{"float16": {10, 1.0 / (1 << 24)}, "float64": {11, 1.0 / (1 << 54)}} {
		cast := func(from, to string) []byte { return onnxtest.Node("Cast", to, []string{from}, onnxtest.Int("to", 1)) }
		path, want := graphFile(
			t, 15, []string{"a", "b", "c"},
			onnxtest.Node("Cast", "typed", []string{"x"}, onnxtest.Int("to", tt.dtype)),
			onnxtest.Node("RandomNormalLike", "a0", []string{"typed"}), cast("a0", "a"),
			onnxtest.Node("RandomUniformLike", "b0", []string{"x"}, onnxtest.Int("dtype", tt.dtype), floatOf("low", 7), floatOf("high", 8)), cast("b0", "b"),
			onnxtest.Node("RandomUniform", "c0", nil, dims(false, 100000), onnxtest.Int("dtype", tt.dtype), floatOf("low", -1), floatOf("high", 0)), cast("c0", "c"),
		)
		values := draws(t, path, want, 1, 100000, 1)
		a, b, c := momentsOf(values[0]), momentsOf(values[1]), momentsOf(values[2])
		require.InDelta(t, 0, a.mean, 0.02, name)
		require.InDelta(t, 1, a.sd, 0.01, name)
		require.InDelta(t, 7.5, b.mean, 0.01, name)
		require.GreaterOrEqual(t, b.low, 7.0)
		require.Less(t, b.high, 8.0)
		require.InDelta(t, -0.5, c.mean, 0.01, name)
		require.Less(t, c.high, 0.0)
		for _, v := range values[0][:1000] {
			require.Zero(t, math.Mod(float64(v), tt.step), "%s holds %g", name, v)
		}
	}
}

func TestNoiseOfOddSizes(t *testing.T) {
	for _, opset := range []uint64{11, 13, 14, 17, 20} {
		path, want := graphFile(
			t, opset, []string{"y", "z"},
			onnxtest.Node("RandomNormalLike", "y", []string{"x"}, onnxtest.Int("dtype", 1)),
			onnxtest.Node("RandomUniformLike", "z", []string{"x"}, onnxtest.Int("dtype", 1)),
		)
		s := openSeeded(t, path, want, 1)
		require.True(t, s.Reproducible())
		for _, n := range []int{1, 2, 3, 17} {
			got := drawn(t, s, n, 5)
			require.Len(t, got[0], n)
			require.Len(t, got[1], n)
		}
	}
	// An empty tensor of several dimensions, as for an utterance of no frames.
	path, want := graphFile(
		t, 15, []string{"y"},
		onnxtest.Node("Constant", "s", nil, append(append(onnxtest.Bytes(1, []byte("value_ints")), onnxtest.Number(20, 7)...), append(onnxtest.Number(8, 1), append(onnxtest.Number(8, 0), onnxtest.Number(8, 3)...)...)...)),
		onnxtest.Node("ConstantOfShape", "e", []string{"s"}), onnxtest.Node("RandomNormalLike", "y", []string{"e"}),
	)
	require.Empty(t, draws(t, path, want, 1, 1, 5)[0])
}
