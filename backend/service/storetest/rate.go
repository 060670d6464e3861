package storetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
)

func testRateWindow(t *testing.T, s *store) {
	ctx := t.Context()
	a := signIn(t, s, "anna")
	count := func(at time.Duration) error {
		s.Set(start.Add(at))
		return s.CountCall(ctx, a.ID, 3)
	}
	require.NoError(t, count(0))
	require.NoError(t, count(0))
	require.NoError(t, count(10*time.Second))
	for range 3 {
		require.Equal(t, 50*time.Second, rateError(t, count(10*time.Second)), "a refused call does not count")
	}
	require.Equal(t, time.Microsecond, rateError(t, count(time.Minute-time.Microsecond)))
	require.NoError(t, count(time.Minute), "the first two have left")
	require.NoError(t, count(time.Minute))
	require.Equal(t, 10*time.Second, rateError(t, count(time.Minute)))
	require.Equal(t, time.Microsecond, rateError(t, count(70*time.Second-time.Microsecond)))
	require.NoError(t, count(70*time.Second))

	require.Equal(t, 50*time.Second, rateError(t, s.CountCall(ctx, a.ID, 2)),
		"with a lower limit two calls have to leave")
	require.NoError(t, s.CountCall(ctx, a.ID, 4))
	require.NoError(t, count(time.Hour))
}

// testRateCountsEveryCall counts enhance and synthesis together, and those that fail after the count.
func testRateCountsEveryCall(t *testing.T, s *store) {
	ctx := t.Context()
	a := signIn(t, s, "anna")
	for range 20 {
		require.NoError(t, s.CountCall(ctx, a.ID, service.CallsPerMinute))
	}
	reserve(t, s, a, "held", 1)
	for i := range 4 {
		_, err := s.Reserve(ctx, request(a, fmt.Sprint("duplicate-", i), 1))
		require.ErrorIs(t, err, service.ErrDuplicate)
	}
	charge(t, s, "held")
	for i := range 5 {
		_, err := s.Reserve(ctx, request(a, fmt.Sprint("poor-", i), 2*baseline))
		require.ErrorIs(t, err, service.ErrNoCredits)
	}
	s.Add(time.Second)
	_, err := s.Reserve(ctx, request(a, "over", 1))
	require.Equal(t, 59*time.Second, rateError(t, err), "20 + 1 + 4 + 5 calls")
	s.Set(start)
	require.Equal(t, time.Minute, rateError(t, s.CountCall(ctx, a.ID, service.CallsPerMinute)))
}

func testRateIsPerAccount(t *testing.T, s *store) {
	ctx := t.Context()
	anna, bob := signIn(t, s, "anna"), signIn(t, s, "bob")
	require.NoError(t, s.CountCall(ctx, anna.ID, 1))
	require.NoError(t, s.CountCall(ctx, bob.ID, 1))
	rateError(t, s.CountCall(ctx, anna.ID, 1))
	require.ErrorIs(t, s.CountCall(ctx, 999, 1), service.ErrNotFound)
}

func testConcurrentCalls(t *testing.T, s *store) {
	a := signIn(t, s, "anna")
	require.Equal(t, map[string]int{"": 30, service.ErrRateLimited.Error(): 30}, together(60, func(int) error {
		return s.CountCall(t.Context(), a.ID, service.CallsPerMinute)
	}))
}

func testClockGoesBack(t *testing.T, s *store) {
	ctx := t.Context()
	a := signIn(t, s, "anna")
	for range 2 {
		require.NoError(t, s.CountCall(ctx, a.ID, 2))
	}
	s.Set(start.Add(-time.Hour))
	require.Equal(t, time.Minute, rateError(t, s.CountCall(ctx, a.ID, 2)), "the limit holds, for a minute at most")
	s.Add(30 * time.Second)
	require.Equal(t, 30*time.Second, rateError(t, s.CountCall(ctx, a.ID, 2)))
	s.Add(30 * time.Second)
	require.NoError(t, s.CountCall(ctx, a.ID, 2))
	require.NoError(t, s.CountCall(ctx, a.ID, 2))
	rateError(t, s.CountCall(ctx, a.ID, 2))
}

// testClockGoesBackALittle covers calls that overtake each other, too.
func testClockGoesBackALittle(t *testing.T, s *store) {
	ctx := t.Context()
	a := signIn(t, s, "anna")
	require.NoError(t, s.CountCall(ctx, a.ID, 1))
	s.Set(start.Add(-2 * time.Second))
	wait := rateError(t, s.CountCall(ctx, a.ID, 1))
	require.Equal(t, 62*time.Second, wait)
	s.Add(wait)
	require.NoError(t, s.CountCall(ctx, a.ID, 1))
}
