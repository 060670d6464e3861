package service

import (
	"context"
	"crypto/sha256"
	"errors"
)

const (
	maxKeyName   = 100 // characters
	keyPrefixLen = 12  // characters of a key that identify it
)

// keys are the API keys of the accounts.
type keys struct{ o *Config }

// CreateKey returns a new API key, which cannot be read again, and its record. Only paying users who signed in may create keys,
// up to MaxActiveKeys.
func (k *keys) CreateKey(ctx context.Context, caller Caller, name string) (string, Key, error) {
	switch {
	case caller.ByKey():
		return "", Key{}, ErrKeyByKey
	case length(name) > maxKeyName:
		return "", Key{}, errInvalid("The field \"name\" has %d characters; at most %d are allowed. Send a shorter name.",
			length(name), maxKeyName)
	case !caller.Account.Paid():
		return "", Key{}, errPaidKeys
	}
	secret, err := newSecret(k.o.Random)
	if err != nil {
		return "", Key{}, err
	}
	plaintext := KeyPrefix + secret
	key, err := k.o.Store.CreateKey(ctx, caller.Account.ID, NewKey{
		ID: k.o.NewID(), Prefix: plaintext[:keyPrefixLen], Name: name, Hash: sha256.Sum256([]byte(plaintext)),
	}, MaxActiveKeys)
	switch {
	case errors.Is(err, ErrKeyLimit):
		return "", Key{}, errKeyLimit
	case err != nil:
		return "", Key{}, err
	}
	return plaintext, key, nil
}

// Keys returns the active and revoked keys of the caller, newest first.
func (k *keys) Keys(ctx context.Context, caller Caller) ([]Key, error) {
	if caller.ByKey() {
		return nil, ErrKeyByKey
	}
	return k.o.Store.Keys(ctx, caller.Account.ID)
}

// RevokeKey revokes a key of the caller. One that is revoked already stays as it is.
func (k *keys) RevokeKey(ctx context.Context, caller Caller, id string) error {
	if caller.ByKey() {
		return ErrKeyByKey
	}
	id, ok := canonicalID(id)
	if !ok {
		return errNoKey
	}
	err := k.o.Store.RevokeKey(ctx, caller.Account.ID, id, Change{})
	if errors.Is(err, ErrNotFound) {
		return errNoKey
	}
	return err
}
