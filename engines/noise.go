package engines

import (
	"math"
	"math/rand/v2"
)

// Noise is a stream of independent numbers with mean 0 and variance 1, which depends only on the seed and the number of the
// piece of text. Its source is PCG-DXSM (O'Neill 2014, as in math/rand/v2) with these two as its words; two draws a and b,
// 53 bits each, become by Box and Muller (1958) the two numbers
//
//	sqrt(-2 ln((a+1)/2^53)) cos(2π b/2^53)  and the same with sin.
//
// It is not safe for concurrent use.
type Noise struct{ source rand.PCG }

// NewNoise returns the beginning of a stream.
func NewNoise(seed int64, piece int) *Noise {
	n := &Noise{}
	n.source.Seed(uint64(seed), uint64(piece))
	return n
}

// Fill overwrites dst with the next numbers of the stream. The second number of a pair is dropped at an odd end.
func (n *Noise) Fill(dst []float32) {
	const whole = 1 << 53
	for i := 0; i < len(dst); i += 2 {
		a, b := n.source.Uint64()>>11, n.source.Uint64()>>11
		radius := math.Sqrt(-2 * math.Log(float64(a+1)/whole))
		sin, cos := math.Sincos(2 * math.Pi * float64(b) / whole)
		dst[i] = float32(radius * cos)
		if i+1 < len(dst) {
			dst[i+1] = float32(radius * sin)
		}
	}
}

// Uniform returns the next number of the stream as one from 0 to below 1, a whole number of 2^-53, in the place of a normal one.
func (n *Noise) Uniform() float64 { return float64(n.source.Uint64()>>11) / (1 << 53) }
