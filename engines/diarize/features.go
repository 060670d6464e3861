package diarize

import (
	"fmt"
	"math"
	"math/bits"
	"math/cmplx"
	"slices"
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
	o      Features
	window [frameSamples]float64
	bands  [Bands]band
	roots  [fftSize]complex128 // roots[n+k] is the k-th power of the 2n-th root of unity
	order  [fftSize / 2]int    // of the samples before the transform
}

// spectrum is a frame whose pairs of samples are complex numbers, or their transform.
type spectrum [fftSize / 2]complex128

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
	for n := 1; n < fftSize; n *= 2 {
		for k := range n {
			b.roots[n+k] = cmplx.Rect(1, -math.Pi*float64(k)/float64(n))
		}
	}
	for i := range b.order {
		b.order[i] = int(bits.Reverse8(uint8(i))) //nolint:gosec // fftSize / 2 is 2^8
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
	var frame spectrum
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

// cut writes the windowed samples of frame t in pairs.
func (b *filterBank) cut(samples []float32, t int, frame *spectrum) {
	var x [fftSize]float64
	b.read(samples, t, (*[frameSamples]float64)(x[:frameSamples]))
	mean := 0.0
	for _, v := range x[:frameSamples] {
		mean += v
	}
	mean /= frameSamples
	before := x[0] - mean
	for i, w := range b.window {
		now := x[i] - mean
		x[i] = (now - preEmphasis*before) * w
		before = now
	}
	for i, at := range b.order {
		frame[at] = complex(x[2*i], x[2*i+1])
	}
}

// read reads the samples of frame t.
func (b *filterBank) read(samples []float32, t int, x *[frameSamples]float64) {
	start := t * frameShift
	if !b.o.Snip {
		start -= (frameSamples - frameShift) / 2
	}
	scale := 1.0
	if b.o.Loud {
		scale = int16Scale
	}
	for i := range x {
		at := start + i
		for at < 0 || at >= len(samples) { // mirrored, more than once where the sound is shorter than a frame
			if at < 0 {
				at = -at - 1
			} else {
				at = 2*len(samples) - 1 - at
			}
		}
		x[i] = float64(samples[at]) * scale
	}
}

// fft transforms in place what is in b.order: radix 2, decimation in time; the first two steps, which multiply by nothing, at once.
func (b *filterBank) fft(x *spectrum) {
	for i := 0; i < len(x); i += 4 {
		q := x[i : i+4 : i+4]
		sum, difference := q[0]+q[1], q[0]-q[1]
		sum2, turned := q[2]+q[3], q[2]-q[3]
		turned = complex(imag(turned), -real(turned))
		q[0], q[1], q[2], q[3] = sum+sum2, difference+turned, sum-sum2, difference-turned
	}
	for n := 4; n < len(x); n *= 2 {
		roots := b.roots[n : 2*n]
		for start := 0; start < len(x); start += 2 * n {
			low, high := x[start:start+n], x[start+n:start+2*n]
			for k, root := range roots {
				even, odd := low[k], high[k]*root
				low[k], high[k] = even+odd, even-odd
			}
		}
	}
}

// energies writes the logarithms of the energies in the bands of the transform of pairs of samples.
func (b *filterBank) energies(x *spectrum, out []float32) {
	var power [fftSize / 2]float64
	for i, root := range b.roots[fftSize/2:] {
		mirrored := x[(len(x)-i)%len(x)]
		mirrored = complex(real(mirrored), -imag(mirrored))
		even, odd := x[i]+mirrored, x[i]-mirrored
		bin := even + root*complex(imag(odd), -real(odd))
		power[i] = (real(bin)*real(bin) + imag(bin)*imag(bin)) / 4
	}
	for i, band := range b.bands {
		sum := 0.0
		of := power[band.first:][:len(band.weights)]
		for j, w := range band.weights {
			sum += w * of[j]
		}
		out[i] = float32(math.Log(max(sum, leastEnergy)))
	}
}

// subtractMeans makes the mean over time of each band zero.
func subtractMeans(features []float32) {
	var means [Bands]float64
	frames := float64(len(features) / Bands)
	for row := range slices.Chunk(features, Bands) {
		for i, v := range row {
			means[i] += float64(v)
		}
	}
	for row := range slices.Chunk(features, Bands) {
		for i := range row {
			row[i] -= float32(means[i] / frames)
		}
	}
}

// check returns an error for settings that no filter bank can have.
func (o Features) check() error {
	if o.High > Rate/2 || o.High < -Rate/4 {
		return fmt.Errorf("the upper end of the filter bank is %g Hz", o.High)
	}
	return nil
}
