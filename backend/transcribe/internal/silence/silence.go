// Package silence finds what is surely no speech: silence and flat noise.
package silence

import (
	"math"

	"github.com/voicewright/voicewright/engines"
)

// What is surely no speech. The measures of noise lie between those of noises and of other sounds, see TestNoiseMeasures.
const (
	cellSamples   = engines.TranscriberRate / 10 // the resolution of stretches
	blockCells    = 10                           // the length of audio in which noise is recognised
	silentPower   = 1e-6                         // mean square of a silent cell: -60 dBFS
	maxPeak       = 6.0                          // dB by which noise rises above its neighbouring frequencies
	maxVariation  = 1.0                          // dB by which the level of noise varies
	minSpeechless = 30 * engines.TranscriberRate // shorter stretches stay: a window of the model hears what is around them
)

// Find returns the stretches of audio that surely hold no speech: none is detected in them, and they are silent or flat
// noise such as hiss, rumble and hum. They are long, or all of the audio. Tones, music and knocks are no such noise.
func Find(samples []float32, speech []engines.Span) []engines.Span {
	quiet := quietCells(samples)
	for _, s := range speech {
		for i := s.Start / cellSamples; i*cellSamples < s.End; i++ {
			quiet[i] = false
		}
	}
	var out []engines.Span
	for i := 0; i < len(quiet); i++ {
		from := i
		for i < len(quiet) && quiet[i] {
			i++
		}
		s := engines.Span{Start: from * cellSamples, End: min(i*cellSamples, len(samples))}
		if n := s.End - s.Start; n >= minSpeechless || n == len(samples) && n > 0 {
			out = append(out, s)
		}
	}
	return out
}

// quietCells reports for each cell whether it is silent or in a block of noise. The last cell may be shorter.
func quietCells(samples []float32) []bool {
	quiet := make([]bool, (len(samples)+cellSamples-1)/cellSamples)
	for i := range quiet {
		quiet[i] = Power(samples[i*cellSamples:min((i+1)*cellSamples, len(samples))]) < silentPower
	}
	const block = blockCells * cellSamples
	if len(samples) < block {
		return quiet
	}
	m := newNoiseMeter()
	for at, end := 0, len(samples)-block; ; at = min(at+block/2, end) { // the last block ends with the audio
		first, last := at/cellSamples, (at+block-1)/cellSamples
		if !allTrue(quiet[first : last+1]) {
			if peak, variation := m.measure(samples[at : at+block]); peak < maxPeak && variation < maxVariation {
				for i := first; i <= last; i++ {
					quiet[i] = true
				}
			}
		}
		if at == end {
			return quiet
		}
	}
}

func allTrue(values []bool) bool {
	for _, v := range values {
		if !v {
			return false
		}
	}
	return true
}

// Power returns the mean square of samples.
func Power(samples []float32) float64 {
	var sum float64
	for _, x := range samples {
		sum += float64(x) * float64(x)
	}
	return sum / float64(max(len(samples), 1))
}

const (
	noiseFrame = 2048 // samples of a spectrum: 7.8 Hz a bin
	lowestBin  = 280 * noiseFrame / engines.TranscriberRate
	highestBin = 7000 * noiseFrame / engines.TranscriberRate
	nearBins   = 250 * noiseFrame / engines.TranscriberRate // on each side of a bin, with which it is compared
)

// noiseMeter measures how much a block of audio resembles noise. It leaves out what is below 280 Hz, such as hum.
type noiseMeter struct {
	spectrum *spectrum
	frame    []float64 // power of each bin in a frame
	sum      []float64 // in the block
}

func newNoiseMeter() *noiseMeter {
	bins := highestBin + nearBins + 1
	return &noiseMeter{spectrum: newSpectrum(noiseFrame), frame: make([]float64, bins), sum: make([]float64, bins)}
}

// measure returns by how many dB the highest peak of the spectrum exceeds the mean of the frequencies around it, which is high
// for tones and voices, and the standard deviation of the level in dB, which is high for sounds that come and go.
func (m *noiseMeter) measure(block []float32) (peak, variation float64) {
	clear(m.sum)
	var levels []float64
	for at := 0; at+noiseFrame <= len(block); at += noiseFrame / 2 {
		clear(m.frame)
		m.spectrum.add(m.frame, block[at:at+noiseFrame])
		var level float64
		for i, p := range m.frame {
			m.sum[i] += p
			if i >= lowestBin {
				level += p * float64(i) // or the lowest bins of a rumble would be all of it
			}
		}
		levels = append(levels, decibels(level))
	}
	return m.highestPeak(), deviation(levels)
}

func (m *noiseMeter) highestPeak() float64 {
	highest := 0.0
	for i := lowestBin; i <= highestBin; i++ {
		var near float64
		for _, p := range m.sum[i-nearBins : i+nearBins+1] {
			near += p
		}
		highest = max(highest, m.sum[i]/max(near, math.SmallestNonzeroFloat64))
	}
	return decibels(highest * (2*nearBins + 1))
}

func decibels(power float64) float64 { return 10 * math.Log10(max(power, 1e-30)) }

// deviation returns the standard deviation of values.
func deviation(values []float64) float64 {
	var sum, squares float64
	for _, v := range values {
		sum += v
	}
	mean := sum / float64(len(values))
	for _, v := range values {
		squares += (v - mean) * (v - mean)
	}
	return math.Sqrt(squares / float64(len(values)))
}
