package audio

import (
	"math"

	"github.com/voicewright/voicewright/backend/audio/internal/filters"
)

// The loudness targets of generated speech.
const (
	TargetLUFS  = -16.0 // integrated loudness
	CeilingDBTP = -1.0  // true peak
)

// Meter measures integrated loudness (ITU-R BS.1770-4, gated) and true peak of a stream. Its memory does not
// grow with the length. A mono stream counts as one channel, 3 LU below the same signal on two.
type Meter struct {
	channels int
	weights  []float64
	filters  []kWeighting // one for each channel
	peaks    []*truePeak
	stepSize int // frames of 100 ms
	inStep   int
	energy   float64 // of the current step, weighted over the channels
	gate     *gate
}

// NewMeter returns a meter for a rate in Hz and interleaved channels; five and six channels are weighted as
// 5.0 and 5.1 (L, R, C, [LFE,] Ls, Rs), all others equally.
func NewMeter(rate, channels int) *Meter {
	m := &Meter{
		channels: channels,
		weights:  channelWeights(channels),
		filters:  make([]kWeighting, channels),
		peaks:    make([]*truePeak, channels),
		stepSize: max(1, (rate+5)/10),
		gate:     newGate(),
	}
	for c := range channels {
		m.filters[c] = newKWeighting(float64(rate))
		m.peaks[c] = &truePeak{window: make([]float32, filters.PeakTaps-1, filters.PeakTaps-1+peakBlock)}
	}
	return m
}

func channelWeights(channels int) []float64 {
	const surround = 1.41
	switch channels {
	case 5:
		return []float64{1, 1, 1, surround, surround}
	case 6:
		return []float64{1, 1, 1, 0, surround, surround}
	}
	w := make([]float64, channels)
	for c := range w {
		w[c] = 1
	}
	return w
}

// Write measures interleaved samples, whole frames only. Samples that are not finite count as 0.
func (m *Meter) Write(samples []float32) {
	for c := range m.channels {
		m.peaks[c].write(samples, c, m.channels)
	}
	for len(samples) >= m.channels && m.channels > 0 {
		frames := min(len(samples)/m.channels, m.stepSize-m.inStep)
		for c := range m.channels {
			m.energy += m.weights[c] * m.filters[c].energy(samples[:frames*m.channels], c, m.channels)
		}
		samples = samples[frames*m.channels:]
		if m.inStep += frames; m.inStep == m.stepSize {
			m.endStep()
		}
	}
}

// endStep ends a step of 100 ms.
func (m *Meter) endStep() {
	m.gate.add(m.energy / float64(m.stepSize))
	m.energy, m.inStep = 0, 0
}

// Integrated returns the gated loudness of everything written so far in LUFS. It is -Inf, and ok false, for audio that is
// not measurable: shorter than 400 ms, silent, or below -70 LUFS throughout.
func (m *Meter) Integrated() (lufs float64, ok bool) { return m.gate.integrated() }

// Loud returns how many seconds of the audio pass the gates.
func (m *Meter) Loud() float64 { return m.gate.seconds() }

// TruePeak returns the highest level between and on the samples so far, linear: 1 is full scale
// (BS.1770-4 annex 2, by 4 times oversampling).
func (m *Meter) TruePeak() float64 {
	var peak float64
	for _, p := range m.peaks {
		peak = max(peak, p.value())
	}
	return peak
}

// Gain returns the linear gain that brings audio of a loudness of lufs and a linear true peak to target LUFS, less if its
// true peak would exceed the ceiling in dBTP. It is 1 if the loudness is not measurable.
func Gain(lufs, peak, target, ceiling float64) float64 {
	if math.IsNaN(lufs) || math.IsInf(lufs, 0) || peak <= 0 {
		return 1
	}
	return min(FromDB(target-lufs), FromDB(ceiling)/peak)
}

// toLUFS returns the loudness of a mean energy.
func toLUFS(energy float64) float64 { return -0.691 + 10*math.Log10(energy) }

// FromDB returns decibels as a linear factor.
func FromDB(db float64) float64 { return math.Pow(10, db/20) }

// ToDB returns a linear factor in decibels.
func ToDB(x float64) float64 { return 20 * math.Log10(x) }

// kWeighting is the two filters of BS.1770-4 for one channel, one after the other.
type kWeighting struct{ highShelf, highPass biquad }

// newKWeighting designs the filters for a rate in Hz. BS.1770-4 lists coefficients for 48 kHz only; these are
// its analogue prototypes as B. De Man derived them ("Evaluation of Implementations of the EBU R128 Loudness
// Measurement", AES 2018), by the bilinear transform.
func newKWeighting(rate float64) kWeighting {
	const (
		shelfHz, shelfDB, shelfQ = 1681.974450955533, 3.999843853973347, 0.7071752369554196
		shelfBand                = 0.4996667741545416
		passHz, passQ            = 38.13547087602444, 0.5003270373238773
	)
	k := math.Tan(math.Pi * shelfHz / rate)
	vh := FromDB(shelfDB)
	vb := math.Pow(vh, shelfBand)
	a0 := 1 + k/shelfQ + k*k
	highShelf := biquad{
		b0: (vh + vb*k/shelfQ + k*k) / a0,
		b1: 2 * (k*k - vh) / a0,
		b2: (vh - vb*k/shelfQ + k*k) / a0,
		a1: 2 * (k*k - 1) / a0,
		a2: (1 - k/shelfQ + k*k) / a0,
	}
	if shelfHz > 0.45*rate { // above the whole band; a filter for more than half the rate is unstable
		highShelf = biquad{b0: 1}
	}
	k = math.Tan(math.Pi * passHz / rate)
	a0 = 1 + k/passQ + k*k
	highPass := biquad{
		b0: 1, b1: -2, b2: 1,
		a1: 2 * (k*k - 1) / a0,
		a2: (1 - k/passQ + k*k) / a0,
	}
	return kWeighting{highShelf: highShelf, highPass: highPass}
}

// energy filters the samples of channel c and returns the sum of their squares.
func (k *kWeighting) energy(samples []float32, c, channels int) float64 {
	var sum float64
	first, second := &k.highShelf, &k.highPass
	a1, a2, b1, b2 := first.z1, first.z2, second.z1, second.z2 // in registers, as each sample waits for those before it
	for i := c; i < len(samples); i += channels {
		x := float64(finite(samples[i]))
		y := first.b0*x + a1
		a1 = first.b1*x - first.a1*y + a2
		a2 = first.b2*x - first.a2*y
		z := second.b0*y + b1
		b1 = second.b1*y - second.a1*z + b2
		b2 = second.b2*y - second.a2*z
		sum += z * z
	}
	first.z1, first.z2, second.z1, second.z2 = a1, a2, b1, b2
	first.flushDenormals()
	second.flushDenormals()
	return sum
}

// biquad is a filter of second order in the transposed direct form II.
type biquad struct{ b0, b1, b2, a1, a2, z1, z2 float64 }

// flushDenormals ends an inaudible decay, because arithmetic with denormal numbers is slow.
func (f *biquad) flushDenormals() {
	const inaudible = 1e-30
	if math.Abs(f.z1) < inaudible && math.Abs(f.z2) < inaudible {
		f.z1, f.z2 = 0, 0
	}
}
