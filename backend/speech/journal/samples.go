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
	to := raw[at:]
	for ; len(samples) >= 4 && len(to) >= 16; samples, to = samples[4:], to[16:] {
		x, y := (*[4]float32)(samples), (*[16]byte)(to) // without bounds checks
		binary.LittleEndian.PutUint32(y[0:], math.Float32bits(x[0]))
		binary.LittleEndian.PutUint32(y[4:], math.Float32bits(x[1]))
		binary.LittleEndian.PutUint32(y[8:], math.Float32bits(x[2]))
		binary.LittleEndian.PutUint32(y[12:], math.Float32bits(x[3]))
	}
	for i, x := range samples {
		binary.LittleEndian.PutUint32(to[4*i:], math.Float32bits(x))
	}
	return raw
}

// ParseSamples appends the samples in raw, which AppendSamples made.
func ParseSamples(samples []float32, raw []byte) []float32 {
	at, n := len(samples), len(raw)/4
	samples = slices.Grow(samples, n)[:at+n]
	to := samples[at:]
	for ; len(to) >= 4 && len(raw) >= 16; to, raw = to[4:], raw[16:] {
		x, y := (*[4]float32)(to), (*[16]byte)(raw) // without bounds checks
		x[0], x[1] = math.Float32frombits(binary.LittleEndian.Uint32(y[0:])), math.Float32frombits(binary.LittleEndian.Uint32(y[4:]))
		x[2], x[3] = math.Float32frombits(binary.LittleEndian.Uint32(y[8:])), math.Float32frombits(binary.LittleEndian.Uint32(y[12:]))
	}
	for i := range to {
		to[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
	}
	return samples
}

// Thousandths rounds seconds for the history.
func Thousandths(seconds float64) float64 { return math.Round(seconds*1000) / 1000 }
