package audio

import "math"

const (
	peakPhases = 4  // times oversampling
	peakHalf   = 12 // taps on each side
	peakTaps   = 2 * peakHalf
	peakBeta   = 7.0
	peakBlock  = 1024
	peakCell   = 8 // samples whose highest level is checked before any of them is interpolated
	peakNear   = 4 // taps on each side that are enough to see that most levels are not the highest
)

// interpolator finds the highest level between samples: one filter for each phase between two of them.
type interpolator struct {
	rows  [peakPhases - 1][]float32
	reach float32 // no filter returns more than the highest sample times this
	near  [peakNear]nearTaps
	far   float32 // the taps that are not in near add at most the highest sample times this
}

// nearTaps are taps of the filters, for the sum and the difference of the two samples that are as far from the middle. As the first
// filter is the last one mirrored, both have the same ones, and the difference counts negative in the last one.
type nearTaps struct{ sum, difference, middle float32 }

// peakFilters are the filters of BS.1770 annex 2: the same for every rate, and never changed.
var peakFilters = newInterpolator()

func newInterpolator() *interpolator {
	p := &interpolator{}
	const rounding = 1e-4 // of sums in float32, as a share of the highest one
	for r := range p.rows {
		row := peakRow(float64(peakHalf-1) + float64(r+1)/peakPhases)
		all, near := taps(row), taps(row[peakHalf-peakNear:peakHalf+peakNear])
		p.rows[r] = row
		p.reach = max(p.reach, float32(all*(1+rounding)))
		p.far = max(p.far, float32(all*(1+rounding)-near))
	}
	for k := range p.near {
		left, right := p.rows[0][peakHalf-1-k], p.rows[0][peakHalf+k]
		p.near[k] = nearTaps{sum: (left + right) / 2, difference: (left - right) / 2, middle: p.rows[1][peakHalf+k]}
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
	row, sum := make([]float64, peakTaps), 0.0
	for k := range row {
		t := float64(k) - center
		x := t / peakHalf
		row[k] = sinc(t) * bessel0(peakBeta*math.Sqrt(max(0, 1-x*x)))
		sum += row[k]
	}
	out := make([]float32, peakTaps)
	for k, v := range row {
		out[k] = float32(v / sum)
	}
	return out
}

// between returns the highest level between the samples of window that have peakHalf samples on each side, or floor if
// that is higher. Cells that cannot reach the floor are not interpolated, which saves most of the work on speech.
func (p *interpolator) between(window []float32, floor float32) float32 {
	peak := floor
	var cells [peakTaps/peakCell + 1]float32 // the highest sample of each cell that a filter sees
	for c := range cells[1:] {
		cells[c+1] = highestSample(window[c*peakCell : (c+1)*peakCell])
	}
	for from := peakTaps; from <= len(window); from += peakCell {
		to := min(from+peakCell, len(window)+1)
		copy(cells[:], cells[1:])
		cells[len(cells)-1] = highestSample(window[from:min(to, len(window))])
		highest := highestSample(cells[:])
		if highest*p.reach <= peak {
			continue
		}
		far := highest * p.far
		for i := from; i < to; i++ {
			if p.below((*[2 * peakNear]float32)(window[i-peakHalf-peakNear:]), peak-far) {
				continue
			}
			for _, row := range p.rows {
				peak = max(peak, abs(dot(window[i-peakTaps:i], row)))
			}
		}
	}
	return peak
}

// below reports whether no filter returns more than limit from the samples in its middle. NaN is not below.
func (p *interpolator) below(samples *[2 * peakNear]float32, limit float32) bool {
	a, b, c, d := &p.near[0], &p.near[1], &p.near[2], &p.near[3]
	sum := a.sum*(samples[3]+samples[4]) + b.sum*(samples[2]+samples[5]) + c.sum*(samples[1]+samples[6]) + d.sum*(samples[0]+samples[7])
	difference := a.difference*(samples[3]-samples[4]) + b.difference*(samples[2]-samples[5]) +
		c.difference*(samples[1]-samples[6]) + d.difference*(samples[0]-samples[7])
	middle := a.middle*(samples[3]+samples[4]) + b.middle*(samples[2]+samples[5]) +
		c.middle*(samples[1]+samples[6]) + d.middle*(samples[0]+samples[7])
	return abs(sum)+abs(difference) <= limit && abs(middle) <= limit
}

// highestSample returns the highest absolute sample; numbers without a sign are in the order of their bits.
func highestSample(samples []float32) float32 {
	var a, b, c, d uint32 // so that a comparison need not wait for the one before
	for ; len(samples) >= 4; samples = samples[4:] {
		x := (*[4]float32)(samples) // without bounds checks
		a, b = max(a, math.Float32bits(x[0])&^(1<<31)), max(b, math.Float32bits(x[1])&^(1<<31))
		c, d = max(c, math.Float32bits(x[2])&^(1<<31)), max(d, math.Float32bits(x[3])&^(1<<31))
	}
	for _, x := range samples {
		a = max(a, math.Float32bits(x)&^(1<<31))
	}
	return math.Float32frombits(max(a, b, c, d))
}

// truePeak measures the highest level of one channel, also between its samples.
type truePeak struct {
	window []float32 // the last peakTaps-1 samples, then those not measured yet
	peak   float32
}

// write adds channel c of interleaved samples. A full window is measured, and the samples that the next ones need are kept.
func (t *truePeak) write(samples []float32, c, channels int) {
	for i := c; i < len(samples); i += channels {
		t.window = append(t.window, finite(samples[i]))
		if len(t.window) == cap(t.window) {
			t.peak = t.highest(t.window)
			t.window = t.window[:copy(t.window, t.window[len(t.window)-(peakTaps-1):])]
		}
	}
}

// value returns the peak so far, as if zeros followed.
func (t *truePeak) value() float64 {
	end := append(append([]float32(nil), t.window...), make([]float32, peakTaps)...)
	return float64(t.highest(end))
}

// highest returns the peak so far and of window.
func (t *truePeak) highest(window []float32) float32 {
	return peakFilters.between(window, max(t.peak, highestSample(window)))
}

func abs(x float32) float32 {
	return math.Float32frombits(math.Float32bits(x) &^ (1 << 31))
}
