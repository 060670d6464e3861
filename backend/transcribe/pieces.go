package transcribe

import (
	"context"
	"math"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines"
)

// searchPause is how much of the end of a piece is searched for a pause to end it in, and minPause the shortest one.
const (
	searchPause = 60 * engines.TranscriberRate
	minPause    = engines.TranscriberRate / 4
)

// untilPause returns the piece up to a pause near its end, in which no word is cut.
func (p *pass) untilPause(ctx context.Context, piece []float32) ([]float32, error) {
	start := max(len(piece)-searchPause, 0)
	tail := piece[start:]
	speech, err := p.speech(ctx, tail)
	if err != nil {
		return nil, err
	}
	return piece[:start+cutPoint(tail, speech)], nil
}

// cutPoint returns where audio is cut: in the middle of the longest pause, else where it is quietest. It is never 0.
func cutPoint(samples []float32, speech []engines.Span) int {
	best, longest, last := 0, minPause-1, -1
	for _, s := range speech {
		if gap := s.Start - last; last >= 0 && gap > longest {
			longest, best = gap, last+gap/2
		}
		last = s.End
	}
	if gap := len(samples) - last; last >= 0 && gap > longest {
		best = last + gap/2
	}
	if best > 0 {
		return best
	}
	return quietest(samples)
}

// frame is the length of audio whose level is measured at once.
const frame = engines.TranscriberRate / 10

// quietest returns the middle of the quietest frame in the second half of the samples.
func quietest(samples []float32) int {
	best, lowest := len(samples), math.Inf(1)
	for at := len(samples) / 2; at+frame <= len(samples); at += frame / 2 {
		if e := energy(samples[at : at+frame]); e <= lowest {
			best, lowest = at+frame/2, e
		}
	}
	return best
}

// energy returns the mean square of samples.
func energy(samples []float32) float64 {
	var sum float64
	for _, x := range samples {
		sum += float64(x) * float64(x)
	}
	return sum / float64(max(len(samples), 1))
}

// silent is the mean square below which audio is silence: -60 dBFS.
const silent = 1e-6

// minSilence is the shortest silence that is left out of a piece with other sounds: a window of the model without any.
const minSilence = 30 * engines.TranscriberRate

// margin is the silence that stays around sounds.
const margin = engines.TranscriberRate / 2

// sounds returns the stretches of a piece that the model hears: all but long silence in which no speech is detected.
func (p *pass) sounds(ctx context.Context, piece []float32) ([]engines.Span, error) {
	var out []engines.Span
	at := 0
	for _, s := range silences(piece) {
		speech, err := p.speech(ctx, piece[s.Start:s.End])
		if err != nil {
			return nil, err
		}
		if len(speech) > 0 {
			continue
		}
		if end := min(s.Start+margin, s.End); s.Start > 0 && end > at {
			out = append(out, engines.Span{Start: at, End: end})
		}
		at = s.End
		if s.End < len(piece) {
			at = max(s.End-margin, s.Start)
		}
	}
	if at < len(piece) {
		out = append(out, engines.Span{Start: at, End: len(piece)})
	}
	return out, nil
}

// speech returns the stretches of speech. Without the library of the detector nothing is known to be speech.
func (p *pass) speech(ctx context.Context, samples []float32) ([]engines.Span, error) {
	speech, err := p.s.o.Detector.Speech(ctx, samples)
	if backend.CodeOf(err) == backend.CodeRuntimeMissing {
		return nil, nil
	}
	return speech, err
}

// silences returns the silent stretches of a piece that are long, or all of it.
func silences(piece []float32) []engines.Span {
	var out []engines.Span
	start := -1
	for at := 0; at < len(piece); at += frame {
		quiet := energy(piece[at:min(at+frame, len(piece))]) < silent
		switch {
		case quiet && start < 0:
			start = at
		case !quiet && start >= 0:
			if at-start >= minSilence {
				out = append(out, engines.Span{Start: start, End: at})
			}
			start = -1
		}
	}
	if start >= 0 && (start == 0 || len(piece)-start >= minSilence) {
		out = append(out, engines.Span{Start: start, End: len(piece)})
	}
	return out
}
