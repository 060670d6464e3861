package voiceprints

import (
	"math"
	"slices"

	"github.com/voicewright/voicewright/backend"
)

// measure sets the figures of a check from the cosines of pairs of recordings; there are some of both kinds.
func measure(c *backend.VoiceCheck, same, different []float64) {
	slices.Sort(same)
	slices.Sort(different)
	c.Same, c.Different = figures(same), figures(different)
	c.SameBelow, _ = slices.BinarySearch(same, c.Limit)
	below, _ := slices.BinarySearch(different, c.Limit)
	c.DifferentAbove = len(different) - below
	c.EqualErrorRate, c.EqualErrorCosine = equalError(same, different)
}

// figures returns what sorted cosines are like.
func figures(sorted []float64) backend.CosineFigures {
	sum := 0.0
	for _, x := range sorted {
		sum += x
	}
	return backend.CosineFigures{Pairs: len(sorted), Mean: sum / float64(len(sorted)), Min: sorted[0], Max: sorted[len(sorted)-1]}
}

// equalError returns the error rate at the limit at which pairs of one person are taken for two people as often as pairs of two for
// one, and that limit. Between two cosines the mean of both rates is meant; of limits that are as good it is the middle.
func equalError(same, different []float64) (rate, limit float64) {
	best := math.Inf(1)
	var low, high float64
	for _, at := range append(slices.Clone(same), different...) {
		missed, _ := slices.BinarySearch(same, at)
		below, _ := slices.BinarySearch(different, at)
		wrongSame := float64(missed) / float64(len(same))
		wrongDifferent := float64(len(different)-below) / float64(len(different))
		switch gap := math.Abs(wrongSame - wrongDifferent); {
		case gap < best:
			best, rate, low, high = gap, (wrongSame+wrongDifferent)/2, at, at
		case gap == best:
			low, high = min(low, at), max(high, at)
		}
	}
	return rate, (low + high) / 2
}
