package audio

import "math"

const (
	peakPhases = 4  // times oversampling
	peakHalf   = 12 // taps on each side
	peakTaps   = 2 * peakHalf
	peakBeta   = 7.0
	peakBlock  = 1024
	peakCell   = 8 // samples whose highest level is checked before any of them is interpolated
)

// interpolator finds the highest level between samples: one filter for each phase between two of them.
type interpolator struct {
	rows  [peakPhases - 1][]float32
	reach float32 // no filter returns more than the highest sample times this
}

// peakFilters are the filters of BS.1770 annex 2: the same for every rate, and never changed.
var peakFilters = newInterpolator()

func newInterpolator() *interpolator {
	p := &interpolator{}
	for r := range p.rows {
		p.rows[r] = peakRow(float64(peakHalf-1) + float64(r+1)/peakPhases)
		var sum float64
		for _, tap := range p.rows[r] {
			sum += math.Abs(float64(tap))
		}
		const rounding = 1.0001 // of sums in float32
		p.reach = max(p.reach, float32(sum*rounding))
	}
	return p
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
		if highestSample(cells[:])*p.reach <= peak {
			continue
		}
		for i := from; i < to; i++ {
			for _, row := range p.rows {
				peak = max(peak, abs(dot(window[i-peakTaps:i], row)))
			}
		}
	}
	return peak
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
