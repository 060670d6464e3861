package storetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
)

func testOneCallAtATime(t *testing.T, s *store) {
	ctx := t.Context()
	a, bob := signIn(t, s, "anna"), signIn(t, s, "bob")
	reserve(t, s, a, "one", 100)
	require.Equal(t, [2]int64{baseline - 100, 0}, balance(t, s, "anna"), "held credits are not in the balance")
	_, err := s.Reserve(ctx, request(a, "two", 100))
	require.ErrorIs(t, err, service.ErrDuplicate)
	reserve(t, s, bob, "other account", 100)

	charge(t, s, "one")
	reserve(t, s, a, "three", 100)
	require.NoError(t, s.Refund(ctx, "three", "provider failed"))
	reserve(t, s, a, "four", 100)
	require.Equal(t, [2]int64{baseline - 200, 0}, balance(t, s, "anna"))
}

// testOrderOfChecks reserves where everything is wrong: rate, one at a time, credits.
func testOrderOfChecks(t *testing.T, s *store) {
	ctx := t.Context()
	a := signIn(t, s, "anna")
	reserve(t, s, a, "one", baseline)
	poor := request(a, "two", 1)
	poor.RateLimit = 1
	_, err := s.Reserve(ctx, poor)
	rateError(t, err)
	poor.RateLimit = 10
	_, err = s.Reserve(ctx, poor)
	require.ErrorIs(t, err, service.ErrDuplicate)
	charge(t, s, "one")
	_, err = s.Reserve(ctx, poor)
	require.ErrorIs(t, err, service.ErrNoCredits)

	for _, credits := range []int64{0, -5} {
		_, err = s.Reserve(ctx, request(a, "free", credits))
		require.Error(t, err, "nobody can take credits out of nothing")
	}
	unknown := poor
	unknown.Account = 999
	_, err = s.Reserve(ctx, unknown)
	require.ErrorIs(t, err, service.ErrNotFound)
}

func testSpendingOrder(t *testing.T, s *store) {
	a := signIn(t, s, "anna")
	_, err := s.AddCredits(t.Context(), a.ID, 500, service.Change{})
	require.NoError(t, err)
	for _, c := range []struct {
		credits int64
		want    service.Reservation
		left    [2]int64
	}{
		{baseline - 100, service.Reservation{PlanCredits: baseline - 100}, [2]int64{100, 500}},
		{300, service.Reservation{PlanCredits: 100, PaygCredits: 200}, [2]int64{0, 300}},
		{300, service.Reservation{PaygCredits: 300}, [2]int64{0, 0}},
	} {
		c.want.ID = fmt.Sprint("call of ", c.left)
		require.Equal(t, c.want, reserve(t, s, a, c.want.ID, c.credits))
		require.NoError(t, s.Refund(t.Context(), c.want.ID, "provider failed"))
		again := reserve(t, s, a, c.want.ID+" again", c.credits)
		require.Equal(t, c.want.PlanCredits, again.PlanCredits, "a refund returns credits to where they came from")
		charge(t, s, again.ID)
		require.Equal(t, c.left, balance(t, s, "anna"))
	}
}

// testHeldCreditsArePaidAccess holds all pay-as-you-go credits of a free account: they still are its own until the call ends.
func testHeldCreditsArePaidAccess(t *testing.T, s *store) {
	a := signIn(t, s, "anna")
	_, err := s.AddCredits(t.Context(), a.ID, 500, service.Change{})
	require.NoError(t, err)
	reserve(t, s, a, "all", baseline+500)
	held, err := s.Account(t.Context(), "anna")
	require.NoError(t, err)
	require.Zero(t, held.Credits())
	require.EqualValues(t, 500, held.PaygHeld)
	require.True(t, held.Paid())
	charge(t, s, "all")
	spent, err := s.Account(t.Context(), "anna")
	require.NoError(t, err)
	require.False(t, spent.Paid())
}

// testNeverNegative spends one balance with many callers at once.
func testNeverNegative(t *testing.T, s *store) {
	ctx := t.Context()
	a := signIn(t, s, "anna")
	calls := func(i int) error {
		for n := 0; ; n++ {
			s.Add(time.Second)
			r := request(a, fmt.Sprintf("%d-%d", i, n), 700)
			r.RateLimit = 1_000_000
			_, err := s.Reserve(ctx, r)
			if err == nil {
				_, err = s.Settle(ctx, r.ID, service.Project{}, file(r.ID))
			}
			if nameOf(err) != service.ErrDuplicate.Error() {
				return err
			}
		}
	}
	require.Equal(t, map[string]int{"": baseline / 700, service.ErrNoCredits.Error(): 50 - baseline/700}, together(50, calls))
	require.Equal(t, [2]int64{baseline % 700, 0}, balance(t, s, "anna"))
}

func testOneOfManyReserves(t *testing.T, s *store) {
	a := signIn(t, s, "anna")
	require.Equal(t, map[string]int{"": 1, service.ErrDuplicate.Error(): 49}, together(50, func(i int) error {
		r := request(a, fmt.Sprint(i), 1)
		r.RateLimit = 50
		_, err := s.Reserve(t.Context(), r)
		return err
	}))
	rateError(t, s.CountCall(t.Context(), a.ID, 50))
}

func testCharge(t *testing.T, s *store) {
	ctx := t.Context()
	a := signIn(t, s, "anna")
	reserve(t, s, a, "one", 2100)
	later := start.Add(3 * time.Second)
	s.Set(later)
	after := charge(t, s, "one")
	a.PlanCredits -= 2100
	require.Equal(t, a, after)
	f, err := s.File(ctx, "one.mp3")
	require.NoError(t, err)
	require.Equal(t, stored(file("one"), later), f)
}

