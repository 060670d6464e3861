package sqlite_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/sqlite"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// openAt opens a store until the end of the test.
func openAt(t testing.TB, path string) *sqlite.DB {
	t.Helper()
	db, err := sqlite.Open(context.Background(), sqlite.Options{Path: path})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return db
}

// open returns an empty store in a folder of the test.
func open(t testing.TB) *sqlite.DB {
	t.Helper()
	return openAt(t, filepath.Join(t.TempDir(), "service.db"))
}

func TestStoreKeepsWhatItWasGiven(t *testing.T) {
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "service.db")
	db, err := sqlite.Open(ctx, sqlite.Options{Path: path})
	require.NoError(t, err)
	now := time.UnixMilli(1790000000000).UTC()
	a, err := db.SignIn(ctx, "anna", "anna@example.com", 10_000, now)
	require.NoError(t, err)
	_, err = db.Reserve(ctx, service.Reserve{
		ID: "one", Account: a.ID, Instance: "p", Credits: 2100, RateLimit: 30, Kind: "synthesize",
		Provider: service.ProviderC, Model: "m", Characters: 1000, Now: now,
	})
	require.NoError(t, err)
	b, err := db.Settle(ctx, "one", service.Project{Title: "t", Voice: "v"}, service.File{Name: "f.mp3", ExpiresAt: now}, now)
	require.NoError(t, err)
	require.EqualValues(t, 7900, b.Credits())
	require.NoError(t, db.Check(ctx))
	require.NoError(t, db.Ping(ctx))
	require.NoError(t, db.Close())

	db = openAt(t, path)
	c, err := db.Account(ctx, "anna")
	require.NoError(t, err)
	require.Equal(t, b, c)
}
