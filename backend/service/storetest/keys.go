package storetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
)

func testKeys(t *testing.T, s service.Store) {
	ctx := t.Context()
	anna, bob := signIn(t, s, "anna"), signIn(t, s, "bob")
	var want []service.Key
	for i := range 3 {
		k := service.Key{ID: fmt.Sprint("key-", i), Prefix: "svc_sk_abcde", Name: fmt.Sprint("name ", i), CreatedAt: start}
		require.NoError(t, s.CreateKey(ctx, anna.ID, k, service.KeyHash{byte(i)}, 10))
		want = append([]service.Key{k}, want...)
	}
	have, err := s.Keys(ctx, anna.ID)
	require.NoError(t, err)
	require.Equal(t, want, have, "newest first")
	have, err = s.Keys(ctx, bob.ID)
	require.NoError(t, err)
	require.Empty(t, have)

	require.ErrorIs(t, s.RevokeKey(ctx, bob.ID, "key-0", at(start)), service.ErrNotFound, "of another account")
	require.ErrorIs(t, s.RevokeKey(ctx, anna.ID, "key-9", at(start)), service.ErrNotFound)
	require.NoError(t, s.RevokeKey(ctx, anna.ID, "key-1", at(start.Add(time.Second))))
	require.NoError(t, s.RevokeKey(ctx, anna.ID, "key-1", at(start.Add(time.Hour))))
	want[1].RevokedAt = start.Add(time.Second)
	have, err = s.Keys(ctx, anna.ID)
	require.NoError(t, err)
	require.Equal(t, want, have, "a key that is revoked already stays as it is")
	a, err := s.Account(ctx, "anna")
	require.NoError(t, err)
	require.Equal(t, 2, a.ActiveKeys)
}

func testKeyCaller(t *testing.T, s service.Store) {
	ctx := t.Context()
	a := signIn(t, s, "anna")
	a.ActiveKeys = 1
	hash := service.KeyHash{1, 2, 3}
	_, _, err := s.KeyCaller(ctx, hash, start)
	require.ErrorIs(t, err, service.ErrNotFound)
	k := service.Key{ID: "k", Prefix: "svc_sk_abcde", CreatedAt: start}
	require.NoError(t, s.CreateKey(ctx, a.ID, k, hash, 10))

	for _, c := range []struct{ at, want time.Duration }{
		{0, 0}, {time.Second, 0}, {59 * time.Second, 0}, {time.Minute, time.Minute}, {90 * time.Second, time.Minute},
	} {
		now := start.Add(c.at)
		account, key, err := s.KeyCaller(ctx, hash, now)
		require.NoError(t, err)
		require.Equal(t, a, account)
		require.Equal(t, "k", key.ID)
		require.Equal(t, start.Add(c.want), key.LastUsedAt, "written at most once a minute")
		keys, err := s.Keys(ctx, a.ID)
		require.NoError(t, err)
		require.Equal(t, start.Add(c.want), keys[0].LastUsedAt)
	}
	require.NoError(t, s.RevokeKey(ctx, a.ID, "k", at(start)))
	_, _, err = s.KeyCaller(ctx, hash, start.Add(2*time.Minute))
	require.ErrorIs(t, err, service.ErrNotFound, "a revoked key is dead at once")
}

func testKeyLimit(t *testing.T, s service.Store) {
	ctx := t.Context()
	a := signIn(t, s, "anna")
	create := func(i int) error {
		k := service.Key{ID: fmt.Sprint("key-", i), CreatedAt: start}
		return s.CreateKey(ctx, a.ID, k, service.KeyHash{byte(i)}, service.MaxActiveKeys)
	}
	require.Equal(t, map[string]int{"": 10, service.ErrKeyLimit.Error(): 10}, together(20, create))
	keys, err := s.Keys(ctx, a.ID)
	require.NoError(t, err)
	require.Len(t, keys, service.MaxActiveKeys)

	require.NoError(t, s.RevokeKey(ctx, a.ID, keys[3].ID, at(start)))
	require.NoError(t, create(100), "a revoked key does not count")
	require.ErrorIs(t, create(101), service.ErrKeyLimit)
}

func testFavourites(t *testing.T, s service.Store) {
	ctx := t.Context()
	anna, bob := signIn(t, s, "anna"), signIn(t, s, "bob")
	for _, c := range []struct {
		voice string
		added bool
		list  []string
	}{
		{"b", true, []string{"b"}},
		{"a", true, []string{"b", "a"}},
		{"c", true, []string{"b", "a", "c"}},
		{"b", false, []string{"a", "c"}},
		{"b", true, []string{"a", "c", "b"}},
		{"c", false, []string{"a", "b"}},
	} {
		added, err := s.ToggleFavourite(ctx, anna.ID, c.voice, start)
		require.NoError(t, err)
		require.Equal(t, c.added, added)
		list, err := s.Favourites(ctx, anna.ID)
		require.NoError(t, err)
		require.Equal(t, c.list, list)
	}
	list, err := s.Favourites(ctx, bob.ID)
	require.NoError(t, err)
	require.Empty(t, list)
	require.Equal(t, map[string]int{"": 20}, together(20, func(int) error {
		_, err := s.ToggleFavourite(ctx, bob.ID, "x", start)
		return err
	}))
	list, err = s.Favourites(ctx, bob.ID)
	require.NoError(t, err)
	require.Empty(t, list, "an even number of toggles changes nothing")
}
