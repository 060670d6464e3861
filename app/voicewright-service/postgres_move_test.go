//go:build postgres

package main_test

import (
	"database/sql"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
	"github.com/stretchr/testify/require"
)

// content returns all rows of a database that are moved, as texts.
func content(t *testing.T, driver, address string) map[string][]string {
	t.Helper()
	db, err := sql.Open(driver, address)
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	found := map[string][]string{}
	for table, query := range map[string]string{
		"accounts": "SELECT id, subject, email, email_unverified, access_groups, invited, plan, plan_expires, plan_number, plan_credits, payg_credits, " +
			"held_credits, disabled, created_at, changed_by, changed_at, plan_days, renews_until FROM accounts ORDER BY id",
		"keys":       "SELECT hash, id, account, prefix, name, created_at, last_used_at, revoked_at, revoked_by FROM keys ORDER BY id",
		"favourites": "SELECT id, account, voice, at FROM favourites ORDER BY id",
		"rate_calls": "SELECT account, count(*) FROM rate_calls GROUP BY account ORDER BY account",
		"calls": "SELECT seq, id, account, instance, status, kind, provider, model, characters, plan_credits, payg_credits, plan_number, at, title, voice, " +
			"seconds FROM calls ORDER BY seq",
		"ledger":           "SELECT id, at, account, call, reason, plan, payg, held, granted, spent, expired, actor, note FROM ledger ORDER BY id",
		"files":            "SELECT call, name, format, bytes, created_at, expires_at, removed FROM files ORDER BY call",
		"idempotency_keys": "SELECT account, hash, request, call, credits_left, answered_at FROM idempotency_keys ORDER BY call",
	} {
		found[table] = rowsOf(t, db, query)
		require.NotEmpty(t, found[table], table)
	}
	return found
}

// rowsOf returns the rows of a query as text.
func rowsOf(t *testing.T, db *sql.DB, query string) (found []string) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), query)
	require.NoError(t, err, query)
	defer func() { require.NoError(t, rows.Close()) }()
	columns, err := rows.Columns()
	require.NoError(t, err)
	for rows.Next() {
		row, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range row {
			into[i] = &row[i]
		}
		require.NoError(t, rows.Scan(into...))
		found = append(found, fmt.Sprint(row...))
	}
	require.NoError(t, rows.Err())
	return found
}

// TestPostgresMove moves a database with everything that it can have, and a call that was running when its process was killed.
func TestPostgresMove(t *testing.T) {
	t.Parallel()
	cluster := newCluster(t)
	address := cluster.Database(t, "template0")
	l := newLab(t)
	l.speech.hold = make(chan struct{}, 10)
	path := filepath.Join(l.data, "service.db")
	move := []string{"move", "--from", "sqlite:" + path, "--to", address}
	r := l.serve()
	ann, ben := l.issuer.Token("ann", object{"email": "ann@example.org"}), l.issuer.Token("ben")
	r.credits(ben)
	keyed := func(r *running) answer {
		a, err := r.tryKeyed("POST", "/api/v1/tts/synthesize", ann, "chapter-1", r.synthesis(ann))
		require.NoError(t, err)
		return a
	}
	l.speech.hold <- struct{}{}
	first := keyed(r)
	require.Equal(t, http.StatusOK, first.status, first.text)
	l.mustRun("account", "add-credits", "ann", "500", "--note", "bill 17 – März")
	l.mustRun("account", "set-plan", "ann", "pro")
	key := r.must("POST", "/api/v1/user/api-keys", ann, object{"name": "läptop"})["key"].(string)
	r.must("POST", "/api/v1/tts/favorites/toggle", ann, object{"voiceId": r.voice(ann, "ProviderC")})
	l.mustRun("account", "create", "cleo@example.org", "--plan", "max")
	l.mustRun("account", "delete", "ben", "--yes")
	<-l.speech.started
	call := r.background("POST", "/api/v1/tts/synthesize", ann, r.synthesis(ann))
	waitFor(t, l.speech.started)

	l.mustFail(exitFailed, []string{path, "in use", "stop the service"}, move...)
	require.Equal(t, -1, r.signal(syscall.SIGKILL))
	require.Nil(t, waitFor(t, call))
	l.mustFail(exitUsage, []string{"--from", "--to"}, "move")
	l.mustFail(exitUsage, []string{"--from", "--to"}, "move", "--from", address, "--to", "sqlite:"+path)
	l.mustFail(exitNotFound, []string{"no database"}, "move", "--from", "sqlite:none.db", "--to", address)
	l.mustFail(exitFailed, []string{"is empty", "migrate"}, move...)
	l.mustRun("migrate", "--database", address)

	printed := l.mustRun(move...)
	require.Contains(t, printed, "Refunded the calls that were running: 1.\n")
	require.Regexp(t, `(?m)^ *accounts +3 +3 *$`, printed)
	require.Regexp(t, `(?m)^ *accounts.payg_credits +500 +500 *$`, printed)
	require.Contains(t, printed, "Moved "+path+" to postgres://")
	require.Contains(t, printed, "\nKeep "+path+" as a backup, and do not start the service on it. ")
	require.Equal(t, content(t, "sqlite", path), content(t, "pgx", address))
	for _, args := range [][]string{{"list", "--json"}, {"export", "ann"}, {"ledger", "ann", "--json"}, {"keys", "ann", "--json"}, {"check", "--json"}} {
		args = append([]string{"account"}, args...)
		require.JSONEq(t, l.mustRun(args...), l.mustRun(append(args, "--database", address)...))
	}
	l.mustFail(exitFailed, []string{"has accounts already", "createdb"}, move...)

	r = l.on(address).serve()
	require.InDelta(t, 100_500, r.credits(key), 0)
	repeated := keyed(r)
	require.Equal(t, strings.Split(first.json["url"].(string), "/files/")[1], strings.Split(repeated.json["url"].(string), "/files/")[1])
	require.Equal(t, http.StatusOK, r.call("GET", repeated.json["url"].(string), "", nil).status)
	r.credits(l.issuer.Token("dana"))
	require.Equal(t, "acc-4", parseJSON(t, l.on(address).mustRun("account", "show", "dana", "--json"))["id"], "numbers go on behind those that were moved")
	l.speech.hold <- struct{}{}
	r.must("POST", "/api/v1/tts/synthesize", key, r.synthesis(ann))
	require.Equal(t, exitDone, r.signal(syscall.SIGTERM), r.err.String())
	require.Contains(t, l.on(address).mustRun("account", "check"), "Every movement sums to zero")
}

// TestPostgresMoveOfAWrongLedger keeps nothing of a database whose sums are wrong.
func TestPostgresMoveOfAWrongLedger(t *testing.T) {
	t.Parallel()
	address := newCluster(t).Database(t, "template0")
	o := newOperator(t)
	o.mustRun("migrate")
	o.mustRun("account", "create", "ann@example.org")
	o.mustRun("migrate", "--database", address)
	path := filepath.Join(o.data, "service.db")
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	_, err = db.ExecContext(t.Context(), "UPDATE accounts SET plan_credits = 5")
	require.NoError(t, err)
	require.NoError(t, db.Close())
	o.mustFail(exitFailed, []string{"the ledger is wrong", "acc-1 has (5, 0, 0)", "nothing was moved"}, "move", "--from", "sqlite:"+path, "--to", address)
	require.Contains(t, o.mustRun("account", "check", "--database", address), "0 accounts")
}
