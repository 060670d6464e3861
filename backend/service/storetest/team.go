package storetest

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
)

// ops returns a change that an operator makes.
var ops = service.Change{Actor: "olga"}

// invite makes an account in advance.
func invite(t testing.TB, s *store, email string) service.Account {
	t.Helper()
	a, err := s.CreateAccount(t.Context(), service.NewAccount{
		Email: email, Plan: service.Pro, Days: 1, Credits: 500,
	}, ops)
	require.NoError(t, err)
	return a
}

// testSignInDescribes: each sign-in stores what the token says of the user.
func testSignInDescribes(t *testing.T, s *store) {
	in := signingIn("anna", "anna@example.com")
	sign := func() service.Account {
		t.Helper()
		a, err := s.SignIn(t.Context(), in)
		require.NoError(t, err)
		stored, err := s.Account(t.Context(), "anna")
		require.NoError(t, err)
		require.Equal(t, stored, a)
		return a
	}
	in.EmailUnverified, in.Groups = true, []string{"a, b", "team"}
	a := sign()
	require.Equal(t, "anna@example.com", a.Email)
	require.True(t, a.EmailUnverified)
	require.Equal(t, []string{"a, b", "team"}, a.Groups)
	in.Email, in.EmailUnverified = "", false
	require.Equal(t, a, sign(), "a token without an e-mail says nothing of it")
	in.Email = "anna@example.com"
	require.False(t, sign().EmailUnverified)
	in.Groups = []string{"team"}
	require.Equal(t, []string{"team"}, sign().Groups)
	in.Groups = nil
	require.Empty(t, sign().Groups)
}

func testNotAdmitted(t *testing.T, s *store) {
	in := signingIn("eve", "eve@example.com")
	in.Admitted = false
	_, err := s.SignIn(t.Context(), in)
	require.ErrorIs(t, err, service.ErrNotAdmitted)
	list, err := s.Accounts(t.Context(), 0, 10)
	require.NoError(t, err)
	require.Empty(t, list, "no row is made")
	a := signIn(t, s, "eve")
	again, err := s.SignIn(t.Context(), in)
	require.NoError(t, err)
	require.Equal(t, a, again, "who has an account is returned")
}

// testAccountInAdvance: the first sign-in with the e-mail takes the account over, once.
func testAccountInAdvance(t *testing.T, s *store) {
	ctx := t.Context()
	account := invite(t, s, " Anna@Example.com")
	require.Equal(t, service.Account{
		ID: account.ID, Email: " Anna@Example.com", Plan: service.Pro, ActivePlan: service.Pro, PlanExpires: start.Add(24 * time.Hour),
		PlanCredits: 500,
		CreatedAt:   start, Invited: true, ChangedBy: "olga", ChangedAt: start,
	}, account)
	_, err := s.CreateAccount(ctx, service.NewAccount{Email: "ANNA@example.COM", Plan: service.Free}, ops)
	require.ErrorIs(t, err, service.ErrEmailTaken, "two never wait for one address")
	_, err = s.CreateAccount(ctx, service.NewAccount{Email: "anna", Plan: service.Free}, ops)
	require.Error(t, err)

	in := signingIn("eve", "anna@example.com")
	in.EmailUnverified, in.Admitted = true, false
	_, err = s.SignIn(ctx, in)
	require.ErrorIs(t, err, service.ErrNotAdmitted, "nobody checked the address")
	bob := signIn(t, s, "bob")
	in = signingIn("bob", "anna@example.com")
	bob.Email = in.Email
	again, err := s.SignIn(ctx, in)
	require.NoError(t, err)
	require.Equal(t, bob, again, "who has an account does not take over a second one")

	in = signingIn("anna", "anna@EXAMPLE.com ")
	in.Admitted = false
	a, err := s.SignIn(ctx, in)
	require.NoError(t, err)
	account.Subject, account.Email = "anna", in.Email
	require.Equal(t, account, a)
	require.Equal(t, [2]int64{500, 0}, balance(t, s, "anna"), "with its own credits")
	in.Subject = "other"
	_, err = s.SignIn(ctx, in)
	require.ErrorIs(t, err, service.ErrNotAdmitted, "it is taken")

	_, err = s.DeleteAccount(ctx, a.ID, ops)
	require.NoError(t, err)
	_, err = s.SignIn(ctx, in)
	require.ErrorIs(t, err, service.ErrNotAdmitted, "the invitation is gone with it")
	waiting := invite(t, s, "carl@example.com")
	_, err = s.DeleteAccount(ctx, waiting.ID, ops)
	require.NoError(t, err)
	_, err = s.AccountByID(ctx, waiting.ID)
	require.ErrorIs(t, err, service.ErrNotFound)
	invite(t, s, "carl@example.com")
}

func testSharedAccountInAdvance(t *testing.T, a, b *store) {
	both := []service.Store{a, b}
	require.Equal(t, map[string]int{"": 1, service.ErrEmailTaken.Error(): 9}, together(10, func(i int) error {
		_, err := both[i%2].CreateAccount(t.Context(), service.NewAccount{Email: "anna@example.com", Plan: service.Free}, ops)
		return err
	}))
	require.Equal(t, map[string]int{"": 1, service.ErrNotAdmitted.Error(): 9}, together(10, func(i int) error {
		in := signingIn(fmt.Sprint("anna-", i), "anna@example.com")
		in.Admitted = false
		_, err := both[i%2].SignIn(t.Context(), in)
		return err
	}), "one of the sign-ins at once takes it over")
}

