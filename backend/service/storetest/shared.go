package storetest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
)

// testCancelled calls with a context that has ended: nothing changes.
func testCancelled(t *testing.T, s *store) {
	a := signIn(t, s, "anna")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := s.Reserve(ctx, request(a, "one", 1))
	require.ErrorIs(t, err, context.Canceled)
	_, err = s.Account(ctx, "anna")
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorIs(t, s.Refund(ctx, "one", ""), context.Canceled)
	require.Equal(t, [2]int64{baseline, 0}, balance(t, s, "anna"))
	reserve(t, s, a, "one", 1)
}

func testSharedLimits(t *testing.T, a, b *store) {
	ctx := t.Context()
	account := signIn(t, a, "anna")
	both := []*store{a, b}
	require.Equal(t, map[string]int{"": 1, service.ErrDuplicate.Error(): 9, service.ErrRateLimited.Error(): 10},
		together(20, func(i int) error {
			r := request(account, fmt.Sprint(i), 1)
			r.RateLimit = 10
			_, err := both[i%2].Reserve(ctx, r)
			return err
		}))
	require.Equal(t, map[string]int{service.ErrRateLimited.Error(): 20}, together(20, func(i int) error {
		return both[i%2].CountCall(ctx, account.ID, 10)
	}))
}

func testSharedKeys(t *testing.T, a, b *store) {
	ctx := t.Context()
	account := signIn(t, a, "anna")
	both := []*store{a, b}
	require.Equal(t, map[string]int{"": 10, service.ErrKeyLimit.Error(): 10}, together(20, func(i int) error {
		_, err := both[i%2].CreateKey(ctx, account.ID, key(i), 10)
		return err
	}))
	keys, err := b.Keys(ctx, account.ID)
	require.NoError(t, err)
	require.Len(t, keys, 10)
	hash := func(k service.Key) (h service.KeyHash) {
		_, err := fmt.Sscanf(k.ID, "key-%d", &h[0])
		require.NoError(t, err)
		return h
	}
	_, _, err = b.KeyCaller(ctx, hash(keys[0]))
	require.NoError(t, err)
	require.NoError(t, a.RevokeKey(ctx, account.ID, keys[0].ID, service.Change{}))
	_, _, err = b.KeyCaller(ctx, hash(keys[0]))
	require.ErrorIs(t, err, service.ErrNotFound, "dead in every process at once")
}

func testSharedRepair(t *testing.T, a, b *store) {
	ctx := t.Context()
	anna, bob := signIn(t, a, "anna"), signIn(t, a, "bob")
	require.NoError(t, a.Heartbeat(ctx, "a"))
	require.NoError(t, b.Heartbeat(ctx, "b"))
	for i, account := range []service.Account{anna, bob} {
		r := request(account, account.Subject, 1)
		r.Instance = []string{"a", "b"}[i]
		_, err := []*store{a, b}[i].Reserve(ctx, r)
		require.NoError(t, err)
	}
	b.live(t, b.deadAfter+time.Millisecond, "b")
	n, err := b.Repair(ctx, "b")
	require.NoError(t, err)
	require.Equal(t, 1, n, "b refunds what a left")
	reserve(t, b, anna, "next", 1)
	charge(t, b, "bob")
}

func testSharedCredits(t *testing.T, a, b *store) {
	ctx := t.Context()
	both := []*store{a, b}
	accounts := make([]service.Account, 8)
	for i := range accounts {
		accounts[i] = signIn(t, both[i%2], fmt.Sprint("user-", i))
	}
	require.Equal(t, map[string]int{"": 8}, together(8, func(i int) error {
		for n := range 20 {
			r := request(accounts[i], fmt.Sprintf("%d-%d", i, n), 10)
			if _, err := both[n%2].Reserve(ctx, r); err != nil {
				return err
			}
			if _, err := both[(n+1)%2].Settle(ctx, r.ID, service.Project{}, file(r.ID)); err != nil {
				return err
			}
		}
		return nil
	}))
	for i := range accounts {
		require.Equal(t, [2]int64{baseline - 200, 0}, balance(t, a, fmt.Sprint("user-", i)))
	}
}
