package storetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
)

// Upgraded requires that a store that was upgraded with the rows of testdata/schema knows its users, and goes on with their calls. keyed is
// whether it had Idempotency-Keys. Its time is 1790000000 seconds.
func Upgraded(t *testing.T, db service.Store, keyed bool) {
	t.Helper()
	ctx := t.Context()
	a, key, err := db.KeyCaller(ctx, service.KeyHash(equal(1)))
	require.NoError(t, err)
	require.Equal(t, []string{"anna", "Änna@example.com", "Ännas Gerät"}, []string{a.Subject, a.Email, key.Name})
	spent := int64(0)
	if keyed {
		spent = 8
	}
	require.Equal(t, []int64{947 - spent, 75}, []int64{a.PlanCredits, a.PaygCredits})
	for _, hash := range []byte{2, 3} {
		_, _, err := db.KeyCaller(ctx, service.KeyHash(equal(hash)))
		require.ErrorIs(t, err, service.ErrNotFound, "a key that was revoked")
	}
	voices, err := db.Favourites(ctx, a.ID)
	require.NoError(t, err)
	require.Equal(t, []string{"voice-one"}, voices)
	earlier, err := db.Earlier(ctx, a.ID, equal(9))
	if !keyed {
		require.ErrorIs(t, err, service.ErrNotFound)
	} else {
		require.NoError(t, err)
		require.Equal(t, service.Earlier{Request: equal(8), File: "once.mp3", RemainingCredits: 1003}, earlier)
	}
	usage, _, err := db.Usage(ctx, a.ID, "", 10)
	require.NoError(t, err)
	require.Equal(t, []string{"Schöne Grüße 📚", "charged.mp3"}, []string{usage[len(usage)-1].Title, usage[len(usage)-1].File})

	require.NoError(t, db.Refund(ctx, "held", "repair"))
	_, err = db.Reserve(ctx, service.Reserve{
		ID: "new", Account: a.ID, Instance: "p", Credits: 100, RateLimit: service.CallsPerMinute, Kind: "synthesize",
		Provider: service.ProviderC, Model: "providerC-neural2", Characters: 250, Idempotency: &service.Idempotency{Key: equal(5)},
	})
	require.NoError(t, err)
	_, err = db.Settle(ctx, "new", service.Project{}, service.NewFile{Name: "new.mp3"})
	require.NoError(t, err)
	again, err := db.Account(ctx, "anna")
	require.NoError(t, err)
	require.Equal(t, a.Credits()+13-100, again.Credits())
	require.NoError(t, db.Check(ctx))
}

// equal returns a hash of equal bytes.
func equal(b byte) (hash [32]byte) {
	for i := range hash {
		hash[i] = b
	}
	return hash
}
