package api

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/voicewright/voicewright/backend/service"
)

const keyHeader = "X-API-Key"

// credential is what a request proves its user with.
type credential struct {
	value string
	isKey bool
}

// guard lets callers in.
type guard struct {
	service     Service
	tokens      Tokens
	clients     *clients
	credentials *throttle // failed credentials
}

// authorize returns the caller of a request to a route, also with an error where that is known. It reads headers only. A caller
// who may only repeat earlier calls is let through where the request can be a repeat.
func (g *guard) authorize(r *http.Request, rt route) (service.Caller, error) {
	if rt.access == anyone {
		return service.Caller{}, nil
	}
	caller, err := g.caller(r)
	switch {
	case caller.Refused != nil && rt.repeatable && mayRepeat(r):
		err = nil
	case err == nil && rt.access == session && caller.ByKey():
		err = service.ErrKeyByKey
	}
	return caller, err
}

// caller returns who sent a request. Failed credentials are counted by the address of the client; above the limit they get 429,
// while valid ones still work.
func (g *guard) caller(r *http.Request) (service.Caller, error) {
	c, err := credentialOf(r.Header)
	if err != nil {
		return service.Caller{}, g.countFailure(r, err)
	}
	if c.value == "" {
		return service.Caller{}, errUnauthorized("This request has no credential. Send an API key or a JWT as Authorization: Bearer.")
	}
	caller, err := g.check(r.Context(), c)
	if service.StatusOf(err) == http.StatusUnauthorized && !errors.Is(err, service.ErrTokenExpired) {
		err = g.countFailure(r, err)
	}
	return caller, err
}

// check returns the caller of a credential.
func (g *guard) check(ctx context.Context, c credential) (service.Caller, error) {
	if c.isKey {
		return g.service.KeyCaller(ctx, c.value)
	}
	if g.tokens == nil {
		return service.Caller{}, errUnauthorized("This service accepts API keys only. Send one in place of the JWT.")
	}
	who, err := g.tokens.Verify(ctx, c.value)
	var answer *service.Error
	switch {
	case err == nil:
		return g.service.TokenCaller(ctx, who)
	case errors.As(err, &answer):
		return service.Caller{}, err
	case ctx.Err() != nil:
		return service.Caller{}, ctx.Err()
	default:
		e := errUnauthorized("The JWT is not valid or has expired. Sign in again.")
		e.Cause = err
		return service.Caller{}, e
	}
}

// countFailure returns err, or 429 where the client's address has failed too often.
func (g *guard) countFailure(r *http.Request, err error) error {
	return g.clients.count(g.credentials, r, err,
		"Too many wrong credentials came from this address. Wait a moment, then send a valid one.")
}

// credentialOf returns the credential of a request; its value is empty where there is none. A header that is there twice, or two
// headers that differ, could be read in two ways and are not valid.
func credentialOf(h http.Header) (credential, error) {
	bearer, keys := h.Values("Authorization"), h.Values(keyHeader)
	if len(bearer) > 1 || len(keys) > 1 {
		return credential{}, errUnauthorized("A credential header is there twice. Send it once.")
	}
	var c credential
	if len(bearer) == 1 {
		scheme, value, _ := strings.Cut(bearer[0], " ")
		value = strings.TrimLeft(value, " ")
		if !strings.EqualFold(scheme, "Bearer") || value == "" {
			return credential{}, errUnauthorized("The Authorization header is not valid. Send Authorization: Bearer with an API key or a JWT.")
		}
		c = credential{value: value, isKey: isKey(value)}
	}
	if len(keys) == 0 {
		return c, nil
	}
	if !isKey(keys[0]) {
		return credential{}, errUnauthorized("The X-API-Key header does not hold an API key. Keys begin with " + service.KeyPrefix + ".")
	}
	if c.value != "" && c.value != keys[0] {
		return credential{}, errUnauthorized("The two credential headers differ. Send one of them.")
	}
	return credential{value: keys[0], isKey: true}, nil
}

func isKey(s string) bool { return strings.HasPrefix(s, service.KeyPrefix) }

// sentKey reports whether a request holds something that looks like an API key.
func sentKey(r *http.Request) bool {
	for _, name := range []string{"Authorization", keyHeader} {
		for _, value := range r.Header.Values(name) {
			if strings.Contains(value, service.KeyPrefix) {
				return true
			}
		}
	}
	return false
}

func errUnauthorized(sentence string) *service.Error {
	return &service.Error{Status: http.StatusUnauthorized, Sentence: sentence}
}
