package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/user"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/voicewright/voicewright/backend/exit"
	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/mailbox"
)

const (
	maxActor = 100 // characters
	maxNote  = 500
)

// change returns who runs this command, when and why: --actor, else the user of the system, also behind sudo.
func (a *accounts) change() (service.Change, error) {
	actor := a.actor
	if !a.actorGiven {
		actor, _ = a.lookupEnv("SUDO_USER")
		if u, err := user.Current(); actor == "" && err == nil {
			actor = u.Username
		}
		if actor == "" { // such as in a container
			actor = "uid " + strconv.Itoa(os.Getuid())
		}
		name := []rune(strings.ToValidUTF8(actor, "?"))
		actor = string(name[:min(len(name), maxActor)]) // --actor is refused instead, which somebody chose
	}
	if err := checkText("--actor", actor, 1, maxActor); err != nil {
		return service.Change{}, err
	}
	if err := checkText("--note", a.note, 0, maxNote); err != nil {
		return service.Change{}, err
	}
	return service.Change{Actor: actor, Note: a.note}, nil
}

// checkText refuses a text of a flag that is too short or too long.
func checkText(flag, text string, low, high int) error {
	if n := utf8.RuneCountInString(text); n < low || n > high || !utf8.ValidString(text) {
		return usagef("%s must be %d to %d characters of UTF-8", flag, low, high)
	}
	return nil
}

// planOf returns a plan with its credits, after a check of --days.
func (a *accounts) planOf(name string) (plan service.Plan, credits int64, err error) {
	plan = service.Plan(name)
	switch {
	case plan != service.Free && plan != service.Pro && plan != service.Max:
		return "", 0, usagef("unknown plan %q; the plans are free, pro and max", name)
	case a.days < 0 || a.days > maxDays:
		return "", 0, usagef("--days must be 0 to %d, not %d", maxDays, a.days)
	}
	all, err := a.planCredits()
	return plan, all[plan], err
}

// planCredits returns the credits that each plan has.
func (a *accounts) planCredits() (map[service.Plan]int64, error) {
	prices, err := a.options.prices.Complete()
	if err != nil {
		return nil, usagef("%w", err)
	}
	return prices.PlanCredits, nil
}

// create makes an account that waits for the user with an e-mail address.
func (a *accounts) create(ctx context.Context, email string) error {
	plan, credits, err := a.planOf(a.plan)
	if err != nil {
		return err
	}
	if _, ok := mailbox.Fold(email); !ok {
		return usagef("the account needs an e-mail address such as ann@example.org, not %q", email)
	}
	c, err := a.change()
	if err != nil {
		return err
	}
	account, err := a.store.CreateAccount(ctx, service.NewAccount{
		Email: strings.TrimSpace(email), Plan: plan, Days: a.days, Credits: credits,
	}, c)
	if errors.Is(err, service.ErrEmailTaken) {
		return exitError{exit.Failed, fmt.Errorf("there is an account with the e-mail address %q already; see account show", email)}
	}
	if err != nil {
		return storeError(err)
	}
	return a.printAccount(account)
}

func (a *accounts) setPlan(ctx context.Context, name, planName string) error {
	plan, credits, err := a.planOf(planName)
	if err != nil {
		return err
	}
	return a.changed(ctx, name, func(account service.Account, c service.Change) (service.Account, error) {
		return a.store.SetPlan(ctx, account.ID, plan, credits, a.days, c)
	})
}

func (a *accounts) addCredits(ctx context.Context, name, number string) error {
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n < 1 || n > maxNumber {
		return usagef("the number of credits must be 1 to %d, not %q", maxNumber, number)
	}
	return a.changed(ctx, name, func(account service.Account, c service.Change) (service.Account, error) {
		return a.store.AddCredits(ctx, account.ID, n, c)
	})
}

func (a *accounts) setDisabled(ctx context.Context, name string, disabled bool) error {
	return a.changed(ctx, name, func(account service.Account, c service.Change) (service.Account, error) {
		return a.store.SetDisabled(ctx, account.ID, disabled, c)
	})
}

// changing returns the account that a command changes, and who changes it.
func (a *accounts) changing(ctx context.Context, name string) (account service.Account, c service.Change, err error) {
	if c, err = a.change(); err == nil {
		account, err = a.find(ctx, name)
	}
	return account, c, err
}

// changed changes an account and prints it.
func (a *accounts) changed(
	ctx context.Context, name string, change func(account service.Account, c service.Change) (service.Account, error),
) error {
	account, c, err := a.changing(ctx, name)
	if err != nil {
		return err
	}
	if account, err = change(account, c); err != nil {
		return accountError(name, err)
	}
	return a.printAccount(account)
}

// revokeKey revokes an API key and prints it. One that is revoked already stays as it is.
func (a *accounts) revokeKey(ctx context.Context, name, id string) error {
	account, c, err := a.changing(ctx, name)
	if err != nil {
		return err
	}
	before, err := a.key(ctx, account, id)
	if err != nil {
		return err
	}
	if err := a.store.RevokeKey(ctx, account.ID, before.ID, c); err != nil {
		return storeError(err)
	}
	key, err := a.key(ctx, account, id)
	if err != nil {
		return err
	}
	if a.asJSON {
		return a.printJSON(viewOfKey(key))
	}
	said := "Revoked the key %s (%s…).\n"
	if !before.RevokedAt.IsZero() {
		said = "The key %s (%s…) was revoked already.\n"
	}
	_, err = fmt.Fprintf(a.out, said, key.ID, inColumn(key.Prefix))
	return err
}

// key returns a key of an account.
func (a *accounts) key(ctx context.Context, account service.Account, id string) (service.Key, error) {
	keys, err := a.store.Keys(ctx, account.ID)
	if err != nil {
		return service.Key{}, storeError(err)
	}
	wanted, err := uuid.Parse(id)
	for _, k := range keys {
		if err == nil && k.ID == wanted.String() {
			return k, nil
		}
	}
	return service.Key{}, notFoundf("the account %s has no API key with the id %q; see account keys", nameOf(account), id)
}
