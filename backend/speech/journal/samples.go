package journal

import (
	"encoding/binary"
	"math"
	"slices"
)

// AppendSamples appends samples to raw as little-endian float32.
func AppendSamples(raw []byte, samples []float32) []byte {
	raw = slices.Grow(raw, 4*len(samples))
	for _, x := range samples {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(x))
	}
	return raw
}

// ParseSamples appends the samples in raw, which AppendSamples made.
func ParseSamples(samples []float32, raw []byte) []float32 {
	for i := range len(raw) / 4 {
		samples = append(samples, math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:])))
	}
	return samples
}

// Thousandths rounds seconds for the history.
func Thousandths(seconds float64) float64 { return math.Round(seconds*1000) / 1000 }
