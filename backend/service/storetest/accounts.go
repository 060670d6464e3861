package storetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
)

func testSignIn(t *testing.T, s *store) {
	ctx := t.Context()
	_, err := s.Account(ctx, "anna")
	require.ErrorIs(t, err, service.ErrNotFound)

	a := signIn(t, s, "anna")
	require.NotZero(t, a.ID)
	require.Equal(t, service.Account{
		ID: a.ID, Subject: "anna", Email: "anna@example.com", Plan: service.Free, ActivePlan: service.Free,
		PlanCredits: baseline, CreatedAt: start,
	}, a)

	s.Add(time.Hour)
	later := func(email string) service.SignIn {
		in := signingIn("anna", email)
		in.Baseline = 5
		return in
	}
	again, err := s.SignIn(ctx, later("anna@example.com"))
	require.NoError(t, err)
	require.Equal(t, a, again, "only the first sign-in grants the baseline")

	a.Email = "new@example.com"
	again, err = s.SignIn(ctx, later(a.Email))
	require.NoError(t, err)
	require.Equal(t, a, again)

	again, err = s.SignIn(ctx, later(""))
	require.NoError(t, err)
	require.Equal(t, a, again, "a token without an email leaves the one that is known")

	require.Equal(t, map[string]int{"": 20}, together(20, func(int) error {
		_, err := s.SignIn(ctx, signingIn("bob", ""))
		return err
	}))
	require.Equal(t, [2]int64{baseline, 0}, balance(t, s, "bob"), "sign-ins at once make one account")
}

func testAccounts(t *testing.T, s *store) {
	ctx := t.Context()
	for _, subject := range []string{"carl", "anna", "bob"} {
		signIn(t, s, subject)
	}
	var found []string
	var after int64
	for {
		page, err := s.Accounts(ctx, after, 2)
		require.NoError(t, err)
		if len(page) == 0 {
			break
		}
		for _, a := range page {
			found = append(found, a.Subject)
		}
		after = page[len(page)-1].ID
	}
	require.Equal(t, []string{"carl", "anna", "bob"}, found, "oldest first")

	a, err := s.SetDisabled(ctx, id(t, s, "anna"), true, service.Change{})
	require.NoError(t, err)
	require.True(t, a.Disabled)
	a, err = s.SetDisabled(ctx, id(t, s, "anna"), false, service.Change{})
	require.NoError(t, err)
	require.False(t, a.Disabled)

	_, err = s.SetDisabled(ctx, id(t, s, "nobody"), true, service.Change{})
	require.ErrorIs(t, err, service.ErrNotFound)
	_, err = s.SetPlan(ctx, id(t, s, "nobody"), service.Pro, 1, 0, service.Change{})
	require.ErrorIs(t, err, service.ErrNotFound)
	_, err = s.AddCredits(ctx, id(t, s, "nobody"), 1, service.Change{})
	require.ErrorIs(t, err, service.ErrNotFound)
	_, _, err = s.ResetExpired(ctx, id(t, s, "nobody"), 1)
	require.ErrorIs(t, err, service.ErrNotFound)
	_, err = s.DeleteAccount(ctx, id(t, s, "nobody"), service.Change{})
	require.ErrorIs(t, err, service.ErrNotFound)
	require.NoError(t, s.Ping(ctx))
}

func testPlans(t *testing.T, s *store) {
	ctx := t.Context()
	signIn(t, s, "anna")
	a, err := s.AddCredits(ctx, id(t, s, "anna"), 300, service.Change{})
	require.NoError(t, err)
	require.EqualValues(t, baseline+300, a.Credits())

	expires := start.AddDate(0, 0, service.PlanDays)
	a, err = s.SetPlan(ctx, id(t, s, "anna"), service.Pro, 100_000, service.PlanDays, service.Change{})
	require.NoError(t, err)
	require.Equal(t, service.Pro, a.Plan)
	require.Equal(t, expires, a.PlanExpires)
	require.Equal(t, [2]int64{100_000, 300}, balance(t, s, "anna"), "a new plan replaces the credits of the former one")

	a, err = s.SetPlan(ctx, id(t, s, "anna"), service.Free, 50, service.PlanDays, service.Change{})
	require.NoError(t, err)
	require.True(t, a.PlanExpires.IsZero())
	require.Equal(t, [2]int64{50, 300}, balance(t, s, "anna"))

	_, err = s.AddCredits(ctx, id(t, s, "anna"), 0, service.Change{})
	require.Error(t, err)
	_, err = s.SetPlan(ctx, id(t, s, "anna"), service.Pro, -1, service.PlanDays, service.Change{})
	require.Error(t, err, "a balance is never negative")
	require.Equal(t, [2]int64{50, 300}, balance(t, s, "anna"))
}

