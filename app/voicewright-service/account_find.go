package main

import (
	"context"
	"errors"
	"strings"

	"github.com/voicewright/voicewright/backend/service"
)

// find returns the account that a command names: by the id that the log has, else by its subject, else by its e-mail address. Some
// issuers let users choose their subject, so one that is spelt like the id of another account does not go before that. An address
// that several accounts have, or that nobody checked, is no name: its user could have chosen that of another.
func (a *accounts) find(ctx context.Context, name string) (service.Account, error) {
	account, err := service.Account{}, service.ErrNotFound
	if id, ok := service.ParseLogID(name); ok {
		account, err = a.store.AccountByID(ctx, id)
	}
	if errors.Is(err, service.ErrNotFound) {
		account, err = a.store.Account(ctx, name)
	}
	if !errors.Is(err, service.ErrNotFound) {
		return account, storeError(err)
	}
	found, err := a.store.AccountsByEmail(ctx, name)
	if err != nil {
		return service.Account{}, storeError(err)
	}
	var verified []service.Account
	for _, other := range found {
		if !other.EmailUnverified {
			verified = append(verified, other)
		}
	}
	switch {
	case len(verified) == 1:
		return verified[0], nil
	case len(found) == 0:
		return service.Account{}, accountError(name, service.ErrNotFound)
	case len(verified) == 0:
		return service.Account{}, usagef("the issuer has not verified that %q belongs to %s; name the account by its SUB", name, names(found))
	}
	return service.Account{}, usagef("%d accounts have the e-mail address %q: %s; name one of them by its SUB",
		len(verified), name, names(verified))
}

// names lists the names of accounts.
func names(list []service.Account) string {
	var names []string
	for _, account := range list {
		names = append(names, nameOf(account))
	}
	return strings.Join(names, ", ")
}

// nameOf returns what commands and people call an account: its subject, else the id that the log has, also in the place of a subject
// that is spelt like an id.
func nameOf(account service.Account) string {
	if _, isID := service.ParseLogID(account.Subject); isID || account.Subject == "" {
		return account.LogID()
	}
	return inColumn(account.Subject)
}

// accountError returns the error of a command on one account.
func accountError(name string, err error) error {
	if errors.Is(err, service.ErrNotFound) {
		return notFoundf("there is no account %q; accounts are made at the first sign-in or with account create, see account list", name)
	}
	return storeError(err)
}
