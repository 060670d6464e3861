package audio

import (
	"math"

	"github.com/voicewright/voicewright/backend/audio/internal/filters"
)

// The low-pass of the resampler: a sinc with a Kaiser window. The pass band is flat to 0.85 of the lower Nyquist
// frequency; from 1.1 times it on, the attenuation is more than 95 dB.
const (
	zeroCrossings = 32   // on each side
	kaiserBeta    = 9.0  // shape of the window
	cutoff        = 0.94 // of the lower Nyquist frequency

	maxExactTaps = 1 << 20 // above this the phases of a ratio are interpolated
	finePhases   = 1024    // interpolated phases for each zero crossing
)

// Resample changes the sample rate of one channel from `from` to `to` Hz by a polyphase windowed sinc
// (J. O. Smith, "Digital Audio Resampling"). The result has round(len*to/from) samples and no delay. For equal
// rates it is the same slice, for rates that are not positive nil.
func Resample(samples []float32, from, to int) []float32 {
	if from <= 0 || to <= 0 {
		return nil
	}
	if from == to {
		return samples
	}
	return newPolyphase(from, to).apply(samples)
}

// Resampled returns b at another rate in Hz, every channel by Resample.
func (b Buffer) Resampled(rate int) Buffer {
	if rate == b.Rate || b.Channels <= 0 {
		return b
	}
	if rate <= 0 || b.Rate <= 0 {
		return Buffer{Rate: rate, Channels: b.Channels}
	}
	p := newPolyphase(b.Rate, rate)
	out := Buffer{Rate: rate, Channels: b.Channels}
	for c := range b.Channels {
		one := p.apply(b.channel(c))
		if out.Samples == nil {
			out.Samples = make([]float32, len(one)*b.Channels)
		}
		for i, x := range one {
			out.Samples[i*b.Channels+c] = x
		}
	}
	return out
}

// polyphase is the filter of one ratio: row p is the low-pass shifted by p/phases of an input sample.
type polyphase struct {
	up, down int // the ratio in lowest terms
	phases   int // rows less the last one; equal to up unless interpolated
	half     int // taps on each side
	taps     int // of a row
	rows     []float32
}

func newPolyphase(from, to int) *polyphase {
	g := gcd(from, to)
	p := &polyphase{up: to / g, down: from / g}
	scale := min(1, float64(to)/float64(from))
	p.half = int(math.Ceil(zeroCrossings / scale))
	p.taps = 2 * p.half
	p.phases = p.up
	if p.up*p.taps > maxExactTaps {
		p.phases = max(2, int(finePhases*scale))
	}
	p.rows = make([]float32, (p.phases+1)*p.taps)
	row := make([]float64, p.taps)
	for i := range p.phases + 1 {
		lowPass(row, float64(p.half-1)+float64(i)/float64(p.phases), scale)
		for k, v := range row {
			p.rows[i*p.taps+k] = float32(v)
		}
	}
	return p
}

// lowPass fills row with the low-pass around center, for a bandwidth of scale times the input's, with a sum of 1.
func lowPass(row []float64, center, scale float64) {
	norm, sum := filters.Bessel0(kaiserBeta), 0.0
	for k := range row {
		t := (float64(k) - center) * scale
		row[k] = 0
		if x := t / zeroCrossings; x > -1 && x < 1 {
			row[k] = filters.Sinc(cutoff*t) * filters.Bessel0(kaiserBeta*math.Sqrt(1-x*x)) / norm
		}
		sum += row[k]
	}
	for k := range row {
		row[k] /= sum
	}
}

func (p *polyphase) apply(samples []float32) []float32 {
	out := make([]float32, p.length(int64(len(samples))))
	at, frac := 0, 0 // position in the input: at + frac/up
	for i := range out {
		out[i] = p.sample(samples, at, frac)
		frac += p.down
		at += frac / p.up
		frac %= p.up
	}
	return out
}

// length returns how many samples n input samples become.
func (p *polyphase) length(n int64) int64 {
	return (n*int64(p.up) + int64(p.down)/2) / int64(p.down)
}

// sample returns the output at position at + frac/up of the input.
func (p *polyphase) sample(samples []float32, at, frac int) float32 {
	if p.phases == p.up {
		return p.dot(samples, at, frac)
	}
	f := float64(frac) / float64(p.up) * float64(p.phases)
	row := int(f)
	w := float32(f - float64(row))
	return (1-w)*p.dot(samples, at, row) + w*p.dot(samples, at, row+1)
}

// dot returns the product of a row of the filter and the samples around at, with zeros beyond both ends.
func (p *polyphase) dot(samples []float32, at, row int) float32 {
	first := at - p.half + 1
	taps := p.rows[row*p.taps : (row+1)*p.taps]
	if first < 0 {
		taps, first = taps[min(-first, len(taps)):], 0
	}
	if first >= len(samples) {
		return 0
	}
	x := samples[first:min(first+len(taps), len(samples))]
	return filters.Dot(x, taps[:len(x)])
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
