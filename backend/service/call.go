package service

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"syscall"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/audio"
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
func (s *Service) speak(ctx context.Context, c call) (Result, error) {
	name, err := s.fileName(c.format)
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
func (s *Service) reserve(ctx context.Context, id string, c call) error {
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
		s.refundLater(id, "reserving failed")
		return err
	}
}

// produce has the text spoken and stores the audio under name.
func (s *Service) produce(ctx context.Context, c call, name string) (File, error) {
	sound, err := s.listen(ctx, c.model.Provider, c.speech)
	if err != nil {
		return File{}, err
	}
	size, err := s.write(ctx, name, sound, c.format)
	if err != nil {
		return File{}, err
	}
	now := s.o.Now()
	return File{
		Name: name, Format: c.format, Bytes: size, Seconds: sound.Duration().Round(time.Millisecond).Seconds(),
		CreatedAt: now, ExpiresAt: now.Add(FileRetention),
	}, ctx.Err()
}

// listen returns what a provider speaks. Its failures become 502, except those that are answers.
func (s *Service) listen(ctx context.Context, id ProviderID, speech Speech) (audio.Buffer, error) {
	var sound audio.Buffer
	err := backend.Contain(func() (err error) {
		if sound, err = s.o.Providers[id].Speak(ctx, speech); err != nil {
			return err
		}
		return valid(sound)
	})
	var answered *Error
	switch {
	case err == nil:
		return sound, ctx.Err()
	case ctx.Err() != nil:
		return audio.Buffer{}, err
	case errors.As(err, &answered):
		if answered.Cause != nil {
			s.o.Log.WarnContext(ctx, "provider refused a text", "provider", id, "error", answered.Cause)
		}
		return audio.Buffer{}, err
	}
	s.o.Log.ErrorContext(ctx, "provider failed", "provider", id, "error", err)
	return audio.Buffer{}, errProvider.withCause(err)
}

// valid returns nil for audio that can be encoded. Silence is valid: whether a sound is speech is for its provider to know.
func valid(b audio.Buffer) error {
	if b.Rate <= 0 || b.Channels <= 0 || len(b.Samples) == 0 || len(b.Samples)%b.Channels != 0 {
		return fmt.Errorf("%d samples in %d channels at %d Hz are no audio", len(b.Samples), b.Channels, b.Rate)
	}
	for _, x := range b.Samples {
		if v := float64(x); math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("the audio has the sample %g", v)
		}
	}
	return nil
}

// write encodes audio into a file and returns its size.
func (s *Service) write(ctx context.Context, name string, sound audio.Buffer, format Format) (int64, error) {
	var size countWriter
	err := s.o.Files.Create(ctx, name, func(w io.Writer) error {
		size.Writer = w
		err := s.o.Encoder.Encode(ctx, sound, format, &size)
		if err == nil && size.n == 0 {
			err = fmt.Errorf("encode %s: no bytes", format)
		}
		return err
	})
	switch {
	case full(err):
		return 0, errFilesFull.withCause(err)
	case err != nil:
		return 0, s.notReady(ctx, err)
	}
	return size.n, nil
}

// notReady returns the answer that says what the encoder lacks where that may be why it failed, else err.
func (s *Service) notReady(ctx context.Context, err error) error {
	var lacks *Error
	if errors.As(s.o.Encoder.Ready(ctx), &lacks) {
		return lacks.withCause(err)
	}
	return err
}

// full reports whether err says that a disk is full.
func full(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) ||
		err != nil && backend.AsError(err).Code == backend.CodeInsufficientDisk
}

// countWriter counts the bytes that it passes on.
type countWriter struct {
	io.Writer
	n int64
}

func (w *countWriter) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	w.n += int64(n)
	return n, err
}

// charge settles the call. From here on the client's request no longer ends it, and a busy store is waited for.
func (s *Service) charge(ctx context.Context, id string, c call, file File) (Result, error) {
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
func (s *Service) failed(ctx context.Context, id string, c call, name string, err error) error {
	s.remove(ctx, name)
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
	s.refund(ctx, id, reason)
	s.o.Log.WarnContext(ctx, "call failed and refunded", "call", id, "kind", c.kind, "provider", c.model.Provider, "error", err)
	return err
}

// remove deletes a file, whether or not ctx has ended. One that stays has no index entry, so the sweeper finds it.
func (s *Service) remove(ctx context.Context, name string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), deleteTimeout)
	defer cancel()
	if err := backend.Contain(func() error { return s.o.Files.Delete(ctx, name) }); err != nil {
		s.o.Log.ErrorContext(ctx, "delete the audio of a failed call", "error", err)
	}
}

// fileName returns a new name that cannot be guessed.
func (s *Service) fileName(format Format) (string, error) {
	secret, err := s.secret()
	if format == MP3 {
		return secret + ".mp3", err
	}
	return secret + ".pcm", err
}

// secret returns 32 random bytes in base64url.
func (s *Service) secret() (string, error) {
	var random [secretBytes]byte
	if _, err := io.ReadFull(s.o.Random, random[:]); err != nil {
		return "", fmt.Errorf("read random bytes: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(random[:]), nil
}
