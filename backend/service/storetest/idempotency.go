package storetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
)

// keyed returns a request for credits with an idempotency key.
func keyed(a service.Account, id string, key, what byte) service.Reserve {
	r := request(a, id, 10)
	r.Idempotency = &service.Idempotency{Key: [32]byte{key}, Request: [32]byte{what}}
	return r
}

func testIdempotencyKeys(t *testing.T, s *store) {
	ctx := t.Context()
	a, bob := signIn(t, s, "anna"), signIn(t, s, "bob")
	_, err := s.Earlier(ctx, a.ID, [32]byte{1})
	require.ErrorIs(t, err, service.ErrNotFound)
	_, err = s.Reserve(ctx, keyed(a, "one", 1, 7))
	require.NoError(t, err)
	e, err := s.Earlier(ctx, a.ID, [32]byte{1})
	require.NoError(t, err)
	require.Equal(t, service.Earlier{Request: [32]byte{7}, Running: true}, e)

	again := keyed(a, "two", 1, 7)
	again.RateLimit = 1
	_, err = s.Reserve(ctx, again)
	require.ErrorIs(t, err, service.ErrKeyUsed, "before the rate")
	_, err = s.Reserve(ctx, keyed(bob, "bob", 1, 7))
	require.NoError(t, err, "keys are of an account")

	charge(t, s, "one")
	e, err = s.Earlier(ctx, a.ID, [32]byte{1})
	require.NoError(t, err)
	require.Equal(t, service.Earlier{Request: [32]byte{7}, File: "one.mp3", RemainingCredits: baseline - 10}, e)
	_, err = s.Reserve(ctx, again)
	require.ErrorIs(t, err, service.ErrKeyUsed)
	require.Equal(t, [2]int64{baseline - 10, 0}, balance(t, s, "anna"))

	s.Add(time.Hour - time.Millisecond)
	require.NoError(t, s.ForgetKeys(ctx, time.Hour))
	_, err = s.Earlier(ctx, a.ID, [32]byte{1})
	require.NoError(t, err)
	s.Add(time.Millisecond)
	require.NoError(t, s.ForgetKeys(ctx, time.Hour))
	_, err = s.Earlier(ctx, a.ID, [32]byte{1})
	require.ErrorIs(t, err, service.ErrNotFound)
	_, err = s.Earlier(ctx, bob.ID, [32]byte{1})
	require.NoError(t, err, "a call that runs keeps its key")
	_, err = s.Reserve(ctx, keyed(a, "three", 1, 8))
	require.NoError(t, err)
}

// testKeysOfRefundedCalls frees a key by each way in which a call ends without a charge.
func testKeysOfRefundedCalls(t *testing.T, s *store) {
	ctx := t.Context()
	for way, refund := range map[string]func(a service.Account) error{
		"refund": func(a service.Account) error { return s.Refund(ctx, a.Subject, "provider failed") },
		"repair": func(service.Account) error {
			repair(t, s)
			return nil
		},
		"delete": func(a service.Account) error {
			_, err := s.DeleteAccount(ctx, a.ID, service.Change{})
			return err
		},
	} {
		a := signIn(t, s, way)
		_, err := s.Reserve(ctx, keyed(a, way, 1, 7))
		require.NoError(t, err)
		require.NoError(t, refund(a), way)
		_, err = s.Earlier(ctx, a.ID, [32]byte{1})
		require.ErrorIs(t, err, service.ErrNotFound, way)
	}
	a := signIn(t, s, "charged")
	_, err := s.Reserve(ctx, keyed(a, "charged", 1, 7))
	require.NoError(t, err)
	charge(t, s, "charged")
	_, err = s.DeleteAccount(ctx, a.ID, service.Change{})
	require.NoError(t, err)
	_, err = s.Earlier(ctx, a.ID, [32]byte{1})
	require.ErrorIs(t, err, service.ErrNotFound, "nothing of a deleted account is repeated")
}

func testOneOfManyRepeats(t *testing.T, s *store) {
	a := signIn(t, s, "anna")
	testRepeats(t, a, []*store{s})
}

func testSharedRepeats(t *testing.T, a, b *store) {
	testRepeats(t, signIn(t, a, "anna"), []*store{a, b})
}

// testRepeats makes equal calls at once: whatever their order, each key is charged once and no repeat is counted.
func testRepeats(t *testing.T, a service.Account, stores []*store) {
	ctx := t.Context()
	for key := range byte(3) {
		require.Equal(t, map[string]int{"": 1, service.ErrKeyUsed.Error(): 19}, together(20, func(i int) error {
			r := keyed(a, fmt.Sprint(key, "-", i), key, 7)
			r.RateLimit = 3
			if _, err := stores[i%len(stores)].Reserve(ctx, r); err != nil {
				return err
			}
			_, err := stores[(i+1)%len(stores)].Settle(ctx, r.ID, service.Project{}, file(r.ID))
			return err
		}))
	}
	require.Equal(t, [2]int64{baseline - 30, 0}, balance(t, stores[0], "anna"))
	rateError(t, stores[0].CountCall(ctx, a.ID, 3))
}
