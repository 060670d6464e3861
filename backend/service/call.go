package service

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend"
)

// The kinds of calls that cost credits.
const (
	KindSynthesize = "synthesize"
	KindDialogue   = "dialogue"
)

const (
	chargeTimeout = 10 * time.Second       // for settling while the store is busy
	chargeRetry   = 250 * time.Millisecond // between two attempts
	deleteTimeout = 5 * time.Second
	secretBytes   = 32 // of the name of a file or of a key
)

// speak reserves the price, has the text spoken, stores the audio and charges the price. On every failure the price is refunded
// and no file is left.
func (s *synthesis) speak(ctx context.Context, c call) (Result, error) {
	name, err := s.files.fileName(c.format)
	if err != nil {
		return Result{}, err
	}
	id := s.o.NewID()
	if err := s.reserve(ctx, id, c); err != nil {
		return Result{}, err
	}
	var r Result
	err = backend.Contain(func() error {
		s.o.Observer.Reserved()
		file, err := s.produce(ctx, c, name)
		if err == nil {
			r, err = s.charge(ctx, id, c, file)
		}
		return err
	})
	if err != nil {
		err = s.failed(ctx, id, c, name, err)
	}
	s.o.Observer.Synthesis(SynthesisEvent{
		Provider: c.model.Provider, Status: StatusOf(err), Cancelled: err != nil && ctx.Err() != nil,
		Characters: c.characters, Credits: c.credits, Took: s.o.Now().Sub(c.started),
	})
	return r, err
}

// reserve counts the call, makes it the only one of the account and holds its price.
func (s *synthesis) reserve(ctx context.Context, id string, c call) error {
	_, err := s.o.Store.Reserve(ctx, Reserve{
		ID: id, Account: c.caller.Account.ID, Instance: s.o.Instance, Credits: c.credits, RateLimit: CallsPerMinute,
		Kind: c.kind, Provider: c.model.Provider, Model: c.model.ID, Characters: c.characters, Now: s.o.Now(),
		Idempotency: c.idempotency,
	})
	switch {
	case err == nil:
		return nil
	case errors.Is(err, ErrNoCredits):
		return noCredits(c.credits, c.caller.Account.Credits())
	case errors.Is(err, ErrRateLimited), errors.Is(err, ErrDuplicate):
		return answer(err)
	case errors.Is(err, ErrNotFound):
		return errNoAccount
	case errors.Is(err, ErrStoreBusy), errors.Is(err, ErrKeyUsed):
		return err
	default: // it may be held all the same, when the connection to the store was lost
		s.refunds.refundLater(id, "reserving failed")
		return err
	}
}

// produce has the text spoken and stores the audio under name.
func (s *synthesis) produce(ctx context.Context, c call, name string) (File, error) {
	sound, err := s.speaker.listen(ctx, c.model.Provider, c.speech)
	if err != nil {
		return File{}, err
	}
	size, err := s.speaker.write(ctx, name, sound, c.format)
	if err != nil {
		return File{}, err
	}
	now := s.o.Now()
	return File{
		Name: name, Format: c.format, Bytes: size, Seconds: sound.Duration().Round(time.Millisecond).Seconds(),
		CreatedAt: now, ExpiresAt: now.Add(FileRetention),
	}, ctx.Err()
}

// charge settles the call. From here on the client's request no longer ends it, and a busy store is waited for.
func (s *synthesis) charge(ctx context.Context, id string, c call, file File) (Result, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), chargeTimeout)
	defer cancel()
	project := Project{Title: c.title, Voice: c.speech.Turns[0].Voice.ID}
	retry := time.NewTicker(chargeRetry)
	defer retry.Stop()
	for {
		account, err := s.o.Store.Settle(ctx, id, project, file, s.o.Now())
		if err == nil {
			return Result{File: file, RemainingCredits: account.Credits(), ProjectCreated: true}, nil
		}
		if ctx.Err() != nil {
			return Result{}, fmt.Errorf("%w: %w", ErrStoreBusy, err)
		}
		if !errors.Is(err, ErrStoreBusy) {
			return Result{}, err
		}
		select {
		case <-retry.C:
		case <-ctx.Done():
			return Result{}, err
		}
	}
}

// failed removes the audio, refunds the call, and returns the answer to its error.
func (s *synthesis) failed(ctx context.Context, id string, c call, name string, err error) error {
	s.files.remove(ctx, name)
	reason := "internal error"
	var (
		answered *Error
		panicked *backend.PanicError
	)
	switch {
	case ctx.Err() != nil:
		err, reason = context.Cause(ctx), "cancelled"
	case errors.As(err, &answered):
		reason = strings.TrimSpace(fmt.Sprint(answered.Status, " ", answered.Code)) // many have no code
	case errors.Is(err, ErrReleased):
		err, reason = errReleased, "released"
	case errors.As(err, &panicked):
		reason = "panic"
	}
	s.refunds.refund(ctx, id, reason)
	s.o.Log.WarnContext(ctx, "call failed and refunded", "call", id, "kind", c.kind, "provider", c.model.Provider, "error", err)
	return err
}

// newSecret returns 32 random bytes in base64url.
func newSecret(random io.Reader) (string, error) {
	var b [secretBytes]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return "", fmt.Errorf("read random bytes: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(b[:]), nil
}
