package vad

import (
	"math"

	"github.com/voicewright/voicewright/engines"
)

// Parameters say which probabilities are speech, as get_speech_timestamps of silero-vad 6.2.3 does.
type Parameters struct {
	Threshold    float64 // speech begins at a window with at least this probability
	NegThreshold float64 // and ends where it falls below this one; 0: Threshold - 0.15, at least 0.01
	MinSpeech    float64 // milliseconds; shorter speech is dropped, unless MaxSpeech cut it
	MinSilence   float64 // milliseconds; shorter silence does not end speech
	Pad          float64 // milliseconds that are added to speech on both sides, at most half of the silence between
	MaxSpeech    float64 // seconds; longer speech is cut at a silence where it has one
	// MinSilenceAtMax is the length of silence in milliseconds at which MaxSpeech may cut.
	MinSilenceAtMax float64
	// CutAtLast makes MaxSpeech cut at the last silence instead of the longest one.
	CutAtLast bool
}

// Defaults returns the default parameters of silero-vad.
func Defaults() Parameters {
	return Parameters{
		Threshold: 0.5, MinSpeech: 250, MinSilence: 100, Pad: 30, MaxSpeech: math.Inf(1), MinSilenceAtMax: 98,
	}
}

// Timestamps returns the stretches of speech, in samples, of audio with so many samples at Rate or LowRate, from the
// probability of each window.
func Timestamps(probabilities []float32, rate, samples int, p Parameters) []engines.Span {
	s := newSegmenter(rate, p)
	for i, probability := range probabilities {
		s.next(i*s.window, float64(probability))
	}
	if s.triggered && float64(samples-s.start) > s.minSpeech {
		s.spans = append(s.spans, engines.Span{Start: s.start, End: samples})
	}
	pad(s.spans, samples, p.Pad*float64(rate)/1000)
	return s.spans
}

// segmenter is the state of Timestamps between two windows. Its limits are in samples, not rounded.
type segmenter struct {
	window                            int
	threshold, negThreshold           float64
	minSpeech, maxSpeech              float64
	minSilence, minSilenceAtMax       float64
	cutAtLast                         bool
	triggered                         bool // in speech, which began at start
	start, silence, prevEnd, nextFrom int  // silence: where the present silence began, 0 for none
	silences                          []engines.Span
	spans                             []engines.Span
}

func newSegmenter(rate int, p Parameters) *segmenter {
	s := &segmenter{
		window: windowSamples * rate / Rate, threshold: p.Threshold, negThreshold: p.NegThreshold, cutAtLast: p.CutAtLast,
		minSpeech:       float64(rate) * p.MinSpeech / 1000,
		minSilence:      float64(rate) * p.MinSilence / 1000,
		minSilenceAtMax: float64(rate) * p.MinSilenceAtMax / 1000,
	}
	s.maxSpeech = float64(rate)*p.MaxSpeech - float64(s.window) - 2*float64(rate)*p.Pad/1000
	if s.negThreshold == 0 {
		s.negThreshold = max(p.Threshold-0.15, 0.01)
	}
	return s
}

// next handles the window that begins at a sample.
func (s *segmenter) next(at int, probability float64) {
	if probability >= s.threshold {
		s.speechResumes(at)
		if !s.triggered {
			s.triggered, s.start = true, at
			return
		}
	}
	if s.triggered && float64(at-s.start) > s.maxSpeech {
		if s.cutLong(at) {
			return
		}
	}
	if s.triggered && probability < s.negThreshold {
		s.quiet(at)
	}
}

// speechResumes records the silence that ends at a sample, if there is one.
func (s *segmenter) speechResumes(at int) {
	if s.silence == 0 {
		return
	}
	if float64(at-s.silence) > s.minSilenceAtMax {
		s.silences = append(s.silences, engines.Span{Start: s.silence, End: at})
	}
	s.silence = 0
	if s.nextFrom < s.prevEnd {
		s.nextFrom = at
	}
}

// cutLong ends speech that is longer than allowed: at the longest silence in it, at the last one if cutAtLast is set, else at
// this window, which is then done.
func (s *segmenter) cutLong(at int) (done bool) {
	switch {
	case !s.cutAtLast && len(s.silences) > 0:
		longest := s.silences[0]
		for _, silence := range s.silences[1:] {
			if silence.End-silence.Start > longest.End-longest.Start {
				longest = silence
			}
		}
		s.emit(longest.Start)
		s.start = longest.End
	case s.prevEnd > 0:
		s.emit(s.prevEnd)
		s.triggered = s.nextFrom >= s.prevEnd
		s.start = s.nextFrom
	default:
		s.emit(at)
		s.triggered, done = false, true
	}
	s.forget()
	return done
}

// quiet handles a window below negThreshold: silence that is long enough ends the speech.
func (s *segmenter) quiet(at int) {
	if s.silence == 0 {
		s.silence = at
	}
	length := float64(at - s.silence)
	if s.cutAtLast && length > s.minSilenceAtMax {
		s.prevEnd = s.silence
	}
	if length < s.minSilence {
		return
	}
	if float64(s.silence-s.start) > s.minSpeech {
		s.emit(s.silence)
	}
	s.triggered = false
	s.forget()
}

func (s *segmenter) emit(end int) {
	s.spans = append(s.spans, engines.Span{Start: s.start, End: end})
}

func (s *segmenter) forget() {
	s.silence, s.prevEnd, s.nextFrom, s.silences = 0, 0, 0, s.silences[:0]
}

// pad extends spans on both sides by so many samples, within the audio, and by half of a gap that is too small for both.
func pad(spans []engines.Span, samples int, by float64) {
	limit := func(x float64) int { return int(min(float64(samples), max(0, x))) }
	for i := range spans {
		if i == 0 {
			spans[i].Start = limit(float64(spans[i].Start) - by)
		}
		if i == len(spans)-1 {
			spans[i].End = limit(float64(spans[i].End) + by)
			return
		}
		next := &spans[i+1]
		if gap := next.Start - spans[i].End; float64(gap) < 2*by {
			spans[i].End += gap / 2
			next.Start -= gap / 2
		} else {
			spans[i].End = limit(float64(spans[i].End) + by)
			next.Start = limit(float64(next.Start) - by)
		}
	}
}
