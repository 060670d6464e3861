// Package identity verifies the JWTs of an OIDC issuer for the hosted service. A JWT is a bearer token: who has it may use it,
// also repeatedly, until it expires.
package identity

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/voicewright/voicewright/backend/service"
)

// MaxToken is the length of the longest token that is read, in bytes.
const MaxToken = 16 << 10

// Skew is by how much the clocks of issuer and service may differ.
const Skew = 60 * time.Second

// Options configure a Verifier.
type Options struct {
	Issuer   string           // `iss` of the tokens; https, or http on a loopback address
	Audience string           // must be in `aud` of the tokens
	Groups   string           // the claim with the groups of a user; points lead into objects. Empty: no groups
	HTTP     *http.Client     // http.DefaultClient when nil
	Now      func() time.Time // time.Now when nil
	Log      *slog.Logger     // discarded when nil
}

// Verifier verifies tokens. It is safe for concurrent use.
type Verifier struct {
	issuer, audience, groups string
	now                      func() time.Time
	keys                     *keyCache
}

// New returns a Verifier that downloads the issuer's keys in the background until ctx ends or Close. An issuer that is down is
// no error: tokens are refused with 503 until it is there. Errors: the options are not usable.
func New(ctx context.Context, o Options) (*Verifier, error) {
	if o.HTTP == nil {
		o.HTTP = http.DefaultClient
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Audience == "" {
		return nil, errors.New("the audience of the tokens is missing")
	}
	source, err := newSource(o.Issuer, o.HTTP)
	if err != nil {
		return nil, fmt.Errorf("issuer %q: %w", o.Issuer, err)
	}
	return &Verifier{
		issuer: o.Issuer, audience: o.Audience, groups: o.Groups, now: o.Now, keys: startKeyCache(ctx, source.keys, o.Log),
	}, nil
}

// Close ends the downloads. Tokens signed by the keys that are known verify on.
func (v *Verifier) Close() { v.keys.close() }

// Verify returns the user whom a token names. Errors: *service.Error with 401 for a token that is refused and with 503 while the
// issuer's keys are not known; ctx.Err() when ctx ends first. No error contains a part of the token.
func (v *Verifier) Verify(ctx context.Context, token string) (service.Identity, error) {
	t, err := parse(token)
	if err != nil {
		return service.Identity{}, err
	}
	c, err := readClaims(t.signed.UnsafePayloadWithoutVerification())
	if err != nil {
		return service.Identity{}, err
	}
	// Before the signature: a token that is not for this service costs neither its check nor a download.
	id, err := v.user(c)
	if err != nil {
		return service.Identity{}, err
	}
	if err := v.keys.verify(ctx, t); err != nil {
		return service.Identity{}, err
	}
	// After it: only of tokens that the issuer signed is said that they have expired.
	if err := c.checkTimes(v.now()); err != nil {
		return service.Identity{}, err
	}
	return id, nil
}

func refuse(sentence string, cause error) error {
	return &service.Error{Status: http.StatusUnauthorized, Sentence: sentence, Cause: cause}
}

func errInvalid(cause string) error {
	return refuse("The token is not valid. Sign in again.", errors.New(cause))
}

func errExpired() error {
	return refuse("The sign-in has expired. Sign in again.", service.ErrTokenExpired)
}

func errNotYet(cause string) error {
	return refuse("The sign-in is not valid yet. Check the clock of your computer, then sign in again.", errors.New(cause))
}

func errOther(cause string) error {
	return refuse("The token was made for another service. Sign in again for this one.", errors.New(cause))
}

func errUnavailable(cause error) error {
	return &service.Error{
		Status:     http.StatusServiceUnavailable,
		Sentence:   "Sign-ins cannot be checked now because the issuer is not responding. Try again in a few seconds.",
		RetryAfter: retryAfter,
		Cause:      cause,
	}
}
