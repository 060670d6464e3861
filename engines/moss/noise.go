package moss

import "math/rand/v2"

// noise returns the source of the random numbers of one piece of an utterance: multiples of 2^-24 from 0 to below 1, which
// a float32 holds exactly, each from one number of PCG-DXSM (as in math/rand/v2) with the seed and the number of the piece as
// its two words. The first number, which decides whether the speech ends before it began, is 0: it begins.
func noise(seed int64, piece int) func(u []float32) {
	source, begun := rand.NewPCG(uint64(seed), uint64(piece)), false
	return func(u []float32) {
		for i := range u {
			u[i] = float32(source.Uint64()>>40) / (1 << 24)
		}
		if !begun {
			u[0], begun = 0, true
		}
	}
}
