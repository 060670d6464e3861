package recordings

import (
	"math"

	"github.com/voicewright/voicewright/backend/audio"
)

const (
	silenceDB   = -100.0              // the lowest level that is shown
	fullScale16 = 32767.0 / (1 << 15) // the highest sample of 16 bits
)

// meter measures the level of the samples since the last reset.
type meter struct {
	energy  float64
	count   int
	peak    float64
	clipped bool // since the start
}

func (m *meter) add(samples []float32) {
	for _, x := range samples {
		v := math.Abs(float64(x))
		m.energy += v * v
		m.peak = max(m.peak, v)
	}
	m.count += len(samples)
	m.clipped = m.clipped || m.peak >= fullScale16
}

// next returns the RMS level and the peak in dB below full scale since the last call, and starts anew.
func (m *meter) next() (level, peak float64) {
	if m.count > 0 {
		level = math.Sqrt(m.energy / float64(m.count))
	}
	peak = m.peak
	m.energy, m.count, m.peak = 0, 0, 0
	return decibels(level), decibels(peak)
}

// decibels rounds to a tenth, which is finer than a level meter shows.
func decibels(x float64) float64 {
	return max(silenceDB, math.Round(audio.ToDB(x)*10)/10)
}
