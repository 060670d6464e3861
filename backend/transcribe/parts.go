package transcribe

import (
	"context"

	"github.com/voicewright/voicewright/engines"
)

// excerpt is audio that is passed to the model at once: stretches of a piece, with short silence between them.
type excerpt struct {
	samples []float32
	spans   []engines.Span // of the piece
}

// between is the silence between two stretches of an excerpt, in samples.
const between = engines.TranscriberRate / 10

// excerptOf returns the stretches of a piece as one.
func excerptOf(piece []float32, spans []engines.Span) excerpt {
	if len(spans) == 1 {
		return excerpt{piece[spans[0].Start:spans[0].End], spans}
	}
	var samples []float32
	for i, s := range spans {
		if i > 0 {
			samples = append(samples, make([]float32, between)...)
		}
		samples = append(samples, piece[s.Start:s.End]...)
	}
	return excerpt{samples, spans}
}

// place returns where a time in the excerpt is in its piece, in seconds.
func (e excerpt) place(t float64) float64 {
	for i, s := range e.spans {
		length := seconds(int64(s.End - s.Start))
		if t <= length || i == len(e.spans)-1 {
			return seconds(int64(s.Start)) + min(t, length)
		}
		t = max(t-length-seconds(between), 0)
	}
	return t
}

// parts returns what of a piece is passed to the model, each in a run of its own: with VAD what is detected as speech; else
// everything, by default without long stretches that are surely no speech.
func (p *pass) parts(ctx context.Context, piece []float32) ([]excerpt, error) {
	vad := p.options.VAD
	switch {
	case vad != nil && *vad:
		speech, err := p.s.o.Detector.Speech(ctx, piece)
		if err != nil || len(speech) == 0 {
			return nil, err
		}
		return []excerpt{excerptOf(piece, speech)}, nil
	case vad != nil:
		return []excerpt{excerptOf(piece, []engines.Span{{Start: 0, End: len(piece)}})}, nil
	}
	spans, err := p.sounds(ctx, piece)
	var out []excerpt
	for _, s := range spans {
		out = append(out, excerptOf(piece, []engines.Span{s}))
	}
	return out, err
}
