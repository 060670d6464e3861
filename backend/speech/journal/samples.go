package journal

import (
	"encoding/binary"
	"math"
	"slices"
)

// AppendSamples appends samples to raw as little-endian float32.
func AppendSamples(raw []byte, samples []float32) []byte {
	at := len(raw)
	raw = slices.Grow(raw, 4*len(samples))[:at+4*len(samples)]
	for i, x := range samples {
		binary.LittleEndian.PutUint32(raw[at+4*i:], math.Float32bits(x))
	}
	return raw
}

// ParseSamples appends the samples in raw, which AppendSamples made.
func ParseSamples(samples []float32, raw []byte) []float32 {
	at, n := len(samples), len(raw)/4
	samples = slices.Grow(samples, n)[:at+n]
	for i := range samples[at:] {
		samples[at+i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
	}
	return samples
}

// Thousandths rounds seconds for the history.
func Thousandths(seconds float64) float64 { return math.Round(seconds*1000) / 1000 }
