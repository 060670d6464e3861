// Package chatterbox speaks with Chatterbox models: the voice of a sample in English (Turbo, Nano) or 23 languages
// (Multilingual). A language model turns voice and text into speech tokens, 25 in a second, and a decoder makes the sound of
// them. Rules: the packages chatterbox by the models' makers and the card of their ONNX files.
package chatterbox

import (
	"context"
	"slices"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/onnx"
	"github.com/voicewright/voicewright/engines/voicecache"
)

// Name is the engine's name in the registry.
const Name = "chatterbox"

// The silence between two pieces of one text, in milliseconds. The sound of a piece ends with a short silence of its own.
const (
	sentencePause = 200
	clausePause   = 100
)

// usualExaggeration is the makers' default of how lively Multilingual speaks.
const usualExaggeration = 0.5

// keptVoices is the number of prepared voices in memory; each has one or two megabytes.
const keptVoices = 16

// Engine is one loaded model. It is safe for concurrent use.
type Engine struct {
	edition  edition
	frontend *frontend
	graphs   *graphs
	voices   *voicecache.Cache[*voice]
	info     engines.Info
}

var _ engines.Cloner = (*Engine)(nil)

// usualThreads is the threads of one run. The tokens of a piece wait for each other, so only threads make it faster; one
// token has too little work for more than four.
func usualThreads() int { return min(onnx.Cores(), 4) }

// Info returns the description of the model.
func (e *Engine) Info() engines.Info { return e.info.Clone() }

// Forget removes a reference from memory.
func (e *Engine) Forget(key string) { e.voices.Forget(key) }

// Close stops the pieces in progress and unloads the model.
func (e *Engine) Close() error { return e.graphs.sessions().Close() }

// Speak emits one buffer for each piece of the text, which is whole where the model can speak it at once. Tokens are chosen as in
// the makers' programs: at random, with numbers that come from the seed. Equal seeds give equal samples.
func (e *Engine) Speak(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
	if err := ctx.Err(); err != nil {
		return backend.ErrCancelled.WithCause(err)
	}
	if _, err := e.info.Pace(u.Speed); err != nil {
		return err
	}
	language, err := e.frontend.language(u.Language)
	if err != nil {
		return err
	}
	pieces := e.frontend.pieces(u.Text, language)
	if len(pieces) == 0 {
		return engines.NothingToSpeak("Write words in one of the model's languages.")
	}
	v, err := e.voice(ctx, u)
	if err != nil {
		return err
	}
	requests := make([]request, len(pieces))
	positions := 0
	for i, p := range pieces {
		requests[i] = e.request(p.ids, v, engines.NewNoise(u.Seed, i).Uniform)
		positions = max(positions, requests[i].positions())
	}
	m := newMemory(e.graphs.sizes, requests[0].batch(), positions)
	for i, r := range requests {
		samples, err := e.graphs.speak(ctx, m, r, u.Seed+int64(i)<<32)
		if err != nil {
			return err
		}
		if i > 0 {
			silence := int(pieces[i-1].pause.Seconds() * sampleRate)
			samples = slices.Concat(make([]float32, silence), samples)
		}
		if err := emit(audio.Buffer{Samples: samples, Rate: sampleRate, Channels: 1}); err != nil {
			return err
		}
	}
	return nil
}

// request returns the values with which a piece is spoken.
func (e *Engine) request(ids []int64, v *voice, u func() float64) request {
	r := request{
		ids: ids, voice: v, sampling: turboSampling, limit: e.frontend.limit(len(ids)), audible: true, u: u,
	}
	if e.graphs.multilingual {
		r.sampling, r.exaggeration = multilingualSampling, usualExaggeration
	}
	return r
}

// pauses returns the silences between pieces.
func pauses() engines.Pauses {
	return engines.Pauses{Sentence: sentencePause * time.Millisecond, Clause: clausePause * time.Millisecond}
}
