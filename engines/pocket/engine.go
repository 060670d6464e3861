// Package pocket speaks with Pocket TTS models, which clone the voice of a recording. A main graph hears the recording and
// the text and makes the speech frame by frame, a second one refines each frame from noise, and a decoder makes the sound;
// the first two seconds are heard while the rest is made. Everything that differs between models is in their bundle.json.
// Rules: the reference driver of the models' ONNX files.
package pocket

import (
	"context"
	"fmt"
	"math"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
	"github.com/voicewright/voicewright/engines/onnx"
	"github.com/voicewright/voicewright/engines/voicecache"
)

// Name is the engine's name in the registry.
const Name = "pocket"

// The steps in which each frame is refined: the default of the reference driver, and the most.
const (
	usualSteps = 2
	mostSteps  = 100
)

// temperature is the variance of the noise that frames begin with (reference driver).
const temperature = 0.7

// voices is how many prepared voices stay in memory; one of 30 s has 18 MB.
const voices = 4

// Engine is one loaded model. It is safe for concurrent use.
type Engine struct {
	frontend *frontend
	graphs   *graphs
	voices   *voicecache.Cache[*voice]
	info     engines.Info
	name     string // shown
}

var _ engines.Cloner = (*Engine)(nil)

// usualThreads is the threads of one run. The frames of a sentence wait for each other, so only threads make it faster;
// one frame has too little work for more than four.
func usualThreads() int { return min(onnx.Cores(), 4) }

// Info returns the description of the model.
func (e *Engine) Info() engines.Info { return e.info.Clone() }

// Forget removes a voice from memory.
func (e *Engine) Forget(key string) { e.voices.Forget(key) }

// Close stops the pieces in progress and unloads the model.
func (e *Engine) Close() error { return e.graphs.sessions().Close() }

// Speak emits the first buffer of each piece of text after 3 frames (0.24 s of sound), and then buffers of up to 12 frames.
// A piece is as many sentences as the model reads at once. Equal seeds give equal samples. Error: that of engines.Runaway for
// a piece whose end the model does not find, after its samples were emitted.
func (e *Engine) Speak(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
	if err := ctx.Err(); err != nil {
		return backend.ErrCancelled.WithCause(err)
	}
	steps, err := e.check(u)
	if err != nil {
		return err
	}
	pieces := e.frontend.pieces(u.Text)
	if len(pieces) == 0 {
		return engines.NothingToSpeak("Write words in the model's language, " + e.frontend.bundle.spoken.name + ".")
	}
	v, err := e.voices.Get(ctx, u.Reference, e.graphs.learn)
	if err != nil {
		return fmt.Errorf("prepare voice: %w", err)
	}
	s, err := newSpeech(ctx, e.graphs)
	if err != nil {
		return err
	}
	defer s.close()
	for i, p := range pieces {
		if err := e.speak(ctx, s, v, p, steps, engines.NewNoise(u.Seed, i), emit); err != nil {
			return err
		}
	}
	return nil
}

// check returns the steps of an utterance, and an error for one that this model cannot speak.
func (e *Engine) check(u engines.Utterance) (steps int, err error) {
	if u.Reference == nil {
		return 0, engines.NoReference(e.name)
	}
	if _, err := e.info.Pace(u.Speed); err != nil {
		return 0, err
	}
	spoken := e.frontend.bundle.spoken
	if u.Language != "" && !engines.SameLanguage(u.Language, spoken.tag) {
		return 0, backend.E(backend.CodeLanguageNotSupported, fmt.Sprintf("The model %s does not speak %s.", e.name, u.Language),
			"Choose a model for that language; this one speaks "+spoken.name+".").With("language", u.Language)
	}
	if u.Steps == 0 {
		return usualSteps, nil
	}
	if u.Steps < 1 || u.Steps > mostSteps {
		return 0, backend.E(backend.CodeEngineMismatch, fmt.Sprintf("Pocket TTS cannot speak in %d steps.", u.Steps),
			fmt.Sprintf("Choose from 1 to %d steps.", mostSteps)).With("steps", u.Steps)
	}
	return u.Steps, nil
}

// speak emits the samples of one piece.
func (e *Engine) speak(
	ctx context.Context, s *speech, v *voice, p piece, steps int, noise *engines.Noise, emit func(audio.Buffer) error,
) error {
	b := e.frontend.bundle
	r := request{
		voice: v, ids: p.ids, after: e.frontend.after(p.words), steps: steps,
		limit: min(b.limit(len(p.ids)), b.cache-v.positions-len(p.ids)),
		noise: func(dst []float32) {
			noise.Fill(dst)
			for i := range dst {
				dst[i] *= deviation
			}
		},
	}
	audible := onnx.Audible{Stage: stageSound, Emit: func(samples []float32) error {
		return emit(audio.Buffer{Samples: level(samples), Rate: b.Rate, Channels: 1})
	}}
	got, err := s.speak(ctx, r, audible.Write)
	switch {
	case err != nil:
		return err
	case got.end < 0:
		return engines.Runaway(stageSpeech, r.limit)
	}
	return audible.Close()
}

// deviation is the standard deviation of the noise.
var deviation = float32(math.Sqrt(temperature))

// level clips samples to full scale.
func level(samples []float32) []float32 {
	for i, v := range samples {
		samples[i] = min(max(v, -1), 1)
	}
	return samples
}
