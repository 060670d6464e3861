package main_test

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/pressly/goose/v3"
	"github.com/stretchr/testify/require"
)

// olderDatabase makes the database of an older program.
func (o *operator) olderDatabase(version int64) {
	o.t.Helper()
	require.NoError(o.t, os.MkdirAll(o.data, 0o700))
	db, err := sql.Open("sqlite", filepath.Join(o.data, "service.db"))
	require.NoError(o.t, err)
	defer func() { require.NoError(o.t, db.Close()) }()
	migrations := os.DirFS(filepath.Join("..", "..", "backend", "service", "sqlite", "migrations"))
	provider, err := goose.NewProvider(goose.DialectSQLite3, db, migrations, goose.WithDisableGlobalRegistry(true))
	require.NoError(o.t, err)
	_, err = provider.UpTo(o.t.Context(), version)
	require.NoError(o.t, err)
}

// TestOnlyMigrateAndRunChangeTheSchema: an older service may be running on it, so the account commands and backups leave it as it is.
func TestOnlyMigrateAndRunChangeTheSchema(t *testing.T) {
	t.Parallel()
	newest, err := filepath.Glob(filepath.Join("..", "..", "backend", "service", "sqlite", "migrations", "*.sql"))
	require.NoError(t, err)
	o := newOperator(t)
	path := filepath.Join(o.data, "service.db")
	for range 2 { // the first one changed nothing
		o.olderDatabase(3)
		for _, args := range [][]string{{"list"}, {"check"}, {"create", "ann@example.org"}, {"export", "ann"}} {
			o.mustFail(exitFailed, []string{"older program", "voicewright-service migrate --database sqlite:" + path}, append([]string{"account"}, args...)...)
		}
		o.mustRun("backup", "old.db", "--replace")
		o.mustFail(exitFailed, []string{"older program", "voicewright-service migrate"},
			"move", "--from", "sqlite:"+path, "--to", "postgres://u@127.0.0.1:1/x")
	}
	require.Equal(t, fmt.Sprintf("Migrated the database %s from schema version 3 to %d.\n", path, len(newest)), o.mustRun("migrate"))
	require.Equal(t, fmt.Sprintf("The database %s is up to date (schema version %d).\n", path, len(newest)), o.mustRun("migrate"))
	o.mustRun("account", "create", "ann@example.org")

	o.mustFail(exitUsage, []string{"does not take"}, "migrate", "now")
	o.mustFail(exitNotFound, []string{"no database"}, "account", "list", "--database", "sqlite:new/a.db")
	require.Equal(t, fmt.Sprintf("Made the database %s (schema version %d).\n", o.path("new/a.db"), len(newest)),
		o.mustRun("migrate", "--database", "sqlite:new/a.db"))
	require.Empty(t, o.accounts("new/a.db"))

	other := newOperator(t)
	other.olderDatabase(1)
	require.Equal(t, exitDone, other.serve("--dev-idp").signal(syscall.SIGTERM))
	other.mustRun("account", "list")
	o.file("text.db", "no database")
	o.mustFail(exitFailed, []string{"damaged or is not a database"}, "migrate", "--database", "sqlite:text.db")
}

// TestCheckOfAllLedgers finds what somebody changed in the database.
func TestCheckOfAllLedgers(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	o.withAccounts("ann", "ben")
	o.mustRun("account", "add-credits", "ann@example.org", "70")
	r := o.serve("--dev-idp")
	require.Equal(t, "Every movement sums to zero, and every balance is the sum of its rows: 2 accounts with 20000 plan and 70 pay-as-you-go credits.\n",
		o.mustRun("account", "check"))
	require.Equal(t, object{"accounts": 2.0, "plan": 20000.0, "payg": 70.0, "flaws": []any{}}, parseJSON(t, o.mustRun("account", "check", "--json")))
	require.Equal(t, exitDone, r.signal(syscall.SIGTERM))

	db, err := sql.Open("sqlite", filepath.Join(o.data, "service.db"))
	require.NoError(t, err)
	_, err = db.ExecContext(t.Context(), "UPDATE accounts SET plan_credits = plan_credits + 5, payg_credits = 1")
	require.NoError(t, err)
	require.NoError(t, db.Close())
	wrong := o.run("account", "check")
	require.Equal(t, exitFailed, wrong.code)
	require.Equal(t, "Wrong: acc-1 has (10005, 1, 0), its rows sum to (10000, 70, 0).\nWrong: acc-2 has (10005, 1, 0), its rows sum to (10000, 0, 0).\n",
		wrong.out)
	require.Equal(t, "The ledger is wrong; restore a backup, or report this.\n", wrong.err)
	wrong = o.run("account", "check", "--json")
	require.Equal(t, exitFailed, wrong.code)
	require.Len(t, parseJSON(t, wrong.out)["flaws"], 2)
	o.mustFail(exitUsage, []string{"account check"}, "account", "check", "ann")
}

// TestWrongMoves has each thing that move refuses before it connects to a server.
func TestWrongMoves(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	o.mustRun("migrate")
	own, other := "sqlite:"+filepath.Join(o.data, "service.db"), "postgres://u@127.0.0.1:1/x"
	for _, args := range [][]string{
		{},
		{"--from", own},
		{"--to", other},
		{"--from", own, "--to", own},
		{"--from", other, "--to", own},
		{"--from", other, "--to", other},
		{"--from", "service.db", "--to", other},
		{"--from", own, "--to", "service.db"},
		{"--from", own, "--to", "mysql://u@h/x"},
	} {
		o.mustFail(exitUsage, []string{"--to"}, append([]string{"move"}, args...)...)
	}
	o.mustFail(exitUsage, []string{"--to: ", "password"}, "move", "--from", own, "--to", "postgres://u:secret@127.0.0.1:1/x")
	o.mustFail(exitUsage, []string{"does not take"}, "move", own, other)
	o.mustFail(exitNotFound, []string{"no database", "none.db; check --from.\n"}, "move", "--from", "sqlite:none.db", "--to", other)
	o.mustFail(exitFailed, []string{"--from must name a file"}, "move", "--from", "sqlite:"+o.data, "--to", other)
	r := o.serve("--dev-idp")
	o.mustFail(exitFailed, []string{"in use", "stop the service"}, "move", "--from", own, "--to", other)
	require.Equal(t, exitDone, r.signal(syscall.SIGTERM))
	o.mustFail(exitFailed, []string{"postgres://u@127.0.0.1:1/x cannot be reached"}, "move", "--from", own, "--to", other)
	o.mustRun("account", "create", "ann@example.org") // it is not locked any more
}
