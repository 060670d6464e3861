// Package kitten speaks English with the preset voices of KittenTTS: text to chunks, chunks to the IPA of espeak-ng,
// IPA to ids, one graph run per chunk. Rules: KittenML/KittenTTS at 395171a (kittentts/onnx_model.py).
package kitten

import (
	"context"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/onnx"
)

// Name is the engine's name in the registry.
const Name = "kitten"

const (
	sampleRate = 24000 // Hz
	language   = "en-US"
)

// The range of speeds that the models support. The tail is the same for every speed, so faster speech would lose its
// last sound.
const (
	minSpeed = 0.5
	maxSpeed = 2
)

// tail is the number of samples that are cut off the end of every run: the models put noise there.
const tail = 5000

// Engine is one loaded model. It is safe for concurrent use.
type Engine struct {
	key      string
	config   config
	frontend *frontend
	session  *onnx.Session
	styles   styles
	info     engines.Info
}

var _ engines.Aligned = (*Engine)(nil)

// usualThreads is the threads of one run. One and a run per core is the fastest way through many texts; more threads
// make a single text faster and leave fewer callers.
const usualThreads = 1

// Info returns the description of the model.
func (e *Engine) Info() engines.Info { return e.info.Clone() }

// Speak emits one buffer per sentence, two or more for a very long one. Phonemes in double brackets are spoken
// unchanged. A sentence whose sound is no longer than the tail is skipped; it is an error if that leaves nothing of the
// text. Every sentence draws its noise from the utterance's seed and its number.
func (e *Engine) Speak(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
	return e.SpeakWords(ctx, u, func(b audio.Buffer, _ []backend.Word) error { return emit(b) })
}

// SpeakWords is Speak that also emits the times of the words as written. They come from the frames that the model
// returns for each phoneme. Where espeak-ng makes more or fewer groups of phonemes than the text has words, as for
// numbers, the words up to the next punctuation mark share the time of their phonemes by their letters.
func (e *Engine) SpeakWords(ctx context.Context, u engines.Utterance, emit func(audio.Buffer, []backend.Word) error) error {
	if err := ctx.Err(); err != nil {
		return backend.ErrCancelled.WithCause(err)
	}
	voice, err := e.voice(u.Voice)
	if err != nil {
		return err
	}
	if err := e.speaks(u.Language); err != nil {
		return err
	}
	requested, err := e.info.Pace(u.Speed)
	if err != nil {
		return err
	}
	given := request{speed: e.config.speed(voice, requested)}
	speakable, emitted, take := false, false, 0
	for _, chunk := range chunks(u.Text) {
		requests, err := e.requests(ctx, chunk, voice, given)
		if err != nil {
			return err
		}
		for _, r := range requests {
			speakable = true
			r.seed = u.Seed + int64(take) // so that equal sentences sound different
			take++
			samples, words, err := e.sound(ctx, r)
			if err != nil {
				return err
			}
			if len(samples) == 0 {
				continue
			}
			if err := emit(audio.Buffer{Samples: samples, Rate: sampleRate, Channels: 1}, words); err != nil {
				return err
			}
			emitted = true
		}
	}
	return outcome(speakable, emitted)
}

// outcome returns an error if nothing of a text was emitted.
func outcome(speakable, emitted bool) error {
	switch {
	case !speakable:
		return engines.NothingToSpeak("Write words in English.")
	case !emitted:
		return backend.E(backend.CodeNothingToSpeak, "The text is too short for this speed: no audio is left.",
			"Choose a lower speed, or write a longer text.")
	}
	return nil
}

// Close stops the sentences in progress and unloads the model.
func (e *Engine) Close() error { return e.session.Close() }

// requests returns the runs of the graph for a chunk; none for a chunk without sound.
func (e *Engine) requests(ctx context.Context, chunk, voice string, given request) ([]request, error) {
	if err := ctx.Err(); err != nil {
		return nil, backend.ErrCancelled.WithCause(err)
	}
	r, err := e.frontend.read(ctx, chunk)
	if err != nil {
		return nil, err
	}
	symbols, speakable := e.frontend.symbols(r)
	if !speakable {
		return nil, nil
	}
	given.style, given.words = e.styles.row(voice, characters(closed(chunk))), r.written(chunk)
	var out []request
	for _, given.symbols = range runs(symbols) {
		out = append(out, given)
	}
	return out, nil
}

// sound returns the samples of a request without the tail, and the times of its words; none if there is nothing but the
// tail.
func (e *Engine) sound(ctx context.Context, r request) ([]float32, []backend.Word, error) {
	samples, frames, err := run(ctx, e.session, r)
	if err != nil {
		return nil, nil, err
	}
	whole := len(samples)
	samples = samples[:max(whole-tail, 0)]
	if len(samples) == 0 {
		return nil, nil, nil
	}
	if err := onnx.CheckAudible(stage, samples); err != nil {
		return nil, nil, err
	}
	return samples, r.times(frames, whole), nil
}

// voice returns the voice with an id or a shown name; empty means the first.
func (e *Engine) voice(requested string) (string, error) {
	for i, v := range e.info.Voices {
		if v.ID == requested || v.Name == requested || (requested == "" && i == 0) {
			return v.ID, nil
		}
	}
	return "", engines.NoVoice("KittenTTS "+e.key, requested, e.info.Voices)
}

// speaks returns an error for every language but English.
func (e *Engine) speaks(requested string) error {
	if requested == "" || engines.SameLanguage(requested, language) {
		return nil
	}
	return backend.E(backend.CodeLanguageNotSupported, "KittenTTS speaks English, not "+requested+".",
		"Choose a voice of that language.").With("language", requested)
}
