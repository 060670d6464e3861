package filters

import "math"

// The taps of the filters between two samples.
const (
	PeakHalf = 12 // on each side
	PeakTaps = 2 * PeakHalf
)

const (
	peakPhases = 4 // times oversampling
	peakBeta   = 7.0
	peakCell   = 8 // samples whose highest level is checked before any of them is interpolated
	peakNear   = 4 // taps on each side that are often enough to see that a level is not the highest
)

// Interpolator finds the highest level between samples: one filter for each phase between two of them.
type Interpolator struct {
	rows  [peakPhases - 1][]float32
	Reach float32 // no filter returns more than the highest sample times this
	pairs [PeakHalf]tapPair
	far   float32 // the taps beyond peakNear add at most the highest sample times this
}

// tapPair are the taps of all filters for the sum and the difference of the two samples that are as far from the middle. As the first
// filter is the last one mirrored, both have the same ones, and the difference counts negative in the last one.
type tapPair struct{ sum, difference, middle float32 }

// rounding is how much sums in float32 may be wrong, as a share of the highest one.
const rounding = 1e-4

// smallest is a sample below which sums of products may be wrong by more than rounding, as they are denormal numbers.
const smallest = 1e-36

// Peaks are the filters of BS.1770 annex 2: the same for every rate, and never changed.
var Peaks = newInterpolator()

func newInterpolator() *Interpolator {
	p := &Interpolator{}
	for r := range p.rows {
		row := peakRow(float64(PeakHalf-1) + float64(r+1)/peakPhases)
		all, near := taps(row), taps(row[PeakHalf-peakNear:PeakHalf+peakNear])
		p.rows[r] = row
		p.Reach = max(p.Reach, float32(all*(1+rounding)))
		p.far = max(p.far, float32(all*(1+rounding)-near))
	}
	for k := range p.pairs {
		left, right := p.rows[0][PeakHalf-1-k], p.rows[0][PeakHalf+k]
		p.pairs[k] = tapPair{sum: (left + right) / 2, difference: (left - right) / 2, middle: p.rows[1][PeakHalf+k]}
	}
	return p
}

// taps returns the sum of the absolute taps.
func taps(row []float32) float64 {
	var sum float64
	for _, tap := range row {
		sum += math.Abs(float64(tap))
	}
	return sum
}

// peakRow is a full-band sinc with a Kaiser window around center.
func peakRow(center float64) []float32 {
	row, sum := make([]float64, PeakTaps), 0.0
	for k := range row {
		t := float64(k) - center
		x := t / PeakHalf
		row[k] = Sinc(t) * Bessel0(peakBeta*math.Sqrt(max(0, 1-x*x)))
		sum += row[k]
	}
	out := make([]float32, PeakTaps)
	for k, v := range row {
		out[k] = float32(v / sum)
	}
	return out
}

// Between returns the highest level between the samples of window that have PeakHalf samples on each side, or floor if
// that is higher. Cells that cannot reach the floor are not interpolated, which saves most of the work on speech.
func (p *Interpolator) Between(window []float32, floor float32) float32 {
	peak := floor
	var cells [PeakTaps/peakCell + 1]float32 // the highest sample of each cell that a filter sees
	for c := range cells[1:] {
		cells[c+1] = Highest(window[c*peakCell : (c+1)*peakCell])
	}
	for from := PeakTaps; from <= len(window); from += peakCell {
		to := min(from+peakCell, len(window)+1)
		copy(cells[:], cells[1:])
		cells[len(cells)-1] = Highest(window[from:min(to, len(window))])
		highest := Highest(cells[:])
		if highest*p.Reach <= peak {
			continue
		}
		for i := from; i < to; i++ {
			if p.below((*[PeakTaps]float32)(window[i-PeakTaps:]), peak, highest) {
				continue
			}
			for _, row := range p.rows {
				peak = max(peak, Abs(Dot(window[i-PeakTaps:i], row)))
			}
		}
	}
	return peak
}

// below reports whether no filter returns more than peak from samples, of which none is above highest. NaN is not below.
func (p *Interpolator) below(samples *[PeakTaps]float32, peak, highest float32) bool {
	if highest < smallest {
		return false
	}
	a, b, c, d := &p.pairs[0], &p.pairs[1], &p.pairs[2], &p.pairs[3] // peakNear of them, without a loop
	sa, sb, sc, sd := samples[11]+samples[12], samples[10]+samples[13], samples[9]+samples[14], samples[8]+samples[15]
	sum := (a.sum*sa + b.sum*sb) + (c.sum*sc + d.sum*sd)
	middle := (a.middle*sa + b.middle*sb) + (c.middle*sc + d.middle*sd)
	difference := (a.difference*(samples[11]-samples[12]) + b.difference*(samples[10]-samples[13])) +
		(c.difference*(samples[9]-samples[14]) + d.difference*(samples[8]-samples[15]))
	limit := peak - highest*p.far
	if Abs(sum)+Abs(difference) <= limit && Abs(middle) <= limit {
		return true
	}
	for k := peakNear; k < PeakHalf; k++ {
		taps, left, right := &p.pairs[k], samples[PeakHalf-1-k], samples[PeakHalf+k]
		sum += taps.sum * (left + right)
		difference += taps.difference * (left - right)
		middle += taps.middle * (left + right)
	}
	limit = peak - highest*p.Reach*rounding
	return Abs(sum)+Abs(difference) <= limit && Abs(middle) <= limit
}
