// Package supertonic speaks with Supertonic models: preset voices in up to 31 languages, without phonemes. Text is cleaned
// and turned into numbers letter by letter; four ONNX graphs make its length, its meaning, a latent in a few denoising
// steps, and the sound. Rules: the supertonic package 1.3.1 by the models' makers.
package supertonic

import (
	"context"
	"fmt"
	"slices"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/onnx"
)

// Name is the engine's name in the registry.
const Name = "supertonic"

// The paces that the makers allow, relative to the model's own, and their default, which is this engine's speed 1.
const (
	slowest = 0.7
	usual   = 1.05
	fastest = 2.0
)

// The range of speeds that the voices support.
const (
	minSpeed = slowest / usual
	maxSpeed = fastest / usual
)

// The numbers of denoising steps: the makers' default and the most that they allow. People use 2 for speed, 5 and 12.
const (
	usualSteps = 8
	mostSteps  = 100
)

// pause is the silence between two pieces of one text, in milliseconds.
const pause = 300

// Engine is one loaded model. It is safe for concurrent use.
type Engine struct {
	frontend *frontend
	graphs   *graphs
	styles   map[string]style
	info     engines.Info
}

var _ engines.Speaker = (*Engine)(nil)

// usualThreads is the threads of one run. The steps of a sentence wait for each other, so only threads make it faster;
// one step has too little work for more than four.
func usualThreads() int { return min(onnx.Cores(), 4) }

// Info returns the description of the model.
func (e *Engine) Info() engines.Info { return e.info.Clone() }

// Speak emits one buffer per piece of at most 300 characters (120 in Korean), sentences of up to 1,000 kept whole, with
// 0.3 s of silence between two pieces. Speed 1 is the makers' default, 1.05 times the pace of the model itself. Text
// without a language gets the tag for any language; so does text without Latin letters whose language is English, since
// English is the default of every voice. Equal seeds give equal samples.
func (e *Engine) Speak(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
	if err := ctx.Err(); err != nil {
		return backend.ErrCancelled.WithCause(err)
	}
	r, err := e.request(u)
	if err != nil {
		return err
	}
	language, err := e.frontend.language(u.Language, u.Text)
	if err != nil {
		return err
	}
	pieces := e.frontend.pieces(u.Text, language)
	if len(pieces) == 0 {
		return engines.NothingToSpeak("Write words in one of the model's languages.")
	}
	for i, ids := range pieces {
		if err := ctx.Err(); err != nil {
			return backend.ErrCancelled.WithCause(err)
		}
		r.ids, r.noise = ids, func(n int) []float32 { return noise(u.Seed, i, n) }
		samples, err := e.graphs.speak(ctx, r)
		if err != nil {
			return err
		}
		if i > 0 {
			samples = slices.Concat(make([]float32, pause*e.info.SampleRate/1000), samples)
		}
		if err := emit(audio.Buffer{Samples: samples, Rate: e.info.SampleRate, Channels: 1}); err != nil {
			return err
		}
	}
	return nil
}

// Close stops the pieces in progress and unloads the model.
func (e *Engine) Close() error { return e.graphs.sessions().Close() }

// request returns the values that all pieces of an utterance share.
func (e *Engine) request(u engines.Utterance) (request, error) {
	s, err := e.style(u.Voice)
	if err != nil {
		return request{}, err
	}
	p, err := e.pace(u.Speed)
	if err != nil {
		return request{}, err
	}
	steps := u.Steps
	if steps == 0 {
		steps = usualSteps
	}
	if steps < 1 || steps > mostSteps {
		return request{}, backend.E(backend.CodeEngineMismatch, fmt.Sprintf("Supertonic cannot speak in %d steps.", steps),
			fmt.Sprintf("Choose from 1 to %d steps.", mostSteps)).With("steps", steps)
	}
	return request{style: s, pace: p, steps: steps}, nil
}

// style returns a voice; empty means the first.
func (e *Engine) style(voice string) (style, error) {
	if voice == "" {
		voice = e.info.Voices[0].ID
	}
	s, ok := e.styles[voice]
	if !ok {
		return style{}, engines.NoVoice(e.frontend.edition.name, voice, e.info.Voices)
	}
	return s, nil
}

// pace returns the divisor of the model's own durations; speed 0 means 1.
func (e *Engine) pace(speed float64) (float32, error) {
	speed, err := e.info.Pace(speed)
	if err != nil {
		return 0, err
	}
	return float32(min(max(speed*usual, slowest), fastest)), nil
}

// noise returns the start of the latent of a piece: n numbers.
func noise(seed int64, piece, n int) []float32 {
	out := make([]float32, n)
	engines.NewNoise(seed, piece).Fill(out)
	return out
}
