package main_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite" // the driver "sqlite"
)

// lockDatabase locks the database as another program does, until unlock is called.
func (o *operator) lockDatabase(statement string) (unlock func()) {
	o.t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(o.data, "service.db"))
	require.NoError(o.t, err)
	db.SetMaxOpenConns(1)
	_, err = db.ExecContext(o.t.Context(), statement)
	require.NoError(o.t, err)
	return func() {
		_, err := db.ExecContext(context.Background(), "ROLLBACK")
		require.NoError(o.t, err)
		require.NoError(o.t, db.Close())
	}
}

// waitsFor waits until a command says that it waits for the database.
func (r *running) waitsFor(words string) {
	r.t.Helper()
	require.Eventually(r.t, func() bool { return strings.Contains(r.err.String(), words) }, testTimeout, 10*time.Millisecond)
}

// TestALockedDatabase holds up a start and the account commands until it is free; a signal ends the wait.
func TestALockedDatabase(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	require.Equal(t, exitDone, o.serve("--dev-idp").signal(syscall.SIGTERM))
	for name, statement := range map[string]string{
		"for writers": "BEGIN IMMEDIATE", "for all": "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; DELETE FROM instances",
	} {
		t.Run(name, func(t *testing.T) {
			o := *o
			o.t = t
			unlock := o.lockDatabase(statement)
			stopped := o.start("run", "--dev-idp")
			stopped.waitsFor("waiting for the database, which another program has locked")
			require.NotEqual(t, exitDone, stopped.signal(syscall.SIGTERM))
			require.Empty(t, stopped.out.String(), "it never listened")

			waiting := o.start("run", "--dev-idp")
			waiting.waitsFor("waiting for the database, which another program has locked")
			unlock()
			require.Contains(t, waiting.waitForLine(), "listening on ")
			require.Equal(t, exitDone, waiting.signal(syscall.SIGTERM))
		})
	}
	unlock := o.lockDatabase("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; DELETE FROM instances")
	list := o.start("account", "list", "--json")
	list.waitsFor("Waiting for the database, which another program has locked.")
	unlock()
	require.Equal(t, exitDone, list.wait(), list.err.String())
	require.Contains(t, list.out.String(), "accounts")
}

// TestAServerThatIsDown: commands wait for PostgreSQL and say so; a signal ends the wait.
func TestAServerThatIsDown(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	for _, args := range [][]string{{"account", "list"}, {"migrate"}} {
		r := o.start(append(args, "--database", "postgres://ann@127.0.0.1:1/voice")...)
		r.waitForLog("Waiting for the database, which cannot be reached.\n")
		require.NotEqual(t, exitDone, r.signal(syscall.SIGTERM))
		require.Empty(t, r.out.String())
	}
}
