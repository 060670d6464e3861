package main

import (
	"context"
	"errors"
	"time"

	"github.com/voicewright/voicewright/backend/service"
)

// noDate is the value of --until that ends the renewal of a plan.
const noDate = "none"

// renew renews a plan once, or says until when it renews itself.
func (a *accounts) renew(ctx context.Context, name string) error {
	if a.days < 1 || a.days > maxDays {
		return usagef("--days must be 1 to %d, not %d", maxDays, a.days)
	}
	credits, err := a.planCredits()
	if err != nil {
		return err
	}
	if !a.untilGiven {
		return a.changed(ctx, name, func(account service.Account, c service.Change) (service.Account, error) {
			account, err := a.store.Renew(ctx, account.ID, credits, a.days, c)
			return account, renewalError(name, err)
		})
	}
	until, err := parseUntil(a.until)
	if err != nil {
		return err
	}
	days := 0 // those of the plan
	switch {
	case a.daysGiven && until.IsZero():
		return usagef("--until %s ends the renewal, so there are no --days; leave one of them out", noDate)
	case a.daysGiven:
		days = a.days
	}
	return a.changed(ctx, name, func(account service.Account, c service.Change) (service.Account, error) {
		account, err := a.store.RenewUntil(ctx, account.ID, until, days, c)
		if err == nil && account.RenewalDue {
			account, err = a.store.RenewDue(ctx, account.ID, credits)
		}
		return account, renewalError(name, err)
	})
}

// parseUntil returns the beginning of a day in UTC, the zero time for "none".
func parseUntil(text string) (time.Time, error) {
	if text == noDate {
		return time.Time{}, nil
	}
	until, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return time.Time{}, usagef("--until must be a day such as 2027-12-31, or %s, not %q", noDate, text)
	}
	return until, nil
}

// renewalError returns the error of a plan that cannot be renewed.
func renewalError(name string, err error) error {
	switch {
	case errors.Is(err, service.ErrFreePlan):
		return usagef("%q has the free plan, which has no end; give it another one with account set-plan", name)
	case errors.Is(err, service.ErrNoRenewal):
		return usagef("the plan of %q would not be renewed before that day; name a later one for --until, see account show", name)
	}
	return err
}
