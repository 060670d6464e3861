package enginetest

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// KitFile returns a file of the parity kit with this name, whose copy is in testdata/kit of the package.
func KitFile(t testing.TB, name string, parts ...string) string {
	t.Helper()
	return filepath.Join(append([]string{Kit(t, name, filepath.Join("testdata", "kit"))}, parts...)...)
}

// Stats are the numbers by which parity kits compare samples.
type Stats struct {
	Count     int     `json:"count"`
	Sum       float64 `json:"sum"`
	SumAbs    float64 `json:"sum_abs"`
	SumSquare float64 `json:"sum_square"`
	MaxAbs    float64 `json:"max_abs"`
}

// StatsOf returns the numbers of samples.
func StatsOf(samples []float32) Stats {
	s := Stats{Count: len(samples)}
	for _, v := range samples {
		x := float64(v)
		s.Sum += x
		s.SumAbs += math.Abs(x)
		s.SumSquare += x * x
		s.MaxAbs = max(s.MaxAbs, math.Abs(x))
	}
	return s
}

// ReadNpy returns the elements of a NumPy array file of float32 ("<f4") or int16 ("<i2"), of any shape.
func ReadNpy[T float32 | int16](t testing.TB, path string) []T {
	t.Helper()
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	size := int(binary.LittleEndian.Uint16(raw[8:10]))
	header, body := string(raw[10:10+size]), raw[10+size:]
	var out []T
	switch {
	case strings.Contains(header, "<f4"):
		for ; len(body) > 0; body = body[4:] {
			out = append(out, T(math.Float32frombits(binary.LittleEndian.Uint32(body))))
		}
	case strings.Contains(header, "<i2"):
		for ; len(body) > 0; body = body[2:] {
			out = append(out, T(int16(binary.LittleEndian.Uint16(body))))
		}
	default:
		t.Fatalf("%s holds %s", path, header)
	}
	return out
}
