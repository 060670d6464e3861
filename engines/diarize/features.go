package diarize

import (
	"fmt"
	"math"
	"math/bits"
	"math/cmplx"
)

// Features are the settings of the filter bank that an embedding model was trained with, or is run with. They are data of
// the model: its file does not say them, and with other ones its embeddings are others (speech of one person is then less
// alike).
type Features struct {
	Snip     bool    `json:"snip"`      // frames that do not fit are left out; otherwise the sound is mirrored at its ends
	High     float64 `json:"high"`      // the upper end in Hz; at most 0: so far below half the sample rate
	Hamming  bool    `json:"hamming"`   // the window of WeSpeaker; otherwise that of Kaldi, "povey"
	Loud     bool    `json:"loud"`      // samples are multiplied by 32768
	MeanFree bool    `json:"mean_free"` // the mean over time of each band is subtracted
}

// The numbers that all settings share (kaldi-native-fbank feature-window.h, feature-fbank.h and their use for speakers).
const (
	Bands = 80 // of one frame

	frameSamples = 400 // 25 ms at Rate
	frameShift   = 160 // 10 ms
	fftSize      = 512
	lowHz        = 20
	preEmphasis  = 0.97
	poveyPower   = 0.85
	int16Scale   = 32768
	leastEnergy  = 1.1920929e-7 // the smallest float32 that changes 1
)

// filterBank computes log energies in bands that are even on the mel scale.
type filterBank struct {
	o       Features
	window  [frameSamples]float64
	bands   [Bands]band
	twiddle [fftSize / 2]complex128
}

// band is a triangle over the bins of a spectrum.
type band struct {
	first   int
	weights []float64
}

func newFilterBank(o Features) *filterBank {
	b := &filterBank{o: o}
	for i := range b.window {
		cos := math.Cos(2 * math.Pi * float64(i) / (frameSamples - 1))
		if o.Hamming {
			b.window[i] = 0.54 - 0.46*cos
		} else {
			b.window[i] = math.Pow(0.5-0.5*cos, poveyPower)
		}
	}
	for i := range b.twiddle {
		b.twiddle[i] = cmplx.Rect(1, -2*math.Pi*float64(i)/fftSize)
	}
	high := o.High
	if high <= 0 {
		high += Rate / 2
	}
	b.layBands(mel(lowHz), mel(high))
	return b
}

func mel(hz float64) float64 { return 1127 * math.Log(1+hz/700) }

// layBands lays the triangles between two ends on the mel scale (mel-computations.cc).
func (b *filterBank) layBands(low, high float64) {
	step := (high - low) / (Bands + 1)
	for i := range b.bands {
		left := low + float64(i)*step
		center, right := left+step, left+2*step
		for bin := range fftSize / 2 {
			m := mel(float64(bin) * Rate / fftSize)
			if m <= left || m >= right {
				continue
			}
			weight := (m - left) / (center - left)
			if m > center {
				weight = (right - m) / (right - center)
			}
			if b.bands[i].weights == nil {
				b.bands[i].first = bin
			}
			b.bands[i].weights = append(b.bands[i].weights, weight)
		}
	}
}

// frames returns the number of frames of so many samples.
func (b *filterBank) frames(samples int) int {
	if !b.o.Snip {
		return (samples + frameShift/2) / frameShift
	}
	if samples < frameSamples {
		return 0
	}
	return 1 + (samples-frameSamples)/frameShift
}

// compute returns the features [frames, Bands] of samples in [-1, 1] at Rate.
func (b *filterBank) compute(samples []float32) []float32 {
	n := b.frames(len(samples))
	out := make([]float32, n*Bands)
	var frame [fftSize]complex128
	for t := range n {
		b.cut(samples, t, &frame)
		b.fft(&frame)
		b.energies(&frame, out[t*Bands:][:Bands])
	}
	if b.o.MeanFree {
		subtractMeans(out)
	}
	return out
}

// cut writes the windowed samples of frame t.
func (b *filterBank) cut(samples []float32, t int, frame *[fftSize]complex128) {
	var x [frameSamples]float64
	start := t * frameShift
	if !b.o.Snip {
		start -= (frameSamples - frameShift) / 2
	}
	mean := 0.0
	for i := range x {
		at := start + i
		for at < 0 || at >= len(samples) { // mirrored, more than once where the sound is shorter than a frame
			if at < 0 {
				at = -at - 1
			} else {
				at = 2*len(samples) - 1 - at
			}
		}
		x[i] = float64(samples[at])
		if b.o.Loud {
			x[i] *= int16Scale
		}
		mean += x[i]
	}
	mean /= frameSamples
	for i := range x {
		x[i] -= mean
	}
	clear(frame[frameSamples:])
	for i := frameSamples - 1; i > 0; i-- {
		frame[i] = complex((x[i]-preEmphasis*x[i-1])*b.window[i], 0)
	}
	frame[0] = complex((x[0]-preEmphasis*x[0])*b.window[0], 0)
}

// fft transforms in place: radix 2, decimation in time.
func (b *filterBank) fft(x *[fftSize]complex128) {
	const shift = bits.UintSize - 9 // fftSize is 2^9
	for i := range x {
		if j := int(bits.Reverse(uint(i)) >> shift); j > i {
			x[i], x[j] = x[j], x[i]
		}
	}
	for size := 2; size <= fftSize; size *= 2 {
		stride := fftSize / size
		for start := 0; start < fftSize; start += size {
			for k := range size / 2 {
				even, odd := x[start+k], x[start+k+size/2]*b.twiddle[k*stride]
				x[start+k], x[start+k+size/2] = even+odd, even-odd
			}
		}
	}
}

// energies writes the logarithms of the energies in the bands of a spectrum.
func (b *filterBank) energies(spectrum *[fftSize]complex128, out []float32) {
	var power [fftSize / 2]float64
	for i := range power {
		re, im := real(spectrum[i]), imag(spectrum[i])
		power[i] = re*re + im*im
	}
	for i, band := range b.bands {
		sum := 0.0
		for j, w := range band.weights {
			sum += w * power[band.first+j]
		}
		out[i] = float32(math.Log(max(sum, leastEnergy)))
	}
}

// subtractMeans makes the mean over time of each band zero.
func subtractMeans(features []float32) {
	var means [Bands]float64
	for i, v := range features {
		means[i%Bands] += float64(v)
	}
	frames := float64(len(features) / Bands)
	for i := range features {
		features[i] -= float32(means[i%Bands] / frames)
	}
}

// check returns an error for settings that no filter bank can have.
func (o Features) check() error {
	if o.High > Rate/2 || o.High < -Rate/4 {
		return fmt.Errorf("the upper end of the filter bank is %g Hz", o.High)
	}
	return nil
}
