package supertonic

import (
	"math"
	"math/rand/v2"
)

// noise returns the start of a latent: n independent numbers with mean 0 and variance 1. Each piece of an utterance
// has a stream of its own. The stream is PCG-DXSM (O'Neill 2014, as in math/rand/v2) with the seed and the number of
// the piece as its two words; two draws a and b, 53 bits each, become by Box and Muller (1958) the two numbers
//
//	sqrt(-2 ln((a+1)/2^53)) cos(2π b/2^53)  and the same with sin.
func noise(seed int64, piece, n int) []float32 {
	const whole = 1 << 53
	source := rand.NewPCG(uint64(seed), uint64(piece))
	out := make([]float32, n+n%2)
	for i := 0; i < n; i += 2 {
		a, b := source.Uint64()>>11, source.Uint64()>>11
		radius := math.Sqrt(-2 * math.Log(float64(a+1)/whole))
		sin, cos := math.Sincos(2 * math.Pi * float64(b) / whole)
		out[i], out[i+1] = float32(radius*cos), float32(radius*sin)
	}
	return out[:n]
}
