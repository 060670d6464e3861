package service

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"
)

const (
	// keyRetention is how long a key is known after its call was charged: as long as the audio, and a day more, in which a repeat
	// that comes too late is told so instead of being charged again.
	keyRetention = FileRetention + 24*time.Hour

	repeatAfter = time.Second
)

// MaxIdempotencyKey is the length of an idempotency key in characters.
const MaxIdempotencyKey = 255

// CheckIdempotencyKey returns nil for 1 to 255 visible characters of ASCII, else an *Error with status 400.
func CheckIdempotencyKey(key string) error {
	visible := len(key) >= 1 && len(key) <= MaxIdempotencyKey
	for _, b := range []byte(key) {
		visible = visible && b > ' ' && b <= '~'
	}
	if !visible {
		return errInvalid("The header Idempotency-Key must have 1 to %d visible ASCII characters. Send a random one, such as a UUID.",
			MaxIdempotencyKey)
	}
	return nil
}

// newIdempotency returns what is stored of a key and its request, nil without a key. Requests are equal when their fields are,
// however their JSON is written. Ids in them must be canonical.
func newIdempotency(kind, key string, request any) *Idempotency {
	if key == "" {
		return nil
	}
	fields, err := json.Marshal(request)
	if err != nil {
		panic(fmt.Sprint("encode a request: ", err)) // of strings, numbers and booleans
	}
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte(kind + " "))
	mac.Write(fields)
	return &Idempotency{Key: sha256.Sum256([]byte(key)), Request: [32]byte(mac.Sum(nil))}
}

// speakOnce speaks the call that check returns, unless a call has its key already: then the answer of that one is returned and nothing
// is checked, counted or charged.
func (s *synthesis) speakOnce(ctx context.Context, caller Caller, key *Idempotency, check func() (call, error)) (Result, error) {
	if key != nil {
		if r, err := s.earlierAnswer(ctx, caller, key); !errors.Is(err, ErrNotFound) {
			return r, err
		}
	}
	if caller.Refused != nil {
		return Result{}, caller.Refused
	}
	c, err := check()
	if err != nil {
		return Result{}, err
	}
	c.idempotency = key
	r, err := s.speak(ctx, c)
	if !errors.Is(err, ErrKeyUsed) {
		return r, err
	}
	r, err = s.earlierAnswer(ctx, caller, key) // an equal call was faster
	if errors.Is(err, ErrNotFound) {           // and was refunded meanwhile
		err = errStillRuns
	}
	return r, err
}

// earlierAnswer returns the answer of the call that has a key. Errors: ErrNotFound; 400 for another request than that of the call, 409
// while it runs, 410 once its audio is gone or damaged.
func (s *synthesis) earlierAnswer(ctx context.Context, caller Caller, key *Idempotency) (Result, error) {
	e, err := s.o.Store.Earlier(ctx, caller.Account.ID, key.Key)
	switch {
	case err != nil:
		return Result{}, err
	case e.Request != key.Request:
		return Result{}, errOtherRequest
	case e.Running:
		return Result{}, errStillRuns
	}
	content, file, err := s.files.OpenFile(ctx, e.File)
	if err != nil {
		status := StatusOf(err)
		switch {
		case errors.Is(err, errFileDamaged):
			err = errAnswerDamaged
		case status == http.StatusGone || status == http.StatusNotFound:
			err = errAnswerGone
		}
		return Result{}, err
	}
	return Result{File: file.NewFile, RemainingCredits: e.RemainingCredits, ProjectCreated: true}, content.Close()
}
