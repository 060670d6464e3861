// Package cancellable wraps loaded engines so that their callers' work ends when the model is unloaded by force.
package cancellable

import (
	"context"
	"errors"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
)

// ErrUnloaded is why work ends whose model is unloaded by force: the cause with which a loaded model's context is cancelled. Callers
// get it worded for their work.
var ErrUnloaded = backend.E(backend.CodeCancelled, "The model was unloaded while it was in use.", "Start it again if you want it.")

var (
	errUnloadedSpeaking = backend.E(backend.CodeCancelled, "The model was unloaded while it was speaking.",
		"Start it again if you want it.")
	errUnloadedTranscribing = backend.E(backend.CodeCancelled, "The model was unloaded while it was transcribing.",
		"Start the transcription again if you want it.")
	errUnloadedDiarizing = backend.E(backend.CodeCancelled, "The model was unloaded while it was looking for speakers.",
		"Look for the speakers again if you want that.")
)

type speaker struct {
	engines.Speaker
	ctx context.Context //nolint:containedctx // it belongs to the loaded model, not to a call
}

type speakingCloner struct {
	speaker
	cloner engines.Cloner
}

var (
	_ engines.Aligned = speaker{}
	_ engines.Cloner  = speakingCloner{}
)

// Forget removes a reference from the memory of the model.
func (r speakingCloner) Forget(key string) { r.cloner.Forget(key) }

// Speaker returns a speaker whose work ends with the context of the loaded model. It is an engines.Aligned, and an engines.Cloner
// where s is one.
func Speaker(loaded context.Context, s engines.Speaker) engines.Speaker {
	c := speaker{s, loaded}
	if cloner, ok := s.(engines.Cloner); ok {
		return speakingCloner{c, cloner}
	}
	return c
}

// Speak speaks until ctx ends or the model is unloaded by force.
func (r speaker) Speak(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
	return untilUnloaded(ctx, r.ctx, errUnloadedSpeaking, func(ctx context.Context) error { return r.Speaker.Speak(ctx, u, emit) })
}

// SpeakWords is Speak with the times of the words, none where the model has none.
func (r speaker) SpeakWords(
	ctx context.Context, u engines.Utterance, emit func(audio.Buffer, []backend.Word) error,
) error {
	aligned, ok := r.Speaker.(engines.Aligned)
	if !ok {
		return r.Speak(ctx, u, func(b audio.Buffer) error { return emit(b, nil) })
	}
	return untilUnloaded(ctx, r.ctx, errUnloadedSpeaking, func(ctx context.Context) error { return aligned.SpeakWords(ctx, u, emit) })
}

type transcriber struct {
	engines.Transcriber
	ctx context.Context //nolint:containedctx // it belongs to the loaded model, not to a call
}

// Transcriber returns a transcriber whose work ends with the context of the loaded model.
func Transcriber(loaded context.Context, t engines.Transcriber) engines.Transcriber {
	return transcriber{t, loaded}
}

// Transcribe transcribes until ctx ends or the model is unloaded by force.
func (r transcriber) Transcribe(
	ctx context.Context, samples []float32, o engines.TranscribeOptions, emit func(backend.Segment) error,
) (language string, err error) {
	err = untilUnloaded(ctx, r.ctx, errUnloadedTranscribing, func(ctx context.Context) (err error) {
		language, err = r.Transcriber.Transcribe(ctx, samples, o, emit)
		return err
	})
	return language, err
}

type diarizer struct {
	engines.Diarizer
	ctx context.Context //nolint:containedctx // it belongs to the loaded model, not to a call
}

// Diarizer returns a diarizer whose work ends with the context of the loaded model.
func Diarizer(loaded context.Context, d engines.Diarizer) engines.Diarizer {
	return diarizer{d, loaded}
}

// Diarize finds speakers until ctx ends or the model is unloaded by force.
func (r diarizer) Diarize(
	ctx context.Context, sound engines.SoundSource, o engines.DiarizeOptions,
) (found engines.Speakers, err error) {
	err = untilUnloaded(ctx, r.ctx, errUnloadedDiarizing, func(ctx context.Context) (err error) {
		found, err = r.Diarizer.Diarize(ctx, sound, o)
		return err
	})
	return found, err
}

// Print returns the print of a voice, unless ctx ends or the model is unloaded by force.
func (r diarizer) Print(ctx context.Context, samples []float32) (vector []float32, ok bool, err error) {
	err = untilUnloaded(ctx, r.ctx, errUnloadedDiarizing, func(ctx context.Context) (err error) {
		vector, ok, err = r.Diarizer.Print(ctx, samples)
		return err
	})
	return vector, ok, err
}

// untilUnloaded runs work with a context that also ends when the context of the loaded model does. Error: unloaded.
func untilUnloaded(ctx, loaded context.Context, unloaded error, work func(context.Context) error) error {
	if loaded.Err() != nil {
		return unloaded
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(loaded, func() { cancel(ErrUnloaded) })()
	err := work(ctx)
	if err != nil && errors.Is(context.Cause(ctx), ErrUnloaded) && loaded.Err() != nil {
		return unloaded
	}
	return err
}
