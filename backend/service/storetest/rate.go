package storetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
)

func testRateWindow(t *testing.T, s service.Store) {
	ctx := t.Context()
	a := signIn(t, s, "anna")
	count := func(at time.Duration) error { return s.CountCall(ctx, a.ID, 3, start.Add(at)) }
	require.NoError(t, count(0))
	require.NoError(t, count(0))
	require.NoError(t, count(10*time.Second))
	for range 3 {
		require.Equal(t, 50*time.Second, rateError(t, count(10*time.Second)), "a refused call does not count")
	}
	require.Equal(t, time.Nanosecond, rateError(t, count(time.Minute-time.Nanosecond)))
	require.NoError(t, count(time.Minute), "the first two have left")
	require.NoError(t, count(time.Minute))
	require.Equal(t, 10*time.Second, rateError(t, count(time.Minute)))
	require.Equal(t, time.Nanosecond, rateError(t, count(70*time.Second-time.Nanosecond)))
	require.NoError(t, count(70*time.Second))

	require.Equal(t, 50*time.Second, rateError(t, s.CountCall(ctx, a.ID, 2, start.Add(70*time.Second))),
		"with a lower limit two calls have to leave")
	require.NoError(t, s.CountCall(ctx, a.ID, 4, start.Add(70*time.Second)))
	require.NoError(t, count(time.Hour))
}

// testRateCountsEveryCall counts enhance and synthesis together, and those that fail after the count.
func testRateCountsEveryCall(t *testing.T, s service.Store) {
	ctx := t.Context()
	a := signIn(t, s, "anna")
	for range 20 {
		require.NoError(t, s.CountCall(ctx, a.ID, service.CallsPerMinute, start))
	}
	reserve(t, s, a, "held", 1, start)
	for i := range 4 {
		_, err := s.Reserve(ctx, request(a, fmt.Sprint("duplicate-", i), 1, start))
		require.ErrorIs(t, err, service.ErrDuplicate)
	}
	charge(t, s, "held", start)
	for i := range 5 {
		_, err := s.Reserve(ctx, request(a, fmt.Sprint("poor-", i), 2*baseline, start))
		require.ErrorIs(t, err, service.ErrNoCredits)
	}
	_, err := s.Reserve(ctx, request(a, "over", 1, start.Add(time.Second)))
	require.Equal(t, 59*time.Second, rateError(t, err), "20 + 1 + 4 + 5 calls")
	require.Equal(t, time.Minute, rateError(t, s.CountCall(ctx, a.ID, service.CallsPerMinute, start)))
}

func testRateIsPerAccount(t *testing.T, s service.Store) {
	ctx := t.Context()
	anna, bob := signIn(t, s, "anna"), signIn(t, s, "bob")
	require.NoError(t, s.CountCall(ctx, anna.ID, 1, start))
	require.NoError(t, s.CountCall(ctx, bob.ID, 1, start))
	rateError(t, s.CountCall(ctx, anna.ID, 1, start))
	require.ErrorIs(t, s.CountCall(ctx, 999, 1, start), service.ErrNotFound)
}

func testConcurrentCalls(t *testing.T, s service.Store) {
	a := signIn(t, s, "anna")
	require.Equal(t, map[string]int{"": 30, service.ErrRateLimited.Error(): 30}, together(60, func(i int) error {
		return s.CountCall(t.Context(), a.ID, service.CallsPerMinute, start.Add(time.Duration(i)*time.Millisecond))
	}))
}

func testClockGoesBack(t *testing.T, s service.Store) {
	ctx := t.Context()
	a := signIn(t, s, "anna")
	for range 2 {
		require.NoError(t, s.CountCall(ctx, a.ID, 2, start))
	}
	back := start.Add(-time.Hour)
	require.Equal(t, time.Minute, rateError(t, s.CountCall(ctx, a.ID, 2, back)), "the limit holds, for a minute at most")
	require.Equal(t, 30*time.Second, rateError(t, s.CountCall(ctx, a.ID, 2, back.Add(30*time.Second))))
	require.NoError(t, s.CountCall(ctx, a.ID, 2, back.Add(time.Minute)))
	require.NoError(t, s.CountCall(ctx, a.ID, 2, back.Add(time.Minute)))
	rateError(t, s.CountCall(ctx, a.ID, 2, back.Add(time.Minute)))
}

// testClockGoesBackALittle covers calls that overtake each other, too.
func testClockGoesBackALittle(t *testing.T, s service.Store) {
	ctx := t.Context()
	a := signIn(t, s, "anna")
	require.NoError(t, s.CountCall(ctx, a.ID, 1, start))
	wait := rateError(t, s.CountCall(ctx, a.ID, 1, start.Add(-2*time.Second)))
	require.Equal(t, 62*time.Second, wait)
	require.NoError(t, s.CountCall(ctx, a.ID, 1, start.Add(-2*time.Second).Add(wait)))
}
