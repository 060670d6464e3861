package journal

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSamplesOfAnyNumber returns as many samples as were appended, also those beside the ones that are converted at once.
func TestSamplesOfAnyNumber(t *testing.T) {
	samples := []float32{0, 1, -1, 0.5, 1e-40, -3e38, 7, 8, 9}
	for n := range len(samples) + 1 {
		raw := AppendSamples([]byte{7}, samples[:n])
		require.Len(t, raw, 1+4*n)
		require.Equal(t, append([]float32{2}, samples[:n]...), ParseSamples([]float32{2}, raw[1:]))
	}
	require.Equal(t, []byte{0, 0, 0x80, 0x3f}, AppendSamples(nil, []float32{1}))
}
