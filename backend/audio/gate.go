package audio

import "math"

// The gates of BS.1770-4, and the histogram of block loudness that replaces a list of all blocks.
const (
	absoluteGate = -70.0 // LUFS
	relativeGate = -10.0 // LU below the mean of the blocks above the absolute gate
	loudestBin   = 30.0  // LUFS; louder blocks share the last bin
	binsPerLU    = 100
	loudnessBins = int((loudestBin - absoluteGate) * binsPerLU)
)

// gate is the gated mean of BS.1770-4 over blocks of 400 ms that overlap by 300 ms. Its memory does not grow with the
// length: blocks are counted in bins of 0.01 LU that keep their exact energy.
type gate struct {
	steps    [4]float64 // the last four steps of 100 ms: one block
	done     int        // steps so far
	counts   []int64
	energies []float64
}

func newGate() *gate {
	return &gate{counts: make([]int64, loudnessBins), energies: make([]float64, loudnessBins)}
}

// add counts the block that ends with a step of this mean energy.
func (g *gate) add(step float64) {
	g.steps[g.done%len(g.steps)] = step
	g.done++
	if g.done < len(g.steps) {
		return
	}
	var mean float64
	for _, e := range g.steps {
		mean += e / float64(len(g.steps))
	}
	if l := toLUFS(mean); l >= absoluteGate {
		b := min(int((l-absoluteGate)*binsPerLU), loudnessBins-1)
		g.counts[b]++
		g.energies[b] += mean
	}
}

// integrated returns the gated loudness so far in LUFS. It is -Inf, and ok false, if nothing passes the gates.
func (g *gate) integrated() (lufs float64, ok bool) {
	mean, n := g.passed()
	if n == 0 {
		return math.Inf(-1), false
	}
	return toLUFS(mean), true
}

// passed returns the mean energy and the number of the blocks that pass both gates.
func (g *gate) passed() (float64, int64) {
	mean, n := g.mean(0)
	if n == 0 {
		return 0, 0
	}
	return g.mean(max(0, int((toLUFS(mean)+relativeGate-absoluteGate)*binsPerLU)))
}

// seconds returns the length of the audio that passes both gates. Blocks overlap, so each counts as a step of 100 ms.
func (g *gate) seconds() float64 {
	_, n := g.passed()
	return float64(n) / 10
}

// mean returns the mean energy and the number of the blocks in the bins from first on.
func (g *gate) mean(first int) (float64, int64) {
	var sum float64
	var n int64
	for b := first; b < loudnessBins; b++ {
		sum += g.energies[b]
		n += g.counts[b]
	}
	if n == 0 {
		return 0, 0
	}
	return sum / float64(n), n
}
