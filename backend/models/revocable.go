package models

import (
	"context"
	"errors"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
	"github.com/voicewright/voicewright/engines"
)

// revocable ends its work when the model is taken away by force.
type revocable struct {
	engines.Speaker
	revoked context.Context //nolint:containedctx // it belongs to the loaded model, not to a call
}

var _ engines.Aligned = revocable{}

// Speak speaks until ctx ends or the model is revoked.
func (r revocable) Speak(ctx context.Context, u engines.Utterance, emit func(audio.Buffer) error) error {
	return r.until(ctx, func(ctx context.Context) error { return r.Speaker.Speak(ctx, u, emit) })
}

// SpeakWords is Speak with the times of the words, none where the model does not tell them.
func (r revocable) SpeakWords(
	ctx context.Context, u engines.Utterance, emit func(audio.Buffer, []backend.Word) error,
) error {
	aligned, ok := r.Speaker.(engines.Aligned)
	if !ok {
		return r.Speak(ctx, u, func(b audio.Buffer) error { return emit(b, nil) })
	}
	return r.until(ctx, func(ctx context.Context) error { return aligned.SpeakWords(ctx, u, emit) })
}

// until does work that ends when the model is revoked.
func (r revocable) until(ctx context.Context, work func(context.Context) error) error {
	if r.revoked.Err() != nil {
		return errRevoked
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(r.revoked, func() { cancel(errRevoked) })()
	err := work(ctx)
	if err != nil && errors.Is(context.Cause(ctx), errRevoked) && r.revoked.Err() != nil {
		return errRevoked
	}
	return err
}
