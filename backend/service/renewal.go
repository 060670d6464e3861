package service

import (
	"context"
	"errors"
)

// CheckRenewal moves an account whose plan has expired to the free plan with its baseline. Pay-as-you-go credits stay.
func (s *Service) CheckRenewal(ctx context.Context, caller Caller) (Renewal, error) {
	now := s.o.Now()
	if !caller.Account.Expired(now) {
		return Renewal{Action: RenewalNone, Account: caller.Account}, nil
	}
	account, reset, err := s.o.Store.ResetExpired(ctx, caller.Account.ID, s.o.Prices.PlanCredits[Free], now)
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
