package chatterbox

import "math/rand/v2"

// noise is the source of the random numbers of one piece: PCG-DXSM (O'Neill 2014, as in math/rand/v2) with the seed and the
// number of the piece as its two words. Changing anything here changes what every seed sounds like.
type noise struct{ source *rand.PCG }

func newNoise(seed int64, piece int) noise { return noise{rand.NewPCG(uint64(seed), uint64(piece))} }

// next returns a number from 0 to below 1, a whole number of 2^-53.
func (n noise) next() float64 { return float64(n.source.Uint64()>>11) / (1 << 53) }

// seed returns the seed for the noise of the decoder.
func (n noise) seed() int64 { return int64(n.source.Uint64()) }
