package filters

import (
	"encoding/binary"
	"math"
	"slices"
)

// PCM16 appends samples to dst as 16-bit little-endian PCM, rounded half to even.
func PCM16(dst []byte, samples []float32) []byte {
	at := len(dst)
	dst = slices.Grow(dst, 2*len(samples))[:at+2*len(samples)]
	to := dst[at:]
	for ; len(samples) >= 4 && len(to) >= 8; samples, to = samples[4:], to[8:] {
		x, y := (*[4]float32)(samples), (*[8]byte)(to) // without bounds checks
		binary.LittleEndian.PutUint16(y[0:], pcm16(x[0]))
		binary.LittleEndian.PutUint16(y[2:], pcm16(x[1]))
		binary.LittleEndian.PutUint16(y[4:], pcm16(x[2]))
		binary.LittleEndian.PutUint16(y[6:], pcm16(x[3]))
	}
	for i, x := range samples {
		binary.LittleEndian.PutUint16(to[2*i:], pcm16(x))
	}
	return dst
}

// pcm16 returns one sample of PCM16; NaN is 0.
func pcm16(x float32) uint16 {
	const whole = 0x1.8p23 // the last bit of a number of this size is 1, so that a sum with it has no fraction
	v := x * (1 << 15)
	switch {
	case v >= math.MinInt16 && v <= math.MaxInt16:
		return uint16(math.Float32bits(v + whole))
	case v > 0:
		return math.MaxInt16
	case v < 0:
		return 1 << 15 // the lowest one
	}
	return 0
}
