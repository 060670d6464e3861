package models

import (
	"context"
	"errors"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
)

// cancellable is a speaker whose work is cancelled when the model is unloaded by force.
type cancellable struct {
	engines.Speaker
	ctx context.Context //nolint:containedctx // it belongs to the loaded model, not to a call
}

// cancellableCloner is a cancellable that clones.
type cancellableCloner struct {
	cancellable
	cloner engines.Cloner
}

var (
	_ engines.Aligned = cancellable{}
	_ engines.Cloner  = cancellableCloner{}
)

// Forget removes a reference from the memory of the model.
func (r cancellableCloner) Forget(key string) { r.cloner.Forget(key) }

// cancellableSpeaker returns a speaker whose work ends with the context of the loaded model.
func cancellableSpeaker(loaded context.Context, s engines.Speaker) engines.Speaker {
	c := cancellable{s, loaded}
	if cloner, ok := s.(engines.Cloner); ok {
		return cancellableCloner{c, cloner}
	}
	return c
}

// Speak speaks until ctx ends or the model is unloaded by force.
func (r cancellable) Speak(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
	return untilUnloaded(ctx, r.ctx, errUnloadedSpeaking, func(ctx context.Context) error { return r.Speaker.Speak(ctx, u, emit) })
}

// SpeakWords is Speak with the times of the words, none where the model has none.
func (r cancellable) SpeakWords(
	ctx context.Context, u engines.Utterance, emit func(audio.Buffer, []backend.Word) error,
) error {
	aligned, ok := r.Speaker.(engines.Aligned)
	if !ok {
		return r.Speak(ctx, u, func(b audio.Buffer) error { return emit(b, nil) })
	}
	return untilUnloaded(ctx, r.ctx, errUnloadedSpeaking, func(ctx context.Context) error { return aligned.SpeakWords(ctx, u, emit) })
}

// cancellableTranscriber is a transcriber whose work is cancelled when the model is unloaded by force.
type cancellableTranscriber struct {
	engines.Transcriber
	ctx context.Context //nolint:containedctx // it belongs to the loaded model, not to a call
}

// Transcribe transcribes until ctx ends or the model is unloaded by force.
func (r cancellableTranscriber) Transcribe(
	ctx context.Context, samples []float32, o engines.TranscribeOptions, emit func(backend.Segment) error,
) (language string, err error) {
	err = untilUnloaded(ctx, r.ctx, errUnloadedTranscribing, func(ctx context.Context) (err error) {
		language, err = r.Transcriber.Transcribe(ctx, samples, o, emit)
		return err
	})
	return language, err
}

// untilUnloaded runs work with a context that also ends when the context of the loaded model does. Error: unloaded.
func untilUnloaded(ctx, loaded context.Context, unloaded error, work func(context.Context) error) error {
	if loaded.Err() != nil {
		return unloaded
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(loaded, func() { cancel(errUnloaded) })()
	err := work(ctx)
	if err != nil && errors.Is(context.Cause(ctx), errUnloaded) && loaded.Err() != nil {
		return unloaded
	}
	return err
}
