package audio

import "math"

const (
	peakPhases = 4  // times oversampling
	peakHalf   = 12 // taps on each side
	peakTaps   = 2 * peakHalf
	peakBeta   = 7.0
	peakBlock  = 1024
)

// truePeak finds the highest level of one channel, also between its samples.
type truePeak struct {
	rows   [peakPhases - 1][]float32
	window []float32 // the last peakTaps-1 samples, then the ones not looked at yet
	peak   float32
}

func newTruePeak() *truePeak {
	t := &truePeak{window: make([]float32, peakTaps-1, peakTaps-1+peakBlock)}
	for r := range t.rows {
		t.rows[r] = peakRow(float64(peakHalf-1) + float64(r+1)/peakPhases)
	}
	return t
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

// write looks at channel c of interleaved samples.
func (t *truePeak) write(samples []float32, c, channels int) {
	for i := c; i < len(samples); i += channels {
		t.window = append(t.window, finite(samples[i]))
		if len(t.window) == cap(t.window) {
			t.look()
		}
	}
}

// look takes the peak of the waiting samples and keeps what the next ones need.
func (t *truePeak) look() {
	t.peak = t.highest(t.window)
	n := copy(t.window, t.window[len(t.window)-(peakTaps-1):])
	t.window = t.window[:n]
}

// highest is the peak with that of window included.
func (t *truePeak) highest(window []float32) float32 {
	peak := t.peak
	for i := peakTaps; i <= len(window); i++ {
		x := window[i-peakTaps : i]
		peak = max(peak, abs(x[peakTaps-1]))
		for _, row := range t.rows {
			peak = max(peak, abs(dot(x, row)))
		}
	}
	return peak
}

// value is the peak so far, as if zeros followed.
func (t *truePeak) value() float64 {
	end := append(append([]float32(nil), t.window...), make([]float32, peakTaps)...)
	return float64(t.highest(end))
}

func abs(x float32) float32 {
	return math.Float32frombits(math.Float32bits(x) &^ (1 << 31))
}
