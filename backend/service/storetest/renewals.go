package storetest

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
)

const day = 24 * time.Hour

// granted are the credits of the plans in the tests of renewals.
var granted = map[service.Plan]int64{service.Free: 1, service.Pro: 100, service.Max: 500}

// onPlan returns a new account with a plan of a number of days, and 7 pay-as-you-go credits.
func onPlan(t *testing.T, s *store, subject string, plan service.Plan, days int) service.Account {
	t.Helper()
	a := signIn(t, s, subject)
	_, err := s.AddCredits(t.Context(), a.ID, 7, service.Change{})
	require.NoError(t, err)
	a, err = s.SetPlan(t.Context(), a.ID, plan, granted[plan], days, service.Change{})
	require.NoError(t, err)
	return a
}

// spend charges a call.
func spend(t *testing.T, s *store, a service.Account, id string, credits int64) {
	t.Helper()
	reserve(t, s, a, id, credits)
	charge(t, s, id)
}

// renewals returns how many rows of the ledger say that the account was renewed.
func renewals(t *testing.T, s *store, account int64) (n int) {
	t.Helper()
	list, err := s.Entries(t.Context(), account, math.MaxInt64, 1000)
	require.NoError(t, err)
	for _, e := range list {
		if e.Reason == "renewed" {
			n++
		}
	}
	return n
}

// testRenew renews a plan by command: from its end, or from now where it has ended.
func testRenew(t *testing.T, s *store) {
	ctx := t.Context()
	a := onPlan(t, s, "anna", service.Pro, 10)
	spend(t, s, a, "call", 30)
	s.Add(4 * day)
	a, err := s.Renew(ctx, a.ID, granted, 20, ops)
	require.NoError(t, err)
	require.Equal(t, start.Add(30*day), a.PlanExpires, "from the present end")
	require.Equal(t, []int64{100, 7}, []int64{a.PlanCredits, a.PaygCredits}, "what was left of the former period expires")
	require.Equal(t, "olga", a.ChangedBy)
	list, err := s.Entries(ctx, a.ID, math.MaxInt64, 1)
	require.NoError(t, err)
	require.Equal(t, service.Entry{
		ID: list[0].ID, At: s.Now(), Reason: "renewed", Parts: service.Parts{Plan: 30}, Granted: -100, Expired: 70, Actor: "olga",
	}, list[0])

	s.Set(start.Add(90 * day))
	a, err = s.Renew(ctx, a.ID, granted, 5, ops)
	require.NoError(t, err)
	require.Equal(t, service.Pro, a.ActivePlan)
	require.Equal(t, start.Add(95*day), a.PlanExpires, "from now, as it had ended")
	require.True(t, a.RenewsUntil.IsZero(), "once")

	free := signIn(t, s, "bob")
	_, err = s.Renew(ctx, free.ID, granted, 30, ops)
	require.ErrorIs(t, err, service.ErrFreePlan)
	_, err = s.RenewUntil(ctx, free.ID, start.Add(900*day), 0, ops)
	require.ErrorIs(t, err, service.ErrFreePlan)
	require.Equal(t, [2]int64{baseline, 0}, balance(t, s, "bob"))
	_, err = s.Renew(ctx, id(t, s, "nobody"), granted, 30, ops)
	require.ErrorIs(t, err, service.ErrNotFound)
	_, err = s.RenewUntil(ctx, id(t, s, "nobody"), start.Add(day), 0, ops)
	require.ErrorIs(t, err, service.ErrNotFound)
	_, err = s.RenewDue(ctx, id(t, s, "nobody"), granted)
	require.ErrorIs(t, err, service.ErrNotFound)
}