func testResetExpired(t *testing.T, s *store) {
	ctx := t.Context()
	signIn(t, s, "anna")
	_, reset, err := s.ResetExpired(ctx, id(t, s, "anna"), baseline)
	require.NoError(t, err)
	require.False(t, reset, "the free plan does not expire")

	_, err = s.SetPlan(ctx, id(t, s, "anna"), service.Max, 77, 1, service.Change{})
	require.NoError(t, err)
	_, err = s.AddCredits(ctx, id(t, s, "anna"), 5, service.Change{})
	require.NoError(t, err)
	s.Set(start.Add(24*time.Hour - time.Millisecond))
	a, reset, err := s.ResetExpired(ctx, id(t, s, "anna"), baseline)
	require.NoError(t, err)
	require.False(t, reset)
	require.Equal(t, service.Max, a.Plan)

	s.Add(time.Millisecond)
	done := make([]bool, 10)
	require.Equal(t, map[string]int{"": 10}, together(10, func(i int) (err error) {
		_, done[i], err = s.ResetExpired(ctx, id(t, s, "anna"), baseline)
		return err
	}))
	resets := 0
	for _, d := range done {
		if d {
			resets++
		}
	}
	require.Equal(t, 1, resets, "one of the calls at once resets the plan")
	a, err = s.Account(ctx, "anna")
	require.NoError(t, err)
	require.Equal(t, service.Free, a.Plan)
	require.True(t, a.PlanExpires.IsZero())
	require.Equal(t, [2]int64{baseline, 5}, balance(t, s, "anna"))
}

func testDeleteAccount(t *testing.T, s *store) {
	ctx := t.Context()
	a := signIn(t, s, "anna")
	bob := signIn(t, s, "bob")
	hash := service.KeyHash{1}
	_, err := s.CreateKey(ctx, a.ID, service.NewKey{ID: "k", Hash: hash}, 10)
	require.NoError(t, err)
	_, err = s.ToggleFavourite(ctx, a.ID, "voice")
	require.NoError(t, err)
	for _, id := range []string{"one", "two"} {
		reserve(t, s, a, id, 10)
		charge(t, s, id)
	}
	reserve(t, s, bob, "other", 10)
	charge(t, s, "other")
	require.NoError(t, s.Removed(ctx, []string{"one.mp3"}))

	s.Add(time.Hour)
	files, err := s.DeleteAccount(ctx, a.ID, service.Change{})
	require.NoError(t, err)
	require.Equal(t, []string{"two.mp3"}, files)
	_, err = s.Account(ctx, "anna")
	require.ErrorIs(t, err, service.ErrNotFound)
	_, err = s.DeleteAccount(ctx, a.ID, service.Change{})
	require.ErrorIs(t, err, service.ErrNotFound)
	_, _, err = s.KeyCaller(ctx, hash)
	require.ErrorIs(t, err, service.ErrNotFound)
	_, err = s.CreateKey(ctx, a.ID, key(2), 10)
	require.ErrorIs(t, err, service.ErrNotFound)
	require.ErrorIs(t, s.CountCall(ctx, a.ID, 30), service.ErrNotFound)
	_, err = s.ToggleFavourite(ctx, a.ID, "voice")
	require.ErrorIs(t, err, service.ErrNotFound)
	keys, err := s.Keys(ctx, a.ID)
	require.NoError(t, err)
	require.Empty(t, keys)
	expired, err := s.Expired(ctx, 10)
	require.NoError(t, err)
	require.Len(t, expired, 1, "the sweeper finds what the caller did not remove")
	usage, _, err := s.Usage(ctx, a.ID, "", 10)
	require.NoError(t, err)
	for _, u := range usage {
		require.Empty(t, u.Title)
	}
	require.NoError(t, s.Check(ctx), "the sums stay")

	again := signIn(t, s, "anna")
	require.NotEqual(t, a.ID, again.ID, "the same user begins anew")
	require.Equal(t, [2]int64{baseline, 0}, balance(t, s, "anna"))
	require.Equal(t, [2]int64{baseline - 10, 0}, balance(t, s, "bob"))
}

func testDeleteDuringCall(t *testing.T, s *store) {
	ctx := t.Context()
	a := signIn(t, s, "anna")
	reserve(t, s, a, "one", 10)
	files, err := s.DeleteAccount(ctx, a.ID, service.Change{})
	require.NoError(t, err)
	require.Empty(t, files)
	_, err = s.Settle(ctx, "one", service.Project{}, file("one"))
	require.ErrorIs(t, err, service.ErrReleased)
	require.NoError(t, s.Refund(ctx, "one", "provider"))
	_, err = s.Reserve(ctx, request(a, "two", 10))
	require.ErrorIs(t, err, service.ErrNotFound)
}
