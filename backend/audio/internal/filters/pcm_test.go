package filters

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPCM16 compares samples of every size, and those around each half, with the rounding of package math.
func TestPCM16(t *testing.T) {
	var samples []float32
	for bits := uint64(0); bits < 1<<32; bits += 9973 {
		samples = append(samples, math.Float32frombits(uint32(bits)))
	}
	for n := -1<<15 - 2; n <= 1<<15+2; n++ {
		half := (float32(n) + 0.5) / (1 << 15)
		samples = append(samples, float32(n)/(1<<15), half, math.Nextafter32(half, -2), math.Nextafter32(half, 2))
	}
	got := PCM16([]byte{7}, samples)[1:]
	for i, x := range samples {
		want := math.RoundToEven(float64(x) * (1 << 15))
		if want != want {
			want = 0
		}
		if have := int16(binary.LittleEndian.Uint16(got[2*i:])); have != int16(min(max(want, math.MinInt16), math.MaxInt16)) {
			t.Fatalf("%v is %d, not %v", x, have, want)
		}
	}
	for n := range 9 { // also what is no multiple of what is converted at once
		require.Equal(t, got[:2*n], PCM16([]byte{}, samples[:n]))
	}
}