// testRenewDue: whoever meets a plan that has ended and renews itself does so once, to the period that contains now.
func testRenewDue(t *testing.T, s *store) {
	ctx := t.Context()
	a := onPlan(t, s, "anna", service.Max, 10)
	until := start.Add(45 * day)
	a, err := s.RenewUntil(ctx, a.ID, until, 0, ops)
	require.NoError(t, err)
	require.Equal(t, []any{until, 10, false}, []any{a.RenewsUntil, a.RenewsBy, a.RenewalDue})
	spend(t, s, a, "call", 400)

	s.Set(start.Add(10*day - time.Millisecond))
	a, err = s.RenewDue(ctx, a.ID, granted)
	require.NoError(t, err)
	require.EqualValues(t, 100, a.PlanCredits, "not before its end")

	s.Add(time.Millisecond)
	a, err = s.Account(ctx, "anna")
	require.NoError(t, err)
	require.True(t, a.RenewalDue)
	left, reset, err := s.ResetExpired(ctx, a.ID, baseline)
	require.NoError(t, err)
	require.False(t, reset)
	require.Equal(t, service.Max, left.Plan, "a renewal goes before a reset")
	require.Equal(t, map[string]int{"": 10}, together(10, func(int) error {
		a, err := s.RenewDue(ctx, a.ID, granted)
		if err == nil {
			require.Equal(t, start.Add(20*day), a.PlanExpires)
		}
		return err
	}))
	require.Equal(t, 1, renewals(t, s, a.ID))
	require.Equal(t, [2]int64{500, 7}, balance(t, s, "anna"))

	s.Set(start.Add(43 * day)) // two periods were met by nobody
	a, err = s.RenewDue(ctx, a.ID, granted)
	require.NoError(t, err)
	require.Equal(t, start.Add(50*day), a.PlanExpires)
	require.Equal(t, 2, renewals(t, s, a.ID))
	require.Equal(t, service.Max, a.ActivePlan)
	require.False(t, a.RenewalDue)

	s.Set(start.Add(50 * day)) // the next period begins after the last day
	a, err = s.RenewDue(ctx, a.ID, granted)
	require.NoError(t, err)
	require.Equal(t, []any{service.Free, false}, []any{a.ActivePlan, a.RenewalDue})
	a, reset, err = s.ResetExpired(ctx, a.ID, baseline)
	require.NoError(t, err)
	require.True(t, reset)
	require.True(t, a.RenewsUntil.IsZero())
	require.Equal(t, [2]int64{baseline, 7}, balance(t, s, "anna"))
}

// testRenewalsDue lists the accounts that a sweeper renews: neither disabled nor deleted ones, nor those whose last day has passed.
func testRenewalsDue(t *testing.T, s *store) {
	ctx := t.Context()
	renewing := func(subject string, days int, until time.Duration) int64 {
		a := onPlan(t, s, subject, service.Pro, days)
		_, err := s.RenewUntil(ctx, a.ID, start.Add(until), 0, service.Change{})
		require.NoError(t, err)
		return a.ID
	}
	anna, bob := renewing("anna", 1, 100*day), renewing("bob", 2, 100*day)
	carl, dora := renewing("carl", 1, 100*day), renewing("dora", 1, 100*day)
	renewing("emil", 3, 6*day)                            // periods begin on the days 3 and 6
	fritz := renewing("fritz", 4, 8*day+time.Millisecond) // and on 4 and 8
	renewing("gisa", 30, 100*day)
	onPlan(t, s, "hans", service.Pro, 1)
	signIn(t, s, "ida")
	_, err := s.SetDisabled(ctx, carl, true, service.Change{})
	require.NoError(t, err)
	_, err = s.DeleteAccount(ctx, dora, service.Change{})
	require.NoError(t, err)

	s.Set(start.Add(8*day + time.Hour))
	var found []int64
	for last := int64(0); ; {
		page, err := s.RenewalsDue(ctx, last, 2)
		require.NoError(t, err)
		if len(page) == 0 {
			break
		}
		for _, a := range page {
			require.True(t, a.RenewalDue)
			found, last = append(found, a.ID), a.ID
		}
	}
	require.Equal(t, []int64{anna, bob, fritz}, found)
	for _, id := range append(found, carl) {
		_, err := s.RenewDue(ctx, id, granted)
		require.NoError(t, err)
	}
	left, err := s.RenewalsDue(ctx, 0, 10)
	require.NoError(t, err)
	require.Empty(t, left)
	require.Zero(t, renewals(t, s, carl))
	_, err = s.SetDisabled(ctx, carl, false, service.Change{})
	require.NoError(t, err)
	left, err = s.RenewalsDue(ctx, 0, 10)
	require.NoError(t, err)
	require.Len(t, left, 1, "once it is enabled again")
}

