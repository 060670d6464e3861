package storetest

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
)

func testUsage(t *testing.T, s *store) {
	ctx := t.Context()
	a, bob := signIn(t, s, "anna"), signIn(t, s, "bob")
	list, next, err := s.Usage(ctx, a.ID, "", 10)
	require.NoError(t, err)
	require.Empty(t, list)
	require.Empty(t, next)

	reserve(t, s, a, "charged", 11)
	charge(t, s, "charged")
	s.Add(time.Second)
	reserve(t, s, a, "refunded", 12)
	require.NoError(t, s.Refund(ctx, "refunded", "provider failed"))
	reserve(t, s, bob, "other", 9)
	s.Add(time.Second)
	reserve(t, s, a, "held", 13)

	list, next, err = s.Usage(ctx, a.ID, "", 10)
	require.NoError(t, err)
	require.Empty(t, next)
	call := service.Usage{Kind: "synthesize", Provider: service.ProviderA, Model: service.ModelV3, Characters: 7}
	held, refunded, charged := call, call, call
	held.ID, held.At, held.Credits, held.Status = "held", start.Add(2*time.Second), 13, "held"
	refunded.ID, refunded.At, refunded.Status = "refunded", start.Add(time.Second), "refunded"
	charged.ID, charged.At, charged.Credits, charged.Status = "charged", start, 11, "charged"
	charged.Title, charged.Voice, charged.Seconds = "title of charged", "voice", 1.5
	charged.File = "charged.mp3"
	require.Equal(t, []service.Usage{held, refunded, charged}, list)

	require.NoError(t, s.Removed(ctx, []string{"charged.mp3"}))
	list, _, err = s.Usage(ctx, a.ID, "", 10)
	require.NoError(t, err)
	charged.File = ""
	require.Equal(t, []service.Usage{held, refunded, charged}, list)
}

// usageIDs reads all pages from a cursor on.
func usageIDs(t *testing.T, s *store, account int64, cursor string, limit int) []string {
	t.Helper()
	var ids []string
	for {
		page, next, err := s.Usage(t.Context(), account, cursor, limit)
		require.NoError(t, err)
		require.LessOrEqual(t, len(page), limit)
		for _, u := range page {
			ids = append(ids, u.ID)
		}
		if next == "" {
			return ids
		}
		require.Len(t, page, limit)
		cursor = next
	}
}

func testUsageWhileCallsArrive(t *testing.T, s *store) {
	a := signIn(t, s, "anna")
	call := func(i int) {
		id := fmt.Sprint(i)
		s.Set(start.Add(time.Duration(i) * time.Hour))
		reserve(t, s, a, id, 1)
		charge(t, s, id)
	}
	for i := range 10 {
		call(i)
	}
	want := []string{"9", "8", "7", "6", "5", "4", "3", "2", "1", "0"}
	for _, limit := range []int{1, 3, 5, 10, 100} {
		require.Equal(t, want, usageIDs(t, s, a.ID, "", limit), limit)
	}
	page, next, err := s.Usage(t.Context(), a.ID, "", 4)
	require.NoError(t, err)
	require.Len(t, page, 4)
	call(10)
	require.Equal(t, want[4:], usageIDs(t, s, a.ID, next, 4), "a new call does not move the pages")
}

func testUsageCursors(t *testing.T, s *store) {
	a := signIn(t, s, "anna")
	for _, cursor := range []string{"?", "-1", "0", " 1", "1 ", "ZZ", "99999999999999999999", "1;DROP TABLE calls", "\x00"} {
		_, _, err := s.Usage(t.Context(), a.ID, cursor, 10)
		require.Equal(t, http.StatusBadRequest, service.StatusOf(err), "%q", cursor)
	}
}

func testFileIndex(t *testing.T, s *store) {
	ctx := t.Context()
	a := signIn(t, s, "anna")
	for i := range 4 {
		id := fmt.Sprint("f", i)
		reserve(t, s, a, id, 1)
		s.Set(start.Add(time.Duration(i) * time.Hour))
		charge(t, s, id)
	}
	_, err := s.File(ctx, "unknown.mp3")
	require.ErrorIs(t, err, service.ErrNotFound)
	expired := func(limit int) []string {
		names, err := s.Expired(ctx, limit)
		require.NoError(t, err)
		return names
	}
	end := start.Add(service.FileRetention)
	s.Set(end.Add(-time.Millisecond))
	require.Empty(t, expired(10))
	_, err = s.File(ctx, "f0.mp3")
	require.NoError(t, err)
	s.Set(end)
	require.Equal(t, []string{"f0.mp3"}, expired(10))
	s.Set(end.Add(5 * time.Hour))
	require.Equal(t, []string{"f0.mp3", "f1.mp3"}, expired(2))
	require.NoError(t, s.Removed(ctx, []string{"f0.mp3", "f2.mp3", "unknown.mp3"}))
	require.Equal(t, []string{"f1.mp3", "f3.mp3"}, expired(10))
	f, err := s.File(ctx, "f0.mp3")
	require.ErrorIs(t, err, service.ErrExpired)
	require.Equal(t, end, f.ExpiresAt, "the entry stays")

	found, err := s.Indexed(ctx, []string{"f0.mp3", "stray.mp3", "f3.mp3", "'", ""})
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"f0.mp3", "f3.mp3"}, found)
	found, err = s.Indexed(ctx, nil)
	require.NoError(t, err)
	require.Empty(t, found)
}
