package main

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/spf13/pflag"

	"github.com/voicewright/voicewright/backend/exit"
	"github.com/voicewright/voicewright/backend/service"
)

// withAccounts opens the database of the settings for one command. It neither creates nor migrates one.
func (p *program) withAccounts(ctx context.Context, settings *pflag.FlagSet, flags accountFlags, action func(*accounts) error) (err error) {
	d, err := p.database(settings)
	if err != nil {
		return err
	}
	store, err := d.OpenExisting(ctx, p.sayWaiting(d))
	if err != nil {
		return storeError(err)
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	return action(&accounts{program: p, accountFlags: flags, store: store})
}

// delete deletes an account and its audio files, after a question.
func (a *accounts) delete(ctx context.Context, name string) error {
	account, c, err := a.changing(ctx, name)
	if err != nil {
		return err
	}
	place, err := a.options.audio()
	if err != nil {
		return err
	}
	if !a.yes {
		question := fmt.Sprintf("Delete the account %s with %d credits, its keys, favourites and audio files?",
			nameOf(account), account.Credits())
		if err := a.confirm(ctx, question); err != nil {
			return err
		}
	}
	names, err := a.store.DeleteAccount(ctx, account.ID, c)
	if err != nil {
		return accountError(name, err)
	}
	removed, err := a.removeFiles(ctx, place, names)
	if err != nil {
		return exitError{exit.Failed, fmt.Errorf("the account is deleted, but not all of its audio: %s; the service removes that within "+
			"24 hours", sentenceOf(err))}
	}
	_, err = fmt.Fprintf(a.out, "Deleted the account %s and %s%s.\n",
		nameOf(account), counted(removed, "audio file"), left(len(names)-removed))
	return err
}

// left says what happens to audio that is not where --files looks.
func left(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("; --files has no more of its audio (%d), which the service removes within 24 hours", n)
}

// removeFiles removes audio from where --files has it, and returns how much was there. The service looks for the others.
func (a *accounts) removeFiles(ctx context.Context, place audioPlace, names []string) (int, error) {
	if len(names) == 0 {
		return 0, nil
	}
	removed, err := place.remove(ctx, names)
	if len(removed) > 0 {
		err = errors.Join(err, a.store.Removed(ctx, removed))
	}
	return len(removed), err
}

// exported is everything that is stored of an account.
type exported struct {
	Account    accountView    `json:"account"`
	Keys       []exportedKey  `json:"keys"`
	Favourites []string       `json:"favourites"` // ids of voices
	Usage      []exportedCall `json:"usage"`      // newest first
	Ledger     []entryView    `json:"ledger"`     // newest first
}

// exportedKey is an API key, of which only a hash is stored.
type exportedKey struct {
	ID         string  `json:"id"`
	Prefix     string  `json:"prefix"`
	Name       string  `json:"name"`
	CreatedAt  string  `json:"created_at"`
	LastUsedAt *string `json:"last_used_at"`
	RevokedAt  *string `json:"revoked_at"`
	RevokedBy  *string `json:"revoked_by"` // the operator; nil where the user did
}

// viewOfKey returns the view of a key.
func viewOfKey(k service.Key) exportedKey {
	return exportedKey{
		ID: k.ID, Prefix: k.Prefix, Name: k.Name, CreatedAt: *timestamp(k.CreatedAt), LastUsedAt: timestamp(k.LastUsedAt),
		RevokedAt: timestamp(k.RevokedAt), RevokedBy: optional(k.RevokedBy),
	}
}

// keyViews returns the views of an account's keys.
func (a *accounts) keyViews(ctx context.Context, account service.Account) ([]exportedKey, error) {
	keys, err := a.store.Keys(ctx, account.ID)
	if err != nil {
		return nil, storeError(err)
	}
	views := []exportedKey{}
	for _, k := range keys {
		views = append(views, viewOfKey(k))
	}
	return views, nil
}

// exportedCall is a call and the project that it made. Its text is not stored.
type exportedCall struct {
	ID         string  `json:"id"`
	At         string  `json:"created_at"`
	Kind       string  `json:"kind"`
	Provider   string  `json:"provider"`
	Model      string  `json:"model"`
	Voice      string  `json:"voice"`
	Title      string  `json:"title"`
	Characters int     `json:"characters"`
	Seconds    float64 `json:"seconds"`
	Credits    int64   `json:"credits"`
	Status     string  `json:"status"`
	File       string  `json:"file"`                   // in the folder of audio; empty once it is gone
	KeyHash    string  `json:"idempotency_key_sha256"` // empty where none is kept
}

func (a *accounts) export(ctx context.Context, name string) error {
	account, err := a.find(ctx, name)
	if err != nil {
		return err
	}
	e := exported{Account: viewOf(account)}
	if e.Keys, err = a.keyViews(ctx, account); err != nil {
		return err
	}
	favourites, err := a.store.Favourites(ctx, account.ID)
	if err != nil {
		return storeError(err)
	}
	e.Favourites = append([]string{}, favourites...)
	if e.Usage, err = collect(a.calls(ctx, account, 0)); err != nil {
		return storeError(err)
	}
	if e.Ledger, err = collect(a.entries(ctx, account, math.MaxInt64, 0)); err != nil {
		return storeError(err)
	}
	return a.printJSON(e)
}

func callOf(u service.Usage) exportedCall {
	return exportedCall{
		ID: u.ID, At: *timestamp(u.At), Kind: u.Kind, Provider: string(u.Provider), Model: u.Model, Voice: u.Voice, Title: u.Title,
		Characters: u.Characters, Seconds: u.Seconds, Credits: u.Credits, Status: u.Status,
		File: u.File, KeyHash: u.KeyHash,
	}
}
