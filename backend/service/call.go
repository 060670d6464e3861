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
	storeRetry    = 250 * time.Millisecond // between two attempts
	attempts      = 4                      // to learn an outcome that is unknown, before the refund shows it
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
	s.refunds.open(id)
	if err := s.reserve(ctx, id, c); err != nil {
		s.refunds.end(id) // where it is held all the same, the repair finds it
		return Result{}, err
	}
	var r Result
	err = backend.Contain(func() error {
		s.o.Observer.Reserved()
		file, err := s.produce(ctx, c, name)
		if err == nil {
			r.File = file
			r.RemainingCredits, err = s.charge(ctx, id, c, file)
		}
		return err
	})
	if err == nil {
		s.refunds.end(id)
	} else {
		r, err = s.failed(ctx, id, c, name, r, err)
	}
	r.ProjectCreated = err == nil
	s.o.Observer.Synthesis(SynthesisEvent{
		Provider: c.model.Provider, Status: StatusOf(err), Cancelled: err != nil && ctx.Err() != nil,
		Characters: c.characters, Credits: c.credits, Took: s.o.Now().Sub(c.started),
	})
	return r, err
}

// reserve counts the call, makes it the only one of the account and holds its price. Where the outcome is unknown it asks again.
func (s *synthesis) reserve(ctx context.Context, id string, c call) error {
	r := Reserve{
		ID: id, Account: c.caller.Account.ID, Instance: s.o.Instance, Credits: c.credits, RateLimit: CallsPerMinute,
		Kind: c.kind, Provider: c.model.Provider, Model: c.model.ID, Characters: c.characters,
		Idempotency: c.idempotency,
	}
	var err error
	for n := range attempts {
		err = backend.Contain(func() error {
			_, err := s.o.Store.Reserve(ctx, r)
			return err
		})
		switch {
		case err == nil:
			return nil
		case errors.Is(err, ErrNoCredits):
			return errCredits(c.credits, c.caller.Account.Credits())
		case errors.Is(err, ErrRateLimited), errors.Is(err, ErrDuplicate):
			return answer(err)
		case errors.Is(err, ErrNotFound):
			return errNoAccount
		case errors.Is(err, ErrStoreBusy), errors.Is(err, ErrKeyUsed):
			return err
		}
		if n == attempts-1 || pause(ctx) != nil {
			break
		}
	}
	return err
}

// pause waits between two attempts. Error: that of ctx.
func pause(ctx context.Context) error {
	select {
	case <-time.After(storeRetry):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// produce has the text spoken and stores the audio under name.
func (s *synthesis) produce(ctx context.Context, c call, name string) (NewFile, error) {
	sound, err := s.speaker.listen(ctx, c.model.Provider, c.speech)
	if err != nil {
		return NewFile{}, err
	}
	size, err := s.speaker.write(ctx, name, sound, c.format)
	if err != nil {
		return NewFile{}, err
	}
	return NewFile{
		Name: name, Format: c.format, Bytes: size, Seconds: sound.Duration().Round(time.Millisecond).Seconds(),
	}, ctx.Err()
}

// charge settles the call, and returns the credits that remain. From here on the client's request no longer ends it, a busy store is
// waited for, and one whose answer was lost is asked again.
func (s *synthesis) charge(ctx context.Context, id string, c call, file NewFile) (int64, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), chargeTimeout)
	defer cancel()
	project := Project{Title: c.title, Voice: c.speech.Turns[0].Voice.ID}
	for unknown := 0; ; {
		var account Account
		err := backend.Contain(func() (err error) {
			account, err = s.o.Store.Settle(ctx, id, project, file)
			return err
		})
		switch {
		case err == nil:
			return account.Credits(), nil
		case errors.Is(err, ErrReleased):
			return 0, err
		case ctx.Err() != nil && !errors.Is(err, ErrStoreBusy):
			return 0, fmt.Errorf("%w: %w", errUnknown, err)
		case !errors.Is(err, ErrStoreBusy):
			unknown++
		}
		if unknown == attempts || pause(ctx) != nil {
			if unknown > 0 {
				err = fmt.Errorf("%w: %w", errUnknown, err)
			}
			return 0, err
		}
	}
}

// errUnknown is why a charge failed whose outcome its refund will show.
var errUnknown = errors.New("it is not known whether the call was charged")

// failed refunds the call, and returns the answer to its error; r is its result so far. A call that proves to be charged, although all
// answers of the store were lost, has not failed.
func (s *synthesis) failed(ctx context.Context, id string, c call, name string, r Result, err error) (Result, error) {
	failure, reason := err, "internal error"
	var (
		answered *Error
		panicked *backend.PanicError
	)
	unknown := errors.Is(failure, errUnknown)
	switch {
	case unknown:
		reason = "charging failed"
	case ctx.Err() != nil:
		err, reason = context.Cause(ctx), "cancelled"
	case errors.As(err, &answered):
		reason = strings.TrimSpace(fmt.Sprint(answered.Status, " ", answered.Code)) // many have no code
	case errors.Is(err, ErrReleased):
		err, reason = errReleased, "released"
	case errors.As(err, &panicked):
		reason = "panic"
	}
	if !unknown {
		s.files.remove(ctx, name)
		name = ""
	}
	charged, sure := s.refunds.refund(ctx, id, refund{reason: reason, file: name})
	switch {
	case charged && r.File.Name != "":
		r.RemainingCredits, err = s.creditsOf(ctx, c.caller.Account.ID)
		return r, err
	case unknown && !sure:
		err = errMayBeCharged.withCause(failure)
	case unknown:
		err = fmt.Errorf("%w: %w", ErrStoreBusy, failure)
	}
	s.o.Log.WarnContext(ctx, "call failed", "call", id, "kind", c.kind, "provider", c.model.Provider, "refund", reason, "error", err)
	return Result{}, err
}

// creditsOf returns the credits of an account after a call that was charged, which is read again where that fails.
func (s *synthesis) creditsOf(ctx context.Context, id int64) (int64, error) {
	ctx = context.WithoutCancel(ctx)
	for n := 1; ; n++ {
		account, err := s.o.Store.AccountByID(ctx, id)
		if err == nil || n == attempts {
			return account.Credits(), err
		}
		_ = pause(ctx)
	}
}

// newSecret returns 32 random bytes in base64url.
func newSecret(random io.Reader) (string, error) {
	var b [secretBytes]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return "", fmt.Errorf("read random bytes: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(b[:]), nil
}
