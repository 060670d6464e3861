package service

import (
	"context"
	"crypto/sha256"
	"errors"
	"strings"
)

// secretLength is the length of secretBytes in base64url.
const secretLength = (secretBytes*8 + 5) / 6

// accounts are who calls the service, and what they have called.
type accounts struct {
	o     *Config
	files *storedFiles
}

// KeyCaller returns who an API key belongs to, also with an error where that is known. Errors: 401 for a key that is malformed,
// unknown or revoked, 403 for an account that is disabled, has no access or no paid access. The latter is the caller's Refused
// too, who may repeat a call that took the last credits before its answer was lost.
func (a *accounts) KeyCaller(ctx context.Context, key string) (Caller, error) {
	if !wellFormedKey(key) {
		return Caller{}, errUnauthorized
	}
	account, k, err := a.o.Store.KeyCaller(ctx, sha256.Sum256([]byte(key)))
	switch {
	case errors.Is(err, ErrNotFound):
		return Caller{}, errUnauthorized
	case err != nil:
		return Caller{}, err
	}
	if account, err = a.renewed(ctx, account); err != nil {
		return Caller{}, err
	}
	caller := Caller{Account: account, Key: &k}
	err = a.admit(account)
	if err == nil && !account.Paid() {
		caller.Refused, err = errPaidKeys, errPaidKeys
	}
	return caller, err
}

// renewed returns an account with the plan that it has now: one that renews itself does so for whoever meets it first. Error: 401 for
// an account that was deleted meanwhile.
func (a *accounts) renewed(ctx context.Context, account Account) (Account, error) {
	if !account.RenewalDue {
		return account, nil
	}
	account, err := a.o.Store.RenewDue(ctx, account.ID, a.o.Prices.PlanCredits)
	if errors.Is(err, ErrNotFound) {
		err = errNoAccount
	}
	return account, err
}

// admit returns nil when an account may use the service now.
func (a *accounts) admit(account Account) error {
	switch {
	case account.Disabled:
		return errDisabled
	case !a.o.Access.allows(account):
		return errNoAccess
	}
	return nil
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

// TokenCaller returns the account of a verified user. The first sign-in takes over the account that was made for its e-mail address,
// else it creates one on the free plan with its baseline, if the user has access. Error: 403 for a disabled account, with it, and for a
// user without access. A token has access by what it says itself, not by what an earlier one said.
func (a *accounts) TokenCaller(ctx context.Context, who Identity) (Caller, error) {
	who.Groups = a.o.Access.known(who.Groups)
	account, err := a.o.Store.SignIn(ctx, SignIn{
		Identity: who, Baseline: a.o.Prices.PlanCredits[Free],
		Admitted: a.o.Access.allows(Account{Email: who.Email, EmailUnverified: who.EmailUnverified, Groups: who.Groups}),
	})
	switch {
	case errors.Is(err, ErrNotAdmitted):
		return Caller{}, errNoAccess
	case err != nil:
		return Caller{}, err
	}
	if account, err = a.renewed(ctx, account); err != nil {
		return Caller{}, err
	}
	said := account
	said.Email, said.EmailUnverified, said.Groups = who.Email, who.EmailUnverified, who.Groups
	return Caller{Account: account}, a.admit(said)
}

// CheckRenewal moves an account whose plan has expired to the free plan with its baseline. Pay-as-you-go credits stay.
func (a *accounts) CheckRenewal(ctx context.Context, caller Caller) (Renewal, error) {
	if !caller.Account.Expired() {
		return Renewal{Action: RenewalNone, Account: caller.Account}, nil
	}
	account, reset, err := a.o.Store.ResetExpired(ctx, caller.Account.ID, a.o.Prices.PlanCredits[Free])
	switch {
	case errors.Is(err, ErrNotFound):
		return Renewal{}, errNoAccount
	case err != nil:
		return Renewal{}, err
	case !reset: // another request did it, or the plan was renewed meanwhile
		return Renewal{Action: RenewalNone, Account: account}, nil
	}
	return Renewal{Action: RenewalReset, Account: account}, nil
}
