package service

import (
	"context"
	"crypto/sha256"
	"errors"
	"strings"
)

// secretLength is the length of secretBytes in base64url.
const secretLength = (secretBytes*8 + 5) / 6

// KeyCaller returns who an API key belongs to. Errors: 401 for a key that is malformed, unknown or revoked, 403 for a disabled
// account and for one without paid access.
func (s *Service) KeyCaller(ctx context.Context, key string) (Caller, error) {
	if !wellFormedKey(key) {
		return Caller{}, errUnauthorized
	}
	account, k, err := s.o.Store.KeyCaller(ctx, sha256.Sum256([]byte(key)), s.o.Now())
	switch {
	case errors.Is(err, ErrNotFound):
		return Caller{}, errUnauthorized
	case err != nil:
		return Caller{}, err
	case account.Disabled:
		return Caller{}, errDisabled
	case !account.Paid(s.o.Now()):
		return Caller{}, errPaidKeys
	}
	return Caller{Account: account, Key: &k}, nil
}

// wellFormedKey reports whether key has the form of the keys that CreateKey returns, so that others cost no look-up.
func wellFormedKey(key string) bool {
	secret, ok := strings.CutPrefix(key, KeyPrefix)
	return ok && len(secret) == secretLength && base64URL(secret)
}

// base64URL reports whether s has characters of base64url only.
func base64URL(s string) bool {
	for _, r := range s {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (r < '0' || r > '9') && r != '-' && r != '_' {
			return false
		}
	}
	return true
}

// TokenCaller returns the account of a verified user, which the first sign-in creates on the free plan with its baseline. Error:
// 403 for a disabled account.
func (s *Service) TokenCaller(ctx context.Context, who Identity) (Caller, error) {
	account, err := s.o.Store.SignIn(ctx, who.Subject, who.Email, s.o.Prices.PlanCredits[Free], s.o.Now())
	switch {
	case err != nil:
		return Caller{}, err
	case account.Disabled:
		return Caller{}, errDisabled
	}
	return Caller{Account: account}, nil
}
