package service_test

import (
	"math"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
)

func TestNextPeriod(t *testing.T) {
	t.Parallel()
	ends := time.Date(2026, 10, 20, 8, 30, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		now    time.Time
		begins time.Time
	}{
		"long before its end": {ends.AddDate(-1, 0, 0), ends},
		"just before":         {ends.Add(-time.Millisecond), ends},
		"at its end":          {ends, ends},
		"in the next period":  {ends.AddDate(0, 0, 30).Add(-time.Millisecond), ends},
		"in the one after":    {ends.AddDate(0, 0, 30), ends.AddDate(0, 0, 30)},
		"a year later":        {ends.AddDate(0, 0, 365), ends.AddDate(0, 0, 360)},
	} {
		t.Run(name, func(t *testing.T) {
			begins, until := service.NextPeriod(ends, c.now, 30)
			assert.Equal(t, c.begins, begins)
			assert.Equal(t, c.begins.AddDate(0, 0, 30), until)
		})
	}
}

// renewing returns a caller whose Pro plan with 5 of its credits has ended and renews itself for 60 days.
func (k *kit) renewing(subject string) service.Caller {
	k.t.Helper()
	caller := k.free(subject)
	_, err := k.store.SetPlan(k.t.Context(), caller.Account.ID, service.Pro, 5, 0, service.Change{})
	require.NoError(k.t, err)
	_, err = k.store.RenewUntil(k.t.Context(), caller.Account.ID, k.config.Now().AddDate(0, 0, 60), 0, service.Change{})
	require.NoError(k.t, err)
	return caller
}

// renewals returns how many times the plan of a caller was renewed.
func (k *kit) renewals(caller service.Caller) (n int) {
	k.t.Helper()
	entries, err := k.store.Entries(k.t.Context(), caller.Account.ID, math.MaxInt64, 100)
	require.NoError(k.t, err)
	for _, e := range entries {
		if e.Reason == "renewed" {
			n++
		}
	}
	return n
}

// A request meets the plan of its caller renewed, with a key and with a token.
func TestCallersRenewTheirPlan(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	byToken := k.renewing("token")
	byKey, plaintext := k.withKey(k.pro())
	_, err := k.store.SetPlan(t.Context(), byKey.Account.ID, service.Max, 5, 0, service.Change{})
	require.NoError(t, err)
	_, err = k.KeyCaller(t.Context(), plaintext)
	fails(t, err, 403, service.CodePaidAccess)
	_, err = k.store.RenewUntil(t.Context(), byKey.Account.ID, k.clock.Now().Add(time.Hour), 0, service.Change{})
	require.NoError(t, err)

	for range 2 {
		caller := k.free("token")
		assert.Equal(t, []any{service.Pro, int64(100_000)}, []any{caller.Account.ActivePlan, caller.Account.Credits()})
		caller, err = k.KeyCaller(t.Context(), plaintext)
		require.NoError(t, err)
		assert.Equal(t, []any{service.Max, int64(500_000)}, []any{caller.Account.ActivePlan, caller.Account.Credits()})
	}
	assert.Equal(t, []int{1, 1}, []int{k.renewals(byToken), k.renewals(byKey)})

	k.clock.Pass(200 * 24 * time.Hour)
	assert.Equal(t, service.Free, k.free("token").Account.ActivePlan, "the last day has passed")
	_, err = k.KeyCaller(t.Context(), plaintext)
	fails(t, err, 403, service.CodePaidAccess)
	assert.Equal(t, []int{1, 1}, []int{k.renewals(byToken), k.renewals(byKey)})
}

// A disabled account is refused and not renewed.
func TestDisabledPlansAreNotRenewed(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	caller := k.renewing("anna")
	_, err := k.store.SetDisabled(t.Context(), caller.Account.ID, true, service.Change{})
	require.NoError(t, err)
	_, err = k.TokenCaller(t.Context(), service.Identity{Subject: "anna"})
	fails(t, err, 403, "")
	k.Sweep(t.Context())
	assert.Zero(t, k.renewals(caller))
}

// CheckRenewal leaves a plan that renews itself, also to a caller who saw it ended.
func TestCheckRenewalOfAPlanThatRenewsItself(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.renewing("anna")
	r, err := k.CheckRenewal(t.Context(), k.free("anna"))
	require.NoError(t, err)
	assert.Equal(t, service.RenewalNone, r.Action)
	assert.Equal(t, k.clock.Now().AddDate(0, 0, 30), r.Account.PlanExpires)
	assert.Equal(t, int64(100_000), r.Account.Credits())

	ended := k.free("ben")
	_, err = k.store.SetPlan(t.Context(), ended.Account.ID, service.Pro, 5, 0, service.Change{})
	require.NoError(t, err)
	ended = k.free("ben")
	_, err = k.store.RenewUntil(t.Context(), ended.Account.ID, k.clock.Now().Add(time.Hour), 0, service.Change{})
	require.NoError(t, err)
	r, err = k.CheckRenewal(t.Context(), ended)
	require.NoError(t, err)
	assert.Equal(t, []any{service.RenewalNone, service.Pro}, []any{r.Action, r.Account.Plan})
	assert.Equal(t, service.Pro, k.free("ben").Account.ActivePlan)
}

// A store that is busy at a renewal is an error of the request, and nothing is lost.
func TestBusyRenewal(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	caller := k.renewing("anna")
	k.store.renew = func() error { return service.ErrStoreBusy }
	_, err := k.TokenCaller(t.Context(), service.Identity{Subject: "anna"})
	require.ErrorIs(t, err, service.ErrStoreBusy)
	k.Sweep(t.Context())
	k.store.renew = func() error { return service.ErrNotFound }
	_, err = k.TokenCaller(t.Context(), service.Identity{Subject: "anna"})
	fails(t, err, 401, "")
	k.store.renew = nil
	assert.Equal(t, service.Pro, k.free("anna").Account.ActivePlan)
	assert.Equal(t, 1, k.renewals(caller))
}

// The sweeper renews the plans of those who do not call.
func TestSweeperRenewsPlans(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var ahead atomic.Int64 // of the clock
		k := newKit(t, func(c *service.Config) {
			c.Now = func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
		})
		anna, ben := k.renewing("anna"), k.renewing("ben")
		require.NoError(t, k.Start(t.Context()))
		synctest.Wait()
		assert.Equal(t, []int{1, 1}, []int{k.renewals(anna), k.renewals(ben)})
		ahead.Store(int64(31 * 24 * time.Hour))
		time.Sleep(time.Minute + time.Millisecond)
		synctest.Wait()
		assert.Equal(t, []int{2, 2}, []int{k.renewals(anna), k.renewals(ben)})
		assert.Equal(t, int64(100_000), k.account(anna).Credits())
	})
}
