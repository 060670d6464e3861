package audio

import "github.com/voicewright/voicewright/backend/audio/internal/filters"

const peakBlock = 1024

// truePeak measures the highest level of one channel, also between its samples.
type truePeak struct {
	window []float32 // the last filters.PeakTaps-1 samples, then those not measured yet
	peak   float32
}

// write adds channel c of interleaved samples. A full window is measured, and the samples that the next ones need are kept.
func (t *truePeak) write(samples []float32, c, channels int) {
	for i := c; i < len(samples); i += channels {
		t.window = append(t.window, finite(samples[i]))
		if len(t.window) == cap(t.window) {
			t.peak = t.highest(t.window)
			t.window = t.window[:copy(t.window, t.window[len(t.window)-(filters.PeakTaps-1):])]
		}
	}
}

// value returns the peak so far, as if zeros followed.
func (t *truePeak) value() float64 {
	end := append(append([]float32(nil), t.window...), make([]float32, filters.PeakTaps)...)
	return float64(t.highest(end))
}

// highest returns the peak so far and of window.
func (t *truePeak) highest(window []float32) float32 {
	return filters.Peaks.Between(window, max(t.peak, filters.Highest(window)))
}
