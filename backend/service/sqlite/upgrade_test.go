package sqlite_test

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"testing"

	"github.com/pressly/goose/v3"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
)

// stored makes a database of an older schema, with the rows that the statements insert, and returns its path.
func stored(t *testing.T, version int64, statements ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "service.db")
	db, err := sql.Open("sqlite", path+"?_pragma=foreign_keys(1)")
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	provider, err := goose.NewProvider(goose.DialectSQLite3, db, os.DirFS("migrations"), goose.WithDisableGlobalRegistry(true))
	require.NoError(t, err)
	_, err = provider.UpTo(context.Background(), version)
	require.NoError(t, err)
	for _, statement := range statements {
		_, err := db.ExecContext(t.Context(), statement)
		require.NoError(t, err, statement)
	}
	return path
}

// TestUpgradeOfAccounts opens a database from before accounts were made in advance: users, keys, credits and calls are as they
// were, and a deleted account stays deleted.
func TestUpgradeOfAccounts(t *testing.T) {
	ctx := t.Context()
	path := stored(t, 1,
		`INSERT INTO accounts (id, subject, email, plan, plan_expires, created_at) VALUES
			(1, 'anna', 'Anna@example.com', 'pro', 1790000060000, 1790000000000), (2, NULL, '', 'free', 0, 1790000000000),
			(3, 'bob', '', 'free', 0, 1790000000000)`,
		`INSERT INTO keys (hash, id, account, prefix, name, created_at) VALUES (x'01', 'k', 1, 'svc_sk_abcde', 'laptop', 1790000000000)`,
		`INSERT INTO calls (seq, id, account, instance, status, kind, provider, model, characters, plan_credits, payg_credits, plan_number, at)
			VALUES (1, 'call', 1, 'p', 'held', 'synthesize', 'ProviderC', 'providerC-neural2', 5, 40, 0, 1, 1790000000000)`,
		`INSERT INTO ledger (at, account, call, reason, plan, payg, held, granted, spent, expired) VALUES
			(1790000000000, 1, NULL, 'sign-in', 100, 0, 0, -100, 0, 0), (1790000000000, 1, NULL, 'payg', 0, 7, 0, -7, 0, 0),
			(1790000000000, 1, 1, 'reserve', -40, 0, 40, 0, 0, 0)`)
	db := openAt(t, path)
	require.NoError(t, db.Check(ctx))
	a, err := db.Account(ctx, "anna")
	require.NoError(t, err)
	require.Equal(t, service.Account{
		ID: 1, Subject: "anna", Email: "Anna@example.com", Plan: service.Pro, PlanExpires: start.Add(60_000_000_000), PlanCredits: 60,
		PaygCredits: 7, CreatedAt: start, ActiveKeys: 1,
	}, a)
	list, err := db.Accounts(ctx, 0, 10)
	require.NoError(t, err)
	require.Len(t, list, 2)
	found, err := db.AccountsByEmail(ctx, "anna@EXAMPLE.com")
	require.NoError(t, err)
	require.Equal(t, []service.Account{a}, found)
	require.NoError(t, db.Refund(ctx, "call", "repair", start))
	entries, err := db.Entries(ctx, 1, 1<<40, 10)
	require.NoError(t, err)
	require.Len(t, entries, 4)
	for _, statement := range []string{
		`UPDATE ledger SET plan = plan + 1, granted = granted - 1`, `UPDATE ledger SET note = 'later'`, `UPDATE ledger SET actor = 'eve'`,
		`UPDATE ledger SET at = 1`, `DELETE FROM ledger`,
	} {
		require.ErrorContains(t, db.Exec(ctx, statement), "never", statement)
	}
	require.NoError(t, db.Exec(ctx, `UPDATE ledger SET note = ''`))
}
