// Package kokoro speaks with Kokoro-82M (StyleTTS 2 graphs in ONNX): text to phonemes, phonemes to batches of at most 510,
// one graph run per batch with the style that the voice has for that length. Rules: kokoro-onnx 0.6.1 and misaki 0.9.4.
package kokoro

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/backend/text"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/onnx"
)

// Name is the engine's name in the registry.
const Name = "kokoro"

// The range of speeds that the voices support.
const (
	minSpeed = 0.5
	maxSpeed = 2
)

// Engine is one loaded model. It is safe for concurrent use.
type Engine struct {
	key     string
	symbols vocabulary
	voices  []*voice
	front   *frontend
	graph   *graph
	info    engines.Info
}

var _ engines.Aligned = (*Engine)(nil)

func newEngine(key string, symbols vocabulary, voices []*voice, front *frontend, g *graph, info engines.Info) *Engine {
	e := &Engine{key: key, symbols: symbols, voices: voices, front: front, graph: g, info: info}
	e.info.Engine, e.info.SampleRate, e.info.Channels = Name, sampleRate, 1
	e.info.Voices, e.info.Languages = usable(voices)
	e.info.MinSpeed, e.info.MaxSpeed = minSpeed, maxSpeed
	e.info.Phonemes = true
	e.info.Pauses = engines.Pauses{Sentence: duration(sentencePause), Clause: duration(clausePause)}
	return e
}

func duration(seconds float64) time.Duration { return time.Duration(seconds * float64(time.Second)) }

// usualThreads is the threads of one run. One and a run per core is the fastest way through a long text; more threads
// make a single run faster and leave fewer callers.
const usualThreads = 1

// Info returns the description of the model. Voices of languages that cannot be spoken are left out.
func (e *Engine) Info() engines.Info { return e.info.Clone() }

// Speak emits one buffer per batch, trimmed at both ends and followed by the pause that belongs to its last mark; the
// last buffer has none. Utterance.Voice may be a mixture (engines.ParseMix), which speaks the language of its first
// voice.
func (e *Engine) Speak(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
	p, err := e.plan(ctx, u)
	if err != nil {
		return err
	}
	return e.speak(ctx, p, func(samples []float32, _ []timing) error { return emit(buffer(samples)) })
}

// SpeakWords is Speak that also emits the words of each buffer, as written in the text; no words if the graph returns
// no durations.
func (e *Engine) SpeakWords(ctx context.Context, u engines.Utterance, emit func(audio.Buffer, []backend.Word) error) error {
	p, err := e.plan(ctx, u)
	if err != nil {
		return err
	}
	var aligned *alignment
	if e.graph.timed {
		if aligned, err = e.align(ctx, u.Text, p); err != nil {
			return err
		}
	}
	return e.speak(ctx, p, func(samples []float32, times []timing) error {
		return emit(buffer(samples), aligned.words(times))
	})
}

func buffer(samples []float32) audio.Buffer {
	return audio.Buffer{Samples: samples, Rate: sampleRate, Channels: 1}
}

// Close stops the runs in progress and unloads the model.
func (e *Engine) Close() error { return e.graph.session.Close() }

// plan is an utterance ready to be spoken.
type plan struct {
	accent  accent
	batches []string // phonemes
	parts   []part
	speed   float64
	seed    int64
}

// plan checks an utterance and returns its phonemes in batches, with the accent and the styles.
func (e *Engine) plan(ctx context.Context, u engines.Utterance) (plan, error) {
	if err := ctx.Err(); err != nil {
		return plan{}, backend.ErrCancelled.WithCause(err)
	}
	p := plan{seed: u.Seed}
	var err error
	if p.speed, err = e.info.Pace(u.Speed); err != nil {
		return plan{}, err
	}
	own, parts, err := e.mix(u.Voice)
	if err != nil {
		return plan{}, err
	}
	p.parts = parts
	if p.accent, err = e.accent(own, u.Language); err != nil {
		return plan{}, err
	}
	if !text.Speakable(u.Text) {
		return plan{}, errNothing()
	}
	spoken, err := e.front.phonemes(ctx, u.Text, p.accent)
	if err != nil {
		return plan{}, err
	}
	spoken = e.symbols.known(spoken)
	if !speakable(spoken) {
		return plan{}, errNothing()
	}
	p.batches = split(spoken)
	return p, nil
}

