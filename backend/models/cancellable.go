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

var _ engines.Aligned = cancellable{}

// Speak speaks until ctx ends or the model is unloaded.
func (r cancellable) Speak(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
	return r.until(ctx, func(ctx context.Context) error { return r.Speaker.Speak(ctx, u, emit) })
}

// SpeakWords is Speak with the times of the words, none where the model has none.
func (r cancellable) SpeakWords(
	ctx context.Context, u engines.Utterance, emit func(audio.Buffer, []backend.Word) error,
) error {
	aligned, ok := r.Speaker.(engines.Aligned)
	if !ok {
		return r.Speak(ctx, u, func(b audio.Buffer) error { return emit(b, nil) })
	}
	return r.until(ctx, func(ctx context.Context) error { return aligned.SpeakWords(ctx, u, emit) })
}

// until runs work with a context that ends when the model is unloaded. Error: errUnloaded.
func (r cancellable) until(ctx context.Context, work func(context.Context) error) error {
	if r.ctx.Err() != nil {
		return errUnloaded
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(r.ctx, func() { cancel(errUnloaded) })()
	err := work(ctx)
	if err != nil && errors.Is(context.Cause(ctx), errUnloaded) && r.ctx.Err() != nil {
		return errUnloaded
	}
	return err
}
