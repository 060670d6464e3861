package silence

import (
	"math"
	"math/bits"
	"math/cmplx"
)

// spectrum computes power spectra of frames of a fixed length, a power of two.
type spectrum struct {
	window []float64
	work   []complex128
	roots  []complex128 // exp(-2 pi i k/n) for k < n/2
}

func newSpectrum(n int) *spectrum {
	s := &spectrum{window: make([]float64, n), work: make([]complex128, n), roots: make([]complex128, n/2)}
	for i := range s.window {
		s.window[i] = 0.5 - 0.5*math.Cos(2*math.Pi*float64(i)/float64(n)) // Hann
	}
	for k := range s.roots {
		s.roots[k] = cmplx.Rect(1, -2*math.Pi*float64(k)/float64(n))
	}
	return s
}

// add adds the power of the first bins of a frame to power.
func (s *spectrum) add(power []float64, frame []float32) {
	n := len(s.work)
	shift := 64 - bits.Len(uint(n)) + 1
	for i, w := range s.window {
		s.work[bits.Reverse64(uint64(i))>>shift] = complex(w*float64(frame[i]), 0)
	}
	for size := 2; size <= n; size *= 2 {
		half, step := size/2, n/size
		for at := 0; at < n; at += size {
			for k := range half {
				a, b := s.work[at+k], s.work[at+k+half]*s.roots[k*step]
				s.work[at+k], s.work[at+k+half] = a+b, a-b
			}
		}
	}
	for i := range power {
		re, im := real(s.work[i]), imag(s.work[i])
		power[i] += re*re + im*im
	}
}
