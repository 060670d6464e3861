package sqlite_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/pressly/goose/v3"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/sqlite"
	"github.com/voicewright/voicewright/backend/service/storetest"
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
		ID: 1, Subject: "anna", Email: "Anna@example.com", Plan: service.Pro, ActivePlan: service.Pro,
		PlanExpires: start.Add(60_000_000_000), PlanCredits: 60, PaygCredits: 7, CreatedAt: start, ActiveKeys: 1,
	}, a)
	list, err := db.Accounts(ctx, 0, 10)
	require.NoError(t, err)
	require.Len(t, list, 2)
	found, err := db.AccountsByEmail(ctx, "anna@EXAMPLE.com")
	require.NoError(t, err)
	require.Equal(t, []service.Account{a}, found)
	require.NoError(t, db.Refund(ctx, "call", "repair"))
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

// TestUpgradeToIdempotencyKeys opens a database from before them: it keeps its accounts, calls and files, and a call that ran is repaired as before.
func TestUpgradeToIdempotencyKeys(t *testing.T) {
	ctx := t.Context()
	day := fmt.Sprint(start.UnixMilli())
	clock := storetest.NewClock()
	db := openWith(t, sqlite.Options{Now: clock.Now, Path: stored(t, 2,
		`INSERT INTO accounts (id, subject, email, plan, created_at) VALUES (1, 'anna', 'anna@example.com', 'free', `+day+`)`,
		`INSERT INTO calls (seq, id, account, instance, status, kind, provider, model, characters, plan_credits, payg_credits,
			plan_number, at, title, voice, seconds) VALUES
			(1, 'done', 1, 'gone', 'charged', 'synthesize', 'ProviderC', 'providerC-neural2', 5, 2, 0, 1, `+day+`, 'Greeting', 'voice', 1.5),
			(2, 'runs', 1, 'gone', 'held', 'dialogue', 'ProviderA', 'providerA-v3', 5, 11, 0, 1, `+day+`, '', '', 0)`,
		`INSERT INTO files VALUES (1, 'done.mp3', 'mp3_44100_128', 1000, `+day+`, `+day+` + 86400000, 0)`,
		`INSERT INTO ledger (at, account, call, reason, plan, payg, held, granted, spent, expired) VALUES
			(1, 1, NULL, 'baseline', 10000, 0, 0, -10000, 0, 0), (2, 1, 1, 'reserve', -2, 0, 2, 0, 0, 0),
			(3, 1, 1, 'charge', 0, 0, -2, 0, 2, 0), (4, 1, 2, 'reserve', -11, 0, 11, 0, 0, 0)`,
	)})
	require.NoError(t, db.Check(ctx))
	a, err := db.Account(ctx, "anna")
	require.NoError(t, err)
	require.EqualValues(t, 9987, a.Credits())
	usage, _, err := db.Usage(ctx, a.ID, "", 10)
	require.NoError(t, err)
	require.Len(t, usage, 2)
	require.Equal(t, "done.mp3", usage[1].File)
	require.Equal(t, "Greeting", usage[1].Title)
	_, err = db.Earlier(ctx, a.ID, [32]byte{})
	require.ErrorIs(t, err, service.ErrNotFound)

	require.Equal(t, 1, storetest.Repair(t, db, clock, sqlite.DeadAfter))
	r := request(a, "new")
	r.Idempotency = &service.Idempotency{Key: [32]byte{1}}
	_, err = db.Reserve(ctx, r)
	require.NoError(t, err)
	_, err = db.Settle(ctx, "new", service.Project{}, service.NewFile{Name: "new.mp3"})
	require.NoError(t, err)
	e, err := db.Earlier(ctx, a.ID, [32]byte{1})
	require.NoError(t, err)
	require.Equal(t, service.Earlier{File: "new.mp3", RemainingCredits: 9898}, e)
	require.NoError(t, db.Check(ctx))
}

// TestUpgradeForgetsInvitations opens a database from before the address of an invitation was removed when its user took it over.
func TestUpgradeForgetsInvitations(t *testing.T) {
	ctx := t.Context()
	db := openAt(t, stored(t, 3,
		`INSERT INTO accounts (id, subject, email, invited, plan, created_at) VALUES
			(1, 'anna', 'anna@new.example', 'anna@old.example', 'free', 1790000000000),
			(2, NULL, 'bob@example.com', 'bob@example.com', 'free', 1790000000000),
			(3, 'carl', 'carl@example.com', '', 'free', 1790000000000), (4, NULL, '', '', 'free', 1790000000000),
			(5, 'dora', 'dora@example.com', 'dora@example.com', 'free', 1790000000000)`))
	list, err := db.Accounts(ctx, 0, 10)
	require.NoError(t, err)
	var invited []bool
	for _, a := range list {
		invited = append(invited, a.Invited)
	}
	require.Equal(t, []bool{true, true, false, true}, invited)
	requireNowhere(t, db, "anna@old.example")
	in := service.SignIn{Identity: service.Identity{Subject: "bob", Email: "Bob@example.com"}}
	bob, err := db.SignIn(ctx, in)
	require.NoError(t, err)
	require.EqualValues(t, 2, bob.ID, "who waited waits on")
}

// TestUpgradeToRenewals opens a database from before plans renewed themselves: none does, and one that is told to is renewed by the days
// of a purchase.
func TestUpgradeToRenewals(t *testing.T) {
	ctx := t.Context()
	db := openAt(t, stored(t, 5, `INSERT INTO accounts (id, subject, plan, plan_expires, created_at) VALUES
		(1, 'anna', 'pro', 1790000060000, 1790000000000), (2, 'bob', 'free', 0, 1790000000000)`))
	list, err := db.Accounts(ctx, 0, 10)
	require.NoError(t, err)
	for _, a := range list {
		require.Equal(t, []any{time.Time{}, 0, false}, []any{a.RenewsUntil, a.RenewsBy, a.RenewalDue})
	}
	a, err := db.RenewUntil(ctx, 1, start.AddDate(1, 0, 0), 0, service.Change{})
	require.NoError(t, err)
	require.Equal(t, service.PlanDays, a.RenewsBy)
}

