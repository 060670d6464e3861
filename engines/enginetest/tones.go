package enginetest

import (
	"errors"
	"fmt"
	"math"
)

// The bins and limits of the tone voices' code: a frame holds two sines with a whole number of periods each.
const (
	pilotBin   = 4
	valueBin   = 6
	lowBin     = 10
	highBin    = 50
	bandWidth  = 32
	silentTone = 0.001
	pilotShare = 0.25
	firstShare = 0.75
)

// ToneSegment is the input of one run of a tone voice, decoded from its sound.
type ToneSegment struct {
	Header  []float64 // the header values, 0 to 1, in the voice's own scale
	IDs     []int     // the ids in order
	Frames  []int     // frames per id, as long as IDs
	Speaker int       // the speaker id; 0 for voices without
}

// DecodeTones decodes the ids, the speaker and the header of every run from the samples of a tone voice.
// frame is the voice's frame length in samples (Piper 256, Kokoro and KittenTTS 600); the samples are mono, have
// the voice's own rate and begin at a frame border.
func DecodeTones(samples []float32, frame int) ([]ToneSegment, error) {
	var out []ToneSegment
	pilot := 0.0
	for start := 0; start+frame <= len(samples); start += frame {
		spectrum := newSpectrum(samples[start : start+frame])
		loudest := spectrum.loudest()
		switch {
		case loudest < silentTone:
			continue
		case spectrum[pilotBin] > pilotShare*loudest:
			if len(out) == 0 || len(out[len(out)-1].IDs) > 0 {
				out = append(out, ToneSegment{})
			}
			pilot = spectrum[pilotBin]
			seg := &out[len(out)-1]
			seg.Header = append(seg.Header, spectrum[valueBin]/pilot)
		case len(out) == 0:
			return nil, fmt.Errorf("frame at sample %d: an id before any header", start)
		default:
			if err := out[len(out)-1].add(spectrum, pilot); err != nil {
				return nil, fmt.Errorf("frame at sample %d: %w", start, err)
			}
		}
	}
	return out, nil
}

// add reads an id frame: the first frame of an id is loud, the following ones are half as loud.
func (s *ToneSegment) add(sp spectrum, pilot float64) error {
	lo, hi := sp.peak(lowBin), sp.peak(highBin)
	id, speaker := (hi-highBin)*8+(lo-lowBin)/4, (lo-lowBin)%4
	last := len(s.IDs) - 1
	if sp[lo] > firstShare*pilot {
		if last >= 0 && s.Speaker != speaker {
			return fmt.Errorf("speaker changes from %d to %d", s.Speaker, speaker)
		}
		s.IDs, s.Frames, s.Speaker = append(s.IDs, id), append(s.Frames, 1), speaker
		return nil
	}
	if last < 0 {
		return errors.New("the first id frame is not loud")
	}
	if s.IDs[last] != id {
		return fmt.Errorf("id %d goes on as %d", s.IDs[last], id)
	}
	s.Frames[last]++
	return nil
}

// spectrum holds the amplitude of each bin up to the highest one in use.
type spectrum [highBin + bandWidth]float64

// newSpectrum computes the bins by Goertzel's algorithm, all of them in one pass: the race detector looks at each sample once, and
// never at the arrays, which stay on the stack.
func newSpectrum(x []float32) spectrum {
	var out, twiceCos, last, before spectrum
	for bin := range out {
		twiceCos[bin] = 2 * math.Cos(2*math.Pi*float64(bin)/float64(len(x)))
	}
	for _, v := range x {
		sample := float64(v)
		for bin := pilotBin; bin < len(out); bin++ {
			last[bin], before[bin] = sample+twiceCos[bin]*last[bin]-before[bin], last[bin]
		}
	}
	for bin := pilotBin; bin < len(out); bin++ {
		sin, cos := math.Sincos(2 * math.Pi * float64(bin) / float64(len(x)))
		out[bin] = 2 / float64(len(x)) * math.Hypot(last[bin]-before[bin]*cos, before[bin]*sin)
	}
	return out
}

func (s spectrum) loudest() float64 {
	best := 0.0
	for _, v := range s {
		best = max(best, v)
	}
	return best
}

// peak returns the loudest bin of the band that begins at start.
func (s spectrum) peak(start int) int {
	best := start
	for bin := start; bin < start+bandWidth; bin++ {
		if s[bin] > s[best] {
			best = bin
		}
	}
	return best
}
