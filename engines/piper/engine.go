// Package piper speaks with Piper voices (VITS graphs in ONNX): text to phonemes, phonemes to ids, one graph run
// per sentence. Rules: piper-tts 1.8.0 and the config that comes with each voice.
package piper

import (
	"context"
	"fmt"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/onnx"
)

// Name is the engine's name in the registry.
const Name = "piper"

// The range of speeds that the voices support.
const (
	minSpeed = 0.25
	maxSpeed = 4
)

// minLength is the smallest length scale: a graph fails if it has to make no frames.
const minLength = 0.1

// Engine is one loaded voice. It is safe for concurrent use.
type Engine struct {
	key      string
	frontend *frontend
	graph    *graph
	speakers []speaker
	info     engines.Info
}

var _ engines.Aligned = (*Engine)(nil)

func newEngine(key string, c config, ph engines.Phonemizer, g *graph, info engines.Info) *Engine {
	e := &Engine{key: key, frontend: newFrontend(c, ph), graph: g, speakers: c.speakers(shownVoice(key)), info: info}
	e.info.Engine, e.info.SampleRate, e.info.Channels = Name, c.Audio.SampleRate, 1
	e.info.Languages, e.info.Voices = []string{c.language()}, voices(e.speakers)
	e.info.MinSpeed, e.info.MaxSpeed = minSpeed, maxSpeed
	return e
}

func voices(speakers []speaker) []engines.Voice {
	out := make([]engines.Voice, len(speakers))
	for i, s := range speakers {
		out[i] = s.Voice
	}
	return out
}

// usualThreads is the threads of one run. One and a run per core is the fastest way through a long text: six sentences
// with a medium voice took 2.4 s so on two cores, 2.8 s one after another with two threads, 4.9 s with one
// (BenchmarkThreads). More threads make a single sentence faster and leave fewer callers.
const usualThreads = 1

// Info returns the description of the voice.
func (e *Engine) Info() engines.Info { return e.info.Clone() }

// Speak emits one buffer per sentence, each levelled to its own peak as Piper does. Every sentence draws its noise, in
// the sound and in the phonemes' lengths, from the utterance's seed and its number; where Info says that the voice is not
// reproducible its graph draws it by itself. [[...]] in the text of an espeak-ng voice holds phonemes.
func (e *Engine) Speak(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
	return e.speak(ctx, u, func(b audio.Buffer, _ []spoken, _ []float64) error { return emit(b) })
}

// SpeakWords is Speak that also emits the times of the words as written (separated by white space), from the frames
// that the graph returns for each phoneme; no words if it returns no frames.
func (e *Engine) SpeakWords(ctx context.Context, u engines.Utterance, emit func(audio.Buffer, []backend.Word) error) error {
	if !e.graph.timed {
		return e.Speak(ctx, u, func(b audio.Buffer) error { return emit(b, nil) })
	}
	var words [][]placed // of each sentence, found when the first one has sounded
	next := 0
	return e.speak(ctx, u, func(b audio.Buffer, all []spoken, ends []float64) error {
		if words == nil {
			var err error
			if words, err = e.frontend.align(ctx, u.Text, all); err != nil {
				return err
			}
		}
		next++
		return emit(b, times(words[next-1], ends))
	})
}

// speak emits the sentences of an utterance one after the other.
func (e *Engine) speak(ctx context.Context, u engines.Utterance, emit func(audio.Buffer, []spoken, []float64) error) error {
	if err := ctx.Err(); err != nil {
		return backend.ErrCancelled.WithCause(err)
	}
	sid, err := e.speaker(u.Voice)
	if err != nil {
		return err
	}
	if err := e.speaks(u.Language); err != nil {
		return err
	}
	s, err := e.scales(u.Speed)
	if err != nil {
		return err
	}
	sentences, err := e.frontend.sentences(ctx, u.Text)
	if err != nil {
		return err
	}
	if len(sentences) == 0 {
		return engines.NothingToSpeak("Write words in the voice's language.")
	}
	for i, sentence := range sentences {
		if err := ctx.Err(); err != nil {
			return backend.ErrCancelled.WithCause(err)
		}
		s.seed = u.Seed + int64(i) // so that equal sentences sound different
		samples, frames, err := e.sentence(ctx, sentence.ids, s, sid)
		if err != nil {
			return err
		}
		b := audio.Buffer{Samples: samples, Rate: e.info.SampleRate, Channels: 1}
		if err := emit(b, sentences, e.ends(sentence, frames, len(samples))); err != nil {
			return err
		}
	}
	return nil
}

// Close stops the sentences in progress and unloads the voice.
func (e *Engine) Close() error { return e.graph.session.Close() }

// sentence returns the levelled samples of one sentence, and the frames of each id if the graph returns them.
func (e *Engine) sentence(ctx context.Context, ids []int64, s scales, sid int64) (samples, frames []float32, err error) {
	samples, frames, err = e.graph.run(ctx, ids, s, sid)
	if err != nil {
		return nil, nil, err
	}
	if err := onnx.CheckAudible(stage, samples); err != nil {
		return nil, nil, err
	}
	normalise(samples)
	return samples, frames, nil
}

// speaker returns the graph's id of a voice; empty means the first.
func (e *Engine) speaker(voice string) (int64, error) {
	for i, s := range e.speakers {
		if s.ID == voice || (voice == "" && i == 0) {
			return s.id, nil
		}
	}
	return 0, engines.NoVoice(shownModel(e.key), voice, e.info.Voices)
}

// speaks returns an error for a language that the voice was not trained on; other accents (en-GB for en-US) are accepted.
func (e *Engine) speaks(language string) error {
	own := e.info.Languages[0]
	if language == "" || own == "und" || engines.SameLanguage(language, own) {
		return nil
	}
	return backend.E(backend.CodeLanguageNotSupported, fmt.Sprintf("The voice %s speaks %s, not %s.", e.key, own, language),
		"Choose a voice of that language.").With("language", language)
}

func (e *Engine) scales(speed float64) (scales, error) {
	speed, err := e.info.Pace(speed)
	if err != nil {
		return scales{}, err
	}
	c := e.frontend.config
	return scales{noise: c.noise(), length: max(c.length()/speed, minLength), noiseW: c.noiseW()}, nil
}

// normalise scales the loudest sample to 1 or -1, so that nothing clips.
func normalise(samples []float32) {
	peak := onnx.Peak(samples)
	for i := range samples {
		samples[i] /= peak
	}
}