func testAccountsByEmail(t *testing.T, s *store) {
	find := func(email string) (ids []int64) {
		t.Helper()
		list, err := s.AccountsByEmail(t.Context(), email)
		require.NoError(t, err)
		for _, a := range list {
			ids = append(ids, a.ID)
		}
		return ids
	}
	require.Empty(t, find("anna@example.com"))
	signIn(t, s, "bob")
	require.Empty(t, find(""), "no account has no address")
	_, err := s.SignIn(t.Context(), signingIn("nobody", ""))
	require.NoError(t, err)
	require.Empty(t, find(""))
	first := signIn(t, s, "anna")
	second, err := s.SignIn(t.Context(), signingIn("other", "ANNA@EXAMPLE.com"))
	require.NoError(t, err)
	require.Equal(t, []int64{first.ID, second.ID}, find(" Anna@Example.com"))
	waiting := invite(t, s, "Jürgen@bücher.example")
	require.Equal(t, []int64{waiting.ID}, find("JÜRGEN@xn--bcher-kva.example"))
	_, err = s.DeleteAccount(t.Context(), first.ID, service.Change{})
	require.NoError(t, err)
	require.Equal(t, []int64{second.ID}, find("anna@example.com"))
}

// testSigned: each row that an operator changes has who it was and when.
func testSigned(t *testing.T, s *store) {
	ctx := t.Context()
	a := signIn(t, s, "anna")
	require.Empty(t, a.ChangedBy)
	for i, id := range []string{"k", "own"} {
		_, err := s.CreateKey(ctx, a.ID, service.NewKey{ID: id, Hash: service.KeyHash{byte(i)}}, 10)
		require.NoError(t, err)
	}
	for i, change := range []func(c service.Change) (service.Account, error){
		func(c service.Change) (service.Account, error) {
			return s.SetPlan(ctx, a.ID, service.Pro, 7, 1, c)
		},
		func(c service.Change) (service.Account, error) { return s.AddCredits(ctx, a.ID, 7, c) },
		func(c service.Change) (service.Account, error) { return s.SetDisabled(ctx, a.ID, true, c) },
	} {
		now := start.Add(time.Duration(i) * time.Second)
		s.Set(now)
		changed, err := change(ops)
		require.NoError(t, err)
		require.Equal(t, "olga", changed.ChangedBy)
		require.Equal(t, now, changed.ChangedAt)
	}
	s.Set(start.Add(25 * time.Hour))
	after, _, err := s.ResetExpired(ctx, a.ID, baseline)
	require.NoError(t, err)
	require.Equal(t, start.Add(2*time.Second), after.ChangedAt, "not by the service")

	require.NoError(t, s.RevokeKey(ctx, a.ID, "k", ops))
	require.NoError(t, s.RevokeKey(ctx, a.ID, "own", service.Change{}))
	keys, err := s.Keys(ctx, a.ID)
	require.NoError(t, err)
	require.Equal(t, []string{"", "olga"}, []string{keys[0].RevokedBy, keys[1].RevokedBy})
	require.Equal(t, start.Add(25*time.Hour), keys[1].RevokedAt)
}

func testEntries(t *testing.T, s *store) {
	ctx := t.Context()
	a, bob := signIn(t, s, "anna"), signIn(t, s, "bob")
	s.Add(time.Second)
	c := ops
	c.Note = "paid\nin cash"
	_, err := s.AddCredits(ctx, a.ID, 50, c)
	require.NoError(t, err)
	_, err = s.AddCredits(ctx, bob.ID, 1, c)
	require.NoError(t, err)
	s.Set(start.Add(time.Minute))
	reserve(t, s, a, "call", baseline+20)

	list, err := s.Entries(ctx, a.ID, math.MaxInt64, 10)
	require.NoError(t, err)
	require.Len(t, list, 3)
	want := []service.Entry{
		{
			ID: list[0].ID, At: start.Add(time.Minute), Reason: "reserve", Call: "call",
			Parts: service.Parts{Plan: -baseline, Payg: -20, Held: baseline + 20},
		},
		{ID: list[1].ID, At: start.Add(time.Second), Reason: "payg", Parts: service.Parts{Payg: 50}, Granted: -50, Actor: "olga", Note: c.Note},
		{ID: list[2].ID, At: start, Reason: "sign-in", Parts: service.Parts{Plan: baseline}, Granted: -baseline},
	}
	require.Equal(t, want, list, "newest first")
	page, err := s.Entries(ctx, a.ID, list[0].ID, 1)
	require.NoError(t, err)
	require.Equal(t, want[1:2], page)

	sums, err := s.Sums(ctx, a.ID)
	require.NoError(t, err)
	parts := service.Parts{Payg: 30, Held: baseline + 20}
	require.Equal(t, service.Sums{Balance: parts, Rows: parts, Count: 3, Last: list[0].ID}, sums)
	charge(t, s, "call")
	_, err = s.DeleteAccount(ctx, a.ID, ops)
	require.NoError(t, err)
	_, err = s.Sums(ctx, a.ID)
	require.ErrorIs(t, err, service.ErrNotFound)
	list, err = s.Entries(ctx, a.ID, math.MaxInt64, 10)
	require.NoError(t, err)
	require.Equal(t, "olga", list[0].Actor, "of the deletion")
	for _, e := range list {
		require.Empty(t, e.Note, "notes may name the user")
	}
}