// testRenewalEnds: a new plan, a day that is none and a deletion end the renewal of a plan.
func testRenewalEnds(t *testing.T, s *store) {
	ctx := t.Context()
	far := start.Add(1000 * day)
	a := onPlan(t, s, "anna", service.Pro, 0)
	a, err := s.RenewUntil(ctx, a.ID, far, 0, ops)
	require.NoError(t, err)
	require.Equal(t, []any{service.PlanDays, true}, []any{a.RenewsBy, a.RenewalDue}, "a plan of no days is renewed by the usual ones")
	a, err = s.RenewUntil(ctx, a.ID, time.Time{}, 0, ops)
	require.NoError(t, err)
	require.Equal(t, []any{time.Time{}, 0, false}, []any{a.RenewsUntil, a.RenewsBy, a.RenewalDue})

	a, err = s.SetPlan(ctx, a.ID, service.Pro, 100, 10, ops)
	require.NoError(t, err)
	_, err = s.RenewUntil(ctx, a.ID, start.Add(10*day), 0, ops)
	require.ErrorIs(t, err, service.ErrNoRenewal, "the plan ends then")
	_, err = s.RenewUntil(ctx, a.ID, start.Add(-day), 0, ops)
	require.ErrorIs(t, err, service.ErrNoRenewal)
	a, err = s.RenewUntil(ctx, a.ID, start.Add(10*day+time.Millisecond), 15, ops)
	require.NoError(t, err)
	require.Equal(t, 15, a.RenewsBy)
	a, err = s.Renew(ctx, a.ID, granted, 1, ops)
	require.NoError(t, err)
	require.Equal(t, start.Add(10*day+time.Millisecond), a.RenewsUntil, "renewed once by hand, it still renews itself")
	s.Set(start.Add(400 * day))
	_, err = s.RenewUntil(ctx, a.ID, start.Add(300*day), 0, ops)
	require.ErrorIs(t, err, service.ErrNoRenewal, "that is past")

	for _, plan := range []service.Plan{service.Max, service.Free} {
		a, err = s.SetPlan(ctx, a.ID, service.Pro, 100, 1, ops)
		require.NoError(t, err)
		_, err = s.RenewUntil(ctx, a.ID, far, 3, ops)
		require.NoError(t, err)
		a, err = s.SetPlan(ctx, a.ID, plan, 5, 1, ops)
		require.NoError(t, err)
		require.True(t, a.RenewsUntil.IsZero())
	}
	invited, err := s.CreateAccount(ctx, service.NewAccount{Email: "bob@example.com", Plan: service.Pro, Days: 9, Credits: 3}, ops)
	require.NoError(t, err)
	invited, err = s.RenewUntil(ctx, invited.ID, far, 0, ops)
	require.NoError(t, err)
	require.Equal(t, 9, invited.RenewsBy, "an account that waits for its user renews too")
	_, err = s.DeleteAccount(ctx, invited.ID, ops)
	require.NoError(t, err)
	s.Add(50 * day)
	due, err := s.RenewalsDue(ctx, 0, 10)
	require.NoError(t, err)
	require.Empty(t, due)
}

// testRenewDuringCall: what a call holds of the former period expires when it is refunded, as that period is over.
func testRenewDuringCall(t *testing.T, s *store) {
	ctx := t.Context()
	a := onPlan(t, s, "anna", service.Pro, 1)
	_, err := s.RenewUntil(ctx, a.ID, start.Add(9*day), 0, service.Change{})
	require.NoError(t, err)
	reserve(t, s, a, "one", 103)
	s.Add(day)
	_, err = s.RenewDue(ctx, a.ID, granted)
	require.NoError(t, err)
	require.NoError(t, s.Refund(ctx, "one", "provider"))
	require.Equal(t, [2]int64{100, 7}, balance(t, s, "anna"))
}

// testSharedRenewal: of two processes that meet a plan at the same time one renews it.
func testSharedRenewal(t *testing.T, a, b *store) {
	ctx := t.Context()
	account := onPlan(t, a, "anna", service.Pro, 1)
	_, err := a.RenewUntil(ctx, account.ID, start.Add(9*day), 0, service.Change{})
	require.NoError(t, err)
	a.Add(day)
	require.Equal(t, map[string]int{"": 20}, together(20, func(i int) error {
		s := a
		if i%2 == 1 {
			s = b
		}
		_, err := s.RenewDue(ctx, account.ID, granted)
		return err
	}))
	require.Equal(t, 1, renewals(t, a, account.ID))
	require.Equal(t, [2]int64{100, 7}, balance(t, b, "anna"))
}
