package transcribe

import (
	"context"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/transcribe/internal/silence"
	"github.com/voicewright/voicewright/engines"
)

// untilPause returns the piece up to a pause in its last third, so that no word is cut.
func (p *pass) untilPause(ctx context.Context, piece []float32) ([]float32, error) {
	start := len(piece) * 2 / 3
	speech, err := p.speech(ctx, piece[start:])
	if err != nil {
		return nil, err
	}
	return piece[:start+cutPoint(piece[start:], speech)], nil
}

// sounds returns the stretches of a piece that the model hears: all but what is surely no speech.
func (p *pass) sounds(ctx context.Context, piece []float32) ([]engines.Span, error) {
	quiet := silence.Find(piece, nil)
	var speech []engines.Span
	for _, s := range quiet { // only there is it worth to look for speech
		spans, err := p.speech(ctx, piece[s.Start:s.End])
		if err != nil {
			return nil, err
		}
		for _, f := range spans {
			speech = append(speech, engines.Span{Start: s.Start + f.Start, End: s.Start + f.End})
		}
	}
	if len(speech) > 0 {
		quiet = silence.Find(piece, speech)
	}
	return without(quiet, len(piece)), nil
}

// speech returns the stretches of speech. Without the library of the detector nothing is known to be speech.
func (p *pass) speech(ctx context.Context, samples []float32) ([]engines.Span, error) {
	speech, err := p.s.o.Detector.Speech(ctx, samples)
	if backend.CodeOf(err) == backend.CodeRuntimeMissing {
		return nil, nil
	}
	return speech, err
}

// margin is what remains of a quiet stretch beside a sound.
const margin = engines.TranscriberRate / 2

// without returns what is left of so many samples without quiet stretches, each with its margins.
func without(quiet []engines.Span, samples int) []engines.Span {
	var out []engines.Span
	at := 0
	for _, s := range quiet {
		if s.Start > 0 {
			out = append(out, engines.Span{Start: at, End: min(s.Start+margin, s.End)})
		}
		at = s.End
		if s.End < samples {
			at = max(s.End-margin, s.Start)
		}
	}
	if at < samples {
		out = append(out, engines.Span{Start: at, End: samples})
	}
	return out
}
