package storetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
)

func testKeys(t *testing.T, s *store) {
	ctx := t.Context()
	anna, bob := signIn(t, s, "anna"), signIn(t, s, "bob")
	var want []service.Key
	for i := range 3 {
		k := service.NewKey{ID: fmt.Sprint("key-", i), Prefix: "svc_sk_abcde", Name: fmt.Sprint("name ", i), Hash: service.KeyHash{byte(i)}}
		made, err := s.CreateKey(ctx, anna.ID, k, 10)
		require.NoError(t, err)
		require.Equal(t, service.Key{ID: k.ID, Prefix: k.Prefix, Name: k.Name, CreatedAt: start}, made)
		want = append([]service.Key{made}, want...)
	}
	have, err := s.Keys(ctx, anna.ID)
	require.NoError(t, err)
	require.Equal(t, want, have, "newest first")
	have, err = s.Keys(ctx, bob.ID)
	require.NoError(t, err)
	require.Empty(t, have)

	require.ErrorIs(t, s.RevokeKey(ctx, bob.ID, "key-0", service.Change{}), service.ErrNotFound, "of another account")
	require.ErrorIs(t, s.RevokeKey(ctx, anna.ID, "key-9", service.Change{}), service.ErrNotFound)
	s.Add(time.Second)
	require.NoError(t, s.RevokeKey(ctx, anna.ID, "key-1", service.Change{}))
	s.Add(time.Hour)
	require.NoError(t, s.RevokeKey(ctx, anna.ID, "key-1", service.Change{}))
	want[1].RevokedAt = start.Add(time.Second)
	have, err = s.Keys(ctx, anna.ID)
	require.NoError(t, err)
	require.Equal(t, want, have, "a key that is revoked already stays as it is")
	a, err := s.Account(ctx, "anna")
	require.NoError(t, err)
	require.Equal(t, 2, a.ActiveKeys)
}

func testKeyCaller(t *testing.T, s *store) {
	ctx := t.Context()
	a := signIn(t, s, "anna")
	a.ActiveKeys = 1
	hash := service.KeyHash{1, 2, 3}
	_, _, err := s.KeyCaller(ctx, hash)
	require.ErrorIs(t, err, service.ErrNotFound)
	_, err = s.CreateKey(ctx, a.ID, service.NewKey{ID: "k", Prefix: "svc_sk_abcde", Hash: hash}, 10)
	require.NoError(t, err)

	for _, c := range []struct{ at, want time.Duration }{
		{0, 0}, {time.Second, 0}, {59 * time.Second, 0}, {time.Minute, time.Minute}, {90 * time.Second, time.Minute},
	} {
		s.Set(start.Add(c.at))
		account, key, err := s.KeyCaller(ctx, hash)
		require.NoError(t, err)
		require.Equal(t, a, account)
		require.Equal(t, "k", key.ID)
		require.Equal(t, start.Add(c.want), key.LastUsedAt, "written at most once a minute")
		keys, err := s.Keys(ctx, a.ID)
		require.NoError(t, err)
		require.Equal(t, start.Add(c.want), keys[0].LastUsedAt)
	}
	require.NoError(t, s.RevokeKey(ctx, a.ID, "k", service.Change{}))
	_, _, err = s.KeyCaller(ctx, hash)
	require.ErrorIs(t, err, service.ErrNotFound, "a revoked key is dead at once")
}

// key returns a new key that differs from others by a number up to 255.
func key(i int) service.NewKey {
	return service.NewKey{ID: fmt.Sprint("key-", i), Hash: service.KeyHash{byte(i)}}
}

func testKeyLimit(t *testing.T, s *store) {
	ctx := t.Context()
	a := signIn(t, s, "anna")
	create := func(i int) error {
		_, err := s.CreateKey(ctx, a.ID, key(i), service.MaxActiveKeys)
		return err
	}
	require.Equal(t, map[string]int{"": 10, service.ErrKeyLimit.Error(): 10}, together(20, create))
	keys, err := s.Keys(ctx, a.ID)
	require.NoError(t, err)
	require.Len(t, keys, service.MaxActiveKeys)

	require.NoError(t, s.RevokeKey(ctx, a.ID, keys[3].ID, service.Change{}))
	require.NoError(t, create(100), "a revoked key does not count")
	require.ErrorIs(t, create(101), service.ErrKeyLimit)
}

func testFavourites(t *testing.T, s *store) {
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
		added, err := s.ToggleFavourite(ctx, anna.ID, c.voice)
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
		_, err := s.ToggleFavourite(ctx, bob.ID, "x")
		return err
	}))
	list, err = s.Favourites(ctx, bob.ID)
	require.NoError(t, err)
	require.Empty(t, list, "an even number of toggles changes nothing")
}
