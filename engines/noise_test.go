package engines_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines"
)

func numbers(seed int64, piece, n int) []float32 {
	out := make([]float32, n)
	engines.NewNoise(seed, piece).Fill(out)
	return out
}

func TestNoiseIsNormal(t *testing.T) {
	const n = 200_001
	x, y := numbers(7, 0, n), numbers(7, 1, n)
	require.Len(t, x, n)
	require.Equal(t, x, numbers(7, 0, n))
	require.Equal(t, x[:1000], numbers(7, 0, 1000), "the beginning depends on the length")
	var mean, square, cube, fourth, together, beyond float64
	for i := range x {
		v := float64(x[i])
		mean += v / n
		square += v * v / n
		cube += v * v * v / n
		fourth += v * v * v * v / n
		together += v * float64(y[i]) / n
		if math.Abs(v) > 1.96 {
			beyond += 1.0 / n
		}
	}
	require.InDelta(t, 0, mean, 0.01)
	require.InDelta(t, 1, square, 0.015)
	require.InDelta(t, 0, cube, 0.03)
	require.InDelta(t, 3, fourth, 0.1)
	require.InDelta(t, 0, together, 0.01)
	require.InDelta(t, 0.05, beyond, 0.003)
	// The stream is part of what a receipt promises: it may not change from one version to the next.
	want := []float32{0.7798457, -0.3007926, -1.9660465, -1.0494297, 0.5722768, -0.0099998, -0.2513728, -1.4574520}
	require.InDeltaSlice(t, want, numbers(42, 3, len(want)), 1e-6)
}

// TestNoiseContinues: what is filled in several steps is the same stream.
func TestNoiseContinues(t *testing.T) {
	all, n := numbers(3, 1, 64), engines.NewNoise(3, 1)
	part := make([]float32, 32)
	n.Fill(part)
	require.Equal(t, all[:32], part)
	n.Fill(part)
	require.Equal(t, all[32:], part)
}

func TestUniformNumbersAreEven(t *testing.T) {
	const n = 100_000
	stream, mean, square := engines.NewNoise(7, 0), 0.0, 0.0
	for range n {
		v := stream.Uniform()
		if v < 0 || v >= 1 {
			t.Fatalf("%g is not from 0 to below 1", v)
		}
		mean += v / n
		square += v * v / n
	}
	require.InDelta(t, 1.0/2, mean, 0.005)
	require.InDelta(t, 1.0/3, square, 0.005)
	// The stream is part of what a receipt promises: it may not change from one version to the next.
	require.InDelta(t, 0.7051690509316021, engines.NewNoise(42, 3).Uniform(), 1e-15)
}