func testChargeTwice(t *testing.T, s *store) {
	ctx := t.Context()
	a := signIn(t, s, "anna")
	_, err := s.Settle(ctx, "unknown", service.Project{}, file("unknown"))
	require.ErrorIs(t, err, service.ErrReleased)
	reserve(t, s, a, "one", 10)
	require.Equal(t, map[string]int{"": 10}, together(10, func(int) error {
		_, err := s.Settle(ctx, "one", service.Project{}, file("one"))
		return err
	}), "the answer to the first can be lost")
	_, err = s.Settle(ctx, "one", service.Project{}, file("other"))
	require.ErrorIs(t, err, service.ErrReleased, "with one file only")
	require.ErrorIs(t, s.Refund(ctx, "one", "late"), service.ErrCharged)
	require.Equal(t, [2]int64{baseline - 10, 0}, balance(t, s, "anna"), "what is charged is not refunded")

	reserve(t, s, a, "two", 10)
	require.NoError(t, s.Refund(ctx, "two", "provider failed"))
	_, err = s.Settle(ctx, "two", service.Project{}, file("two"))
	require.ErrorIs(t, err, service.ErrReleased, "what is refunded is not charged")
	_, err = s.File(ctx, "two.mp3")
	require.ErrorIs(t, err, service.ErrNotFound)

	reserve(t, s, a, "three", 10)
	_, err = s.Reserve(ctx, request(signIn(t, s, "bob"), "three", 10))
	require.Error(t, err, "the id of a call is its own")
	_, err = s.Settle(ctx, "three", service.Project{}, file("one"))
	require.Error(t, err, "the name of a file is its own")
	charge(t, s, "three")
}

// testLostAnswers makes each movement again, as after a commit whose answer was lost.
func testLostAnswers(t *testing.T, s *store) {
	ctx := t.Context()
	a := signIn(t, s, "anna")
	_, err := s.AddCredits(ctx, a.ID, 50, service.Change{})
	require.NoError(t, err)
	r := request(a, "one", baseline+20)
	r.RateLimit = 1
	first, err := s.Reserve(ctx, r)
	require.NoError(t, err)
	for range 3 {
		again, err := s.Reserve(ctx, r)
		require.NoError(t, err, "it counts once")
		require.Equal(t, first, again)
	}
	require.Equal(t, [2]int64{0, 30}, balance(t, s, "anna"))
	dearer := r
	dearer.Credits++
	_, err = s.Reserve(ctx, dearer)
	require.Error(t, err, "not another price")

	settled := charge(t, s, "one")
	_, err = s.AddCredits(ctx, a.ID, 5, service.Change{})
	require.NoError(t, err)
	settled.PaygCredits += 5
	s.Add(time.Hour)
	again, err := s.Settle(ctx, "one", service.Project{Title: "other"}, file("one"))
	require.NoError(t, err)
	require.Equal(t, settled, again)
	f, err := s.File(ctx, "one.mp3")
	require.NoError(t, err)
	require.Equal(t, stored(file("one"), start), f, "as it was stored first")
	_, err = s.Reserve(ctx, r)
	require.Error(t, err, "the id of a call that has ended")

	reserve(t, s, a, "two", 10)
	for range 3 {
		require.NoError(t, s.Refund(ctx, "two", "provider failed"))
	}
	require.Equal(t, [2]int64{0, 35}, balance(t, s, "anna"))
}

func testRefundTwice(t *testing.T, s *store) {
	ctx := t.Context()
	a := signIn(t, s, "anna")
	require.NoError(t, s.Refund(ctx, "unknown", "provider failed"))
	reserve(t, s, a, "one", 10)
	require.Equal(t, map[string]int{"": 10}, together(10, func(int) error {
		return s.Refund(ctx, "one", "provider failed")
	}))
	require.Equal(t, [2]int64{baseline, 0}, balance(t, s, "anna"))
}

// testRefundAfterPlanChange refunds calls whose plan ended meanwhile: its credits are gone, those bought apart come back.
func testRefundAfterPlanChange(t *testing.T, s *store) {
	ctx := t.Context()
	changes := map[string]func(subject string) error{
		"renewed": func(subject string) error {
			_, err := s.SetPlan(ctx, id(t, s, subject), service.Pro, baseline, 1, service.Change{})
			return err
		},
		"expired": func(subject string) error {
			s.Add(24 * time.Hour)
			_, reset, err := s.ResetExpired(ctx, id(t, s, subject), baseline)
			require.True(t, reset)
			return err
		},
	}
	for name, change := range changes {
		a := signIn(t, s, name)
		_, err := s.SetPlan(ctx, a.ID, service.Pro, 100, 1, service.Change{})
		require.NoError(t, err)
		_, err = s.AddCredits(ctx, a.ID, 50, service.Change{})
		require.NoError(t, err)
		reserve(t, s, a, name, 120)
		require.NoError(t, change(name))
		require.Equal(t, [2]int64{baseline, 30}, balance(t, s, name))
		require.NoError(t, s.Refund(ctx, name, "provider failed"))
		require.Equal(t, [2]int64{baseline, 50}, balance(t, s, name), name)
	}

	a := signIn(t, s, "unchanged")
	reserve(t, s, a, "call", 120)
	_, err := s.AddCredits(ctx, a.ID, 50, service.Change{})
	require.NoError(t, err)
	require.NoError(t, s.Refund(ctx, "call", "provider failed"))
	require.Equal(t, [2]int64{baseline, 50}, balance(t, s, "unchanged"))
}