func errNothing() *backend.Error {
	return engines.NothingToSpeak("Write words in the voice's language.")
}

// mix returns the accent of an utterance's first voice, and the parts of all its voices.
func (e *Engine) mix(id string) (accent, []part, error) {
	if id == "" {
		id = e.first()
	}
	shares := engines.Mix{{Voice: id, Part: 1}}
	if _, ok := find(e.voices, id); !ok {
		var err error
		if shares, err = engines.ParseMix(id); err != nil {
			return accent{}, nil, err
		}
	}
	parts := make([]part, len(shares))
	var first accent
	for i, s := range shares {
		v, ok := find(e.voices, s.Voice)
		if !ok {
			return accent{}, nil, engines.NoVoice(shownModel(e.key), s.Voice, e.info.Voices)
		}
		rows, err := v.styles()
		if err != nil {
			return accent{}, nil, err
		}
		parts[i] = part{rows: rows, share: s.Part}
		if i == 0 {
			first = v.accent
		}
	}
	return first, parts, nil
}

// first returns the voice of an utterance that names none: the first that can be spoken.
func (e *Engine) first() string {
	if len(e.info.Voices) > 0 {
		return e.info.Voices[0].ID
	}
	return e.voices[0].ID
}

// accent returns the accent to speak with, and an error for a language without one.
func (e *Engine) accent(own accent, language string) (accent, error) {
	a, ok := accentFor(own, language)
	switch {
	case !ok:
		return accent{}, backend.E(backend.CodeLanguageNotSupported,
			fmt.Sprintf("Kokoro speaks %s, not %s.", strings.Join(e.info.Languages, ", "), language),
			"Choose a model of that language.").With("language", language)
	case a.reason != "":
		return accent{}, backend.E(backend.CodeLanguageNotSupported, a.reason,
			"Choose a voice of another language.").With("language", a.language)
	}
	return a, nil
}

// speak emits the batches one after the other.
func (e *Engine) speak(ctx context.Context, p plan, emit func(samples []float32, times []timing) error) error {
	for i, batch := range p.batches {
		if err := ctx.Err(); err != nil {
			return backend.ErrCancelled.WithCause(err)
		}
		pause := 0
		if i+1 < len(p.batches) {
			last, _ := utf8.DecodeLastRuneInString(batch)
			pause = int(pauseAfter(last) * sampleRate)
		}
		samples, times, err := e.batch(ctx, p, batch, p.seed+int64(i), pause)
		if err != nil {
			return err
		}
		if err := emit(samples, times); err != nil {
			return err
		}
	}
	return nil
}

// batch returns the samples of a batch, followed by pause samples of silence, and the times of its symbols if the graph
// returns durations.
func (e *Engine) batch(ctx context.Context, p plan, batch string, seed int64, pause int) ([]float32, []timing, error) {
	ids, symbols := e.symbols.ids(batch)
	samples, frames, err := e.graph.run(ctx, ids, style(p.parts, len(symbols)), p.speed, seed)
	if err != nil {
		return nil, nil, err
	}
	if err := onnx.CheckAudible(stage, samples); err != nil {
		return nil, nil, err
	}
	from, to := trim(samples)
	var times []timing
	if frames != nil {
		times = timings(symbols, frames, len(samples), from, to)
	}
	samples = append(samples[from:to], make([]float32, pause)...)
	if e.graph.lengthens {
		samples, times = lengthen(samples, times)
	}
	return samples, times, nil
}