// TestTakenInvitations: of the address for which an account was made nothing stays once its user has another one.
func TestTakenInvitations(t *testing.T) {
	ctx := t.Context()
	db := openAt(t, filepath.Join(t.TempDir(), "service.db"))
	for _, name := range []string{"anna", "bob"} {
		_, err := db.CreateAccount(ctx, service.NewAccount{Email: name + "@old.example", Plan: service.Free}, service.Change{})
		require.NoError(t, err)
		for _, domain := range []string{"@old.example", "@new.example"} {
			in := service.SignIn{Identity: service.Identity{Subject: name, Email: name + domain}}
			a, err := db.SignIn(ctx, in)
			require.NoError(t, err)
			require.True(t, a.Invited)
		}
	}
	requireNowhere(t, db, "old.example")
	_, err := db.CreateAccount(ctx, service.NewAccount{Email: "anna@old.example", Plan: service.Free}, service.Change{})
	require.NoError(t, err, "the address is free again")
}

// requireNowhere fails where a column of an account has a text.
func requireNowhere(t *testing.T, db *sqlite.DB, text string) {
	t.Helper()
	require.NoError(t, db.Exec(t.Context(), `CREATE TABLE found (n INTEGER NOT NULL CHECK (n = 0))`))
	require.NoError(t, db.Exec(t.Context(), `INSERT INTO found SELECT count(*) FROM accounts
		WHERE instr(email || ' ' || invited || ' ' || access_groups || ' ' || changed_by, '`+text+`')`), "%s is in an account", text)
}

// TestBackupHasTheTeam backs a database up: who waits, who is in which group and who changed what is there.
func TestBackupHasTheTeam(t *testing.T) {
	ctx := t.Context()
	path, backup := filepath.Join(t.TempDir(), "service.db"), filepath.Join(t.TempDir(), "backup.db")
	db := openAt(t, path)
	in := signingIn("anna", "anna@example.com", 10)
	in.Groups, in.EmailUnverified = []string{"team"}, true
	anna, err := db.SignIn(ctx, in)
	require.NoError(t, err)
	change := service.Change{Actor: "olga", Note: "bill 17"}
	anna, err = db.AddCredits(ctx, anna.ID, 5, change)
	require.NoError(t, err)
	bob, err := db.CreateAccount(ctx, service.NewAccount{Email: "bob@example.com", Plan: service.Free}, change)
	require.NoError(t, err)
	require.NoError(t, sqlite.Backup(ctx, path, backup))

	restored := openAt(t, backup)
	list, err := restored.Accounts(ctx, 0, 10)
	require.NoError(t, err)
	require.Equal(t, []service.Account{anna, bob}, list)
	want, err := db.Entries(ctx, anna.ID, 1<<40, 10)
	require.NoError(t, err)
	entries, err := restored.Entries(ctx, anna.ID, 1<<40, 10)
	require.NoError(t, err)
	require.Equal(t, want, entries)
	require.Equal(t, "bill 17", entries[0].Note)
	taken, err := restored.SignIn(ctx, signingIn("bob", "bob@example.com", 10))
	require.NoError(t, err)
	require.Equal(t, bob.ID, taken.ID)
}

// TestExistingFilesStayAsTheyAre: what may not migrate makes no file, changes none of an older program, and opens one that is migrated.
func TestExistingFilesStayAsTheyAre(t *testing.T) {
	ctx := t.Context()
	open := func(path string) error {
		db, err := sqlite.Open(ctx, sqlite.Options{Path: path, Existing: true})
		if err == nil {
			err = db.Close()
		}
		return err
	}
	missing := filepath.Join(t.TempDir(), "service.db")
	require.Error(t, open(missing))
	require.NoFileExists(t, missing)

	old := stored(t, 3)
	for range 2 {
		err := open(old)
		require.Equal(t, sqlite.CodeNotMigrated, backend.CodeOf(err))
		require.Contains(t, backend.AsError(err).Remedy, "voicewright-service migrate --database sqlite:"+old)
	}
	var version int
	db, err := sql.Open("sqlite", old)
	require.NoError(t, err)
	require.NoError(t, db.QueryRowContext(ctx, `SELECT max(version_id) FROM goose_db_version`).Scan(&version))
	require.NoError(t, db.Close())
	require.Equal(t, 3, version)

	newest, err := filepath.Glob("migrations/*.sql")
	require.NoError(t, err)
	from, to, err := sqlite.Migrate(ctx, sqlite.Options{Path: old})
	require.NoError(t, err)
	require.Equal(t, []int64{3, int64(len(newest))}, []int64{from, to})
	require.NoError(t, open(old))
	for _, want := range []int64{0, int64(len(newest))} { // makes it, then finds nothing to do
		from, to, err := sqlite.Migrate(ctx, sqlite.Options{Path: missing})
		require.NoError(t, err)
		require.Equal(t, []int64{want, int64(len(newest))}, []int64{from, to})
	}
	require.NoError(t, os.WriteFile(missing, []byte("no database at all"), 0o600))
	_, _, err = sqlite.Migrate(ctx, sqlite.Options{Path: missing})
	require.Equal(t, backend.CodeDatabaseCorrupt, backend.CodeOf(err))
}
