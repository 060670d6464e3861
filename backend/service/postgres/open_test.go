//go:build postgres

package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/service/postgres"
	"github.com/voicewright/voicewright/backend/service/postgres/postgrestest"
)

// TestOpenRefuses: each error says what happened and what to do, names the database, and never a password.
func TestOpenRefuses(t *testing.T) {
	cluster := postgrestest.Shared()
	cluster.Exec(t, "postgres", fmt.Sprintf(`CREATE ROLE %s LOGIN PASSWORD '%s'; CREATE ROLE %s LOGIN; CREATE ROLE visitor LOGIN;
		CREATE ROLE crowd LOGIN CONNECTION LIMIT 0`,
		postgrestest.Guarded, postgrestest.Password, postgrestest.Encrypted))
	t.Cleanup(func() {
		cluster.Exec(t, "postgres", fmt.Sprintf(`DROP ROLE %s; DROP ROLE %s; DROP ROLE visitor; DROP ROLE crowd`, postgrestest.Guarded, postgrestest.Encrypted))
	})
	full := empty(t)
	as := func(user string) string { return strings.Replace(full, postgrestest.Superuser+"@", user+"@", 1) }
	with := func(parameters string) string { return strings.Replace(full, "sslmode=disable", parameters, 1) }
	unknown := empty(t)
	require.NoError(t, execute(t, unknown, `UPDATE goose_db_version SET version_id = 0`))
	foreign := postgrestest.New(t)
	require.NoError(t, execute(t, foreign, `CREATE TABLE goose_db_version (id int, version_id bigint, is_applied boolean, tstamp timestamp);
		INSERT INTO goose_db_version VALUES (1, 0, true, now()), (2, 7, true, now())`))
	ledger := postgrestest.New(t)
	require.NoError(t, execute(t, ledger, `CREATE TABLE ledger (id int)`))
	for name, c := range map[string]struct {
		o        postgres.Options
		code     backend.Code
		sentence string
		remedy   string
	}{
		"nobody listens":        {postgres.Options{URL: "postgres://u@127.0.0.1:1/x"}, postgres.CodeUnreachable, "cannot be reached", "--database"},
		"no such host":          {postgres.Options{URL: "postgres://u@no.host.invalid/x?sslmode=require"}, postgres.CodeUnreachable, "cannot be reached", "--database"},
		"no such database":      {postgres.Options{URL: cluster.URL("missing")}, backend.CodeNotFound, "no database", "createdb"},
		"empty":                 {postgres.Options{URL: postgrestest.New(t)}, postgres.CodeNotMigrated, "is empty", "voicewright-service migrate, with the same address"},
		"of no version":         {postgres.Options{URL: unknown}, backend.CodeDatabaseCorrupt, "not one of voicewright-service", "--database"},
		"two versions ahead":    {postgres.Options{URL: ahead(t, 2)}, backend.CodeDatabaseNewer, "newer program", "newest"},
		"foreign":               {postgres.Options{URL: foreign}, backend.CodeDatabaseCorrupt, "not one of voicewright-service", "--database"},
		"foreign ledger":        {postgres.Options{URL: ledger}, backend.CodeDatabaseCorrupt, "not one of voicewright-service", "--database"},
		"no password":           {postgres.Options{URL: as(postgrestest.Guarded)}, backend.CodeNotPermitted, "refuses the user \"guarded\"", "--database-password-file"},
		"wrong password":        {postgres.Options{URL: as(postgrestest.Guarded), PasswordFile: file(t, "s3cret-but-wrong")}, backend.CodeNotPermitted, "refuses the user", "password"},
		"no password file":      {postgres.Options{URL: as(postgrestest.Guarded), PasswordFile: "/nowhere"}, backend.CodeNotPermitted, "password of the database cannot be read", "--database-password-file"},
		"no such user":          {postgres.Options{URL: as("stranger")}, backend.CodeNotPermitted, "refuses the user", "--database"},
		"no privileges":         {postgres.Options{URL: as("visitor")}, backend.CodeNotPermitted, "may not", "own the database"},
		"without TLS":           {postgres.Options{URL: as(postgrestest.Encrypted)}, backend.CodeNotPermitted, "without TLS", "sslmode"},
		"unknown authority":     {postgres.Options{URL: with("sslmode=verify-full")}, postgres.CodeUnreachable, "TLS", "sslrootcert"},
		"a password in it":      {postgres.Options{URL: "postgres://u:s3cret@127.0.0.1/x"}, postgres.CodeAddress, "contains a password", "PGPASSWORD"},
		"password as parameter": {postgres.Options{URL: "postgres://u@127.0.0.1/x?password=s3cret"}, postgres.CodeAddress, "contains a password", "PGPASSWORD"},
		"not an address":        {postgres.Options{URL: "postgres://u:s3cret@[::1/x"}, postgres.CodeAddress, "not valid", "postgres://USER@HOST"},
		"another scheme":        {postgres.Options{URL: "mysql://u@h/x"}, postgres.CodeAddress, "not valid", "postgres://USER@HOST"},
		"empty password file":   {postgres.Options{URL: as(postgrestest.Guarded), PasswordFile: file(t, "\r\n")}, backend.CodeNotPermitted, "is empty", "--database-password-file"},
		"wrong sslmode":         {postgres.Options{URL: with("sslmode=s3cret")}, postgres.CodeAddress, "parameters that are not valid: sslmode (sslmode is invalid).", "sslmode"},
		"no authority":          {postgres.Options{URL: with("sslmode=verify-full&sslrootcert=/nofile")}, postgres.CodeAddress, "sslrootcert (no such file or directory)", "sslrootcert"},
		"wrong number":          {postgres.Options{URL: with("sslmode=disable&pool_max_conns=s3cret")}, postgres.CodeAddress, "pool_max_conns (invalid syntax)", "Check"},
		"wrong attributes":      {postgres.Options{URL: with("sslmode=disable&target_session_attrs=s3cret")}, postgres.CodeAddress, "not valid: target_session_attrs.", "Check"},
		"a fragment":            {postgres.Options{URL: full + "#s3cret"}, postgres.CodeAddress, "not valid", "%23"},
		"an empty fragment":     {postgres.Options{URL: full + "#"}, postgres.CodeAddress, "not valid", "%23"},
		"without slashes":       {postgres.Options{URL: "postgres:voice"}, postgres.CodeAddress, "not valid", "postgres://USER@HOST"},
		"with one slash":        {postgres.Options{URL: "postgres:/voice"}, postgres.CodeAddress, "not valid", "postgres://USER@HOST"},
		"in capitals":           {postgres.Options{URL: strings.Replace(full, "postgres", "POSTGRES", 1)}, postgres.CodeAddress, "not valid", "postgres://USER@HOST"},
		"unknown parameter":     {postgres.Options{URL: with("nosuchparam=1")}, postgres.CodeUnreachable, `answers: unrecognized configuration parameter "nosuchparam".`, "Check the parameters"},
		"unknown, without TLS":  {postgres.Options{URL: full + "&nosuchparam=1"}, postgres.CodeUnreachable, `answers: unrecognized configuration parameter "nosuchparam".`, "Check the parameters"},
		"no connections left":   {postgres.Options{URL: strings.Replace(as("crowd"), "sslmode=disable", "", 1), Wait: 5 * time.Second}, postgres.CodeUnreachable, "has no connections left", "max_connections"},
		"wrong port":            {postgres.Options{URL: "postgres://u@127.0.0.1:99999/x"}, postgres.CodeAddress, "parameters", "port"},
	} {
		t.Run(name, func(t *testing.T) {
			if c.sentence == "cannot be reached" {
				c.o.Wait = shortWait // in vain
			}
			_, err := postgres.Open(t.Context(), c.o)
			var e *backend.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, c.code, e.Code, err)
			require.Contains(t, e.Detail, c.sentence)
			require.Contains(t, e.Remedy, c.remedy)
			require.NotContains(t, err.Error()+e.Detail+e.Remedy+fmt.Sprint(e.Params), "s3cret")
		})
	}
}

// TestAnotherMachine: who runs the service decides how a connection over a network is protected.
func TestAnotherMachine(t *testing.T) {
	for _, url := range []string{
		"postgres://u@db/x", "postgres://u@db/x?sslmode=", "postgres://u@192.0.2.1/x", "postgres://u@localhost,db/x", "postgres://u@/x?host=db",
		"postgres://u@[2001:db8::1]/x?connect_timeout=3",
	} {
		err := postgres.Options{URL: url}.Check()
		var e *backend.Error
		require.ErrorAs(t, err, &e, url)
		require.Equal(t, postgres.CodeAddress, e.Code, url)
		require.Contains(t, e.Detail, "another machine")
		for _, mode := range []string{"sslmode=verify-full", "sslmode=require", "sslmode=disable"} {
			require.Contains(t, e.Remedy, mode)
		}
		_, _, err = postgres.Migrate(t.Context(), postgres.Options{URL: url})
		require.ErrorAs(t, err, &e, "it is not tried")
		require.Equal(t, postgres.CodeAddress, e.Code)
	}
	for _, url := range []string{
		"postgres://u@127.0.0.1/x", "postgres://u@[::1]/x", "postgres://u@localhost/x", "postgres://u@/x?host=/run/postgresql",
		"postgres://u@db/x?sslmode=disable", "postgres://u@db/x?sslmode=prefer", "postgres://u@db/x?sslmode=require",
		"postgres://u@db/x?sslmode=verify-full",
	} {
		require.NoError(t, postgres.Options{URL: url}.Check(), url)
	}
	t.Setenv("PGSSLMODE", "verify-full")
	require.NoError(t, postgres.Options{URL: "postgres://u@db/x"}.Check())
}

// ahead returns the address of a database of a program that is n versions newer.
func ahead(t *testing.T, n int64) string {
	t.Helper()
	newest, err := postgres.Newest()
	require.NoError(t, err)
	url := empty(t)
	require.NoError(t, execute(t, url, fmt.Sprintf(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (%d, true)`, newest+n)))
	return url
}

// file returns the path of a file with a content.
func file(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "password")
	require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

// TestOpen opens a database in the ways that are allowed.
func TestOpen(t *testing.T) {
	cluster := postgrestest.Shared()
	cluster.Exec(t, "postgres", fmt.Sprintf(`CREATE ROLE %s LOGIN SUPERUSER PASSWORD '%s'; CREATE ROLE %s LOGIN SUPERUSER`,
		postgrestest.Guarded, postgrestest.Password, postgrestest.Encrypted))
	t.Cleanup(func() {
		cluster.Exec(t, "postgres", fmt.Sprintf(`DROP ROLE %s; DROP ROLE %s`, postgrestest.Guarded, postgrestest.Encrypted))
	})
	url := empty(t)
	guarded := strings.Replace(url, postgrestest.Superuser+"@", postgrestest.Guarded+"@", 1)
	for name, o := range map[string]postgres.Options{
		"this version":       {URL: url},
		"the next version":   {URL: ahead(t, 1)},
		"several hosts":      {URL: strings.Replace(url, "127.0.0.1:", "127.0.0.1:1,127.0.0.1:", 1)},
		"other scheme":       {URL: strings.Replace(url, "postgres://", "postgresql://", 1)},
		"password in a file": {URL: guarded, PasswordFile: file(t, postgrestest.Password+"\n")},
		"password with CRLF": {URL: guarded, PasswordFile: file(t, postgrestest.Password+"\r\nanother line")},
		"TLS":                {URL: strings.Replace(strings.Replace(url, "sslmode=disable", "sslmode=require", 1), postgrestest.Superuser+"@", postgrestest.Encrypted+"@", 1)},
		"TLS with the authority": {URL: strings.NewReplacer("127.0.0.1", "localhost", "sslmode=disable",
			"sslmode=verify-full&sslrootcert="+filepath.Join(cluster.Dir, "server.crt")).Replace(url)},
	} {
		t.Run(name, func(t *testing.T) { require.NoError(t, openWith(t, o).Ping(t.Context())) })
	}
	t.Run("password in the environment", func(t *testing.T) {
		t.Setenv("PGPASSWORD", postgrestest.Password)
		require.NoError(t, openWith(t, postgres.Options{URL: guarded}).Ping(t.Context()))
	})
	t.Run("password that changes", func(t *testing.T) {
		path := file(t, postgrestest.Password)
		db := openWith(t, postgres.Options{URL: guarded, PasswordFile: path})
		require.NoError(t, os.WriteFile(path, []byte("new"), 0o600))
		cluster.Exec(t, "postgres", `ALTER ROLE `+postgrestest.Guarded+` PASSWORD 'new'`)
		cluster.Exec(t, "postgres", `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '`+postgrestest.Guarded+`'`)
		require.NoError(t, db.Ping(t.Context()))
	})
}

// TestOpenWaits opens while the server starts.
func TestOpenWaits(t *testing.T) {
	url := empty(t)
	proxy := postgrestest.Shared().Proxy(t)
	proxy.Away(true)
	time.AfterFunc(200*time.Millisecond, func() { proxy.Away(false) })
	openWith(t, postgres.Options{URL: proxy.URL(postgrestest.Name(url)), Wait: time.Minute})
}

func TestCancelledOpen(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := postgres.Open(ctx, postgres.Options{URL: empty(t)})
	require.ErrorIs(t, err, backend.ErrCancelled)
	_, _, err = postgres.Migrate(ctx, postgres.Options{URL: postgrestest.New(t)})
	require.ErrorIs(t, err, backend.ErrCancelled)
}

func TestClosed(t *testing.T) {
	db := open(t)
	require.NoError(t, db.Close())
	require.NoError(t, db.Close())
	require.Error(t, db.Ping(t.Context()))
}

// TestMigrateAtOnce migrates an empty database by several processes: all of them succeed.
func TestMigrateAtOnce(t *testing.T) {
	url := postgrestest.New(t)
	var wg sync.WaitGroup
	errs, made := make([]error, 6), make([]bool, 6)
	for i := range errs {
		wg.Go(func() {
			before, after, err := postgres.Migrate(t.Context(), postgres.Options{URL: url})
			made[i], errs[i] = before == 0 && after > 0, err
		})
	}
	wg.Wait()
	require.NoError(t, errors.Join(errs...))
	n := 0
	for _, yes := range made {
		if yes {
			n++
		}
	}
	require.Equal(t, 1, n, "one of them makes the schema")
	db := openWith(t, postgres.Options{URL: url})
	require.NoError(t, db.Check(t.Context()))
}

// TestMigrateTwice: nothing is left to do, also where the schema is one version ahead; of more this program knows nothing.
func TestMigrateTwice(t *testing.T) {
	newest, err := postgres.Newest()
	require.NoError(t, err)
	for n := range int64(2) {
		before, after, err := postgres.Migrate(t.Context(), postgres.Options{URL: ahead(t, n)})
		require.NoError(t, err)
		require.Equal(t, [2]int64{newest + n, newest + n}, [2]int64{before, after})
	}
	_, _, err = postgres.Migrate(t.Context(), postgres.Options{URL: ahead(t, 2)})
	require.ErrorIs(t, err, backend.E(backend.CodeDatabaseNewer, "", ""))
}

// TestMigrateRefuses leaves the databases of other programs as they are.
func TestMigrateRefuses(t *testing.T) {
	url := postgrestest.New(t)
	require.NoError(t, execute(t, url, `CREATE TABLE accounts (name text)`))
	_, _, err := postgres.Migrate(t.Context(), postgres.Options{URL: url})
	require.ErrorIs(t, err, backend.E(backend.CodeDatabaseCorrupt, "", ""))
	require.NoError(t, execute(t, url, `DROP TABLE accounts`))
	_, _, err = postgres.Migrate(t.Context(), postgres.Options{URL: url})
	require.NoError(t, err, "nothing of it was left")
}

// TestCommitsAreDurable opens a database that is set to acknowledge commits before they are synced.
func TestCommitsAreDurable(t *testing.T) {
	url := empty(t)
	require.NoError(t, execute(t, url, `ALTER DATABASE `+postgrestest.Name(url)+` SET synchronous_commit = off`))
	db := openWith(t, postgres.Options{URL: url})
	value, err := db.Setting(t.Context(), "synchronous_commit")
	require.NoError(t, err)
	require.Equal(t, "on", value)
	require.NoError(t, execute(t, url, `ALTER DATABASE `+postgrestest.Name(url)+` SET synchronous_commit = remote_apply`))
	value, err = openWith(t, postgres.Options{URL: url}).Setting(t.Context(), "synchronous_commit")
	require.NoError(t, err)
	require.Equal(t, "remote_apply", value, "as the operator wants")
}

// TestQueriesOfCallsUseIndexes explains the queries of every call in a database with many rows: none reads a whole table of them.
func TestQueriesOfCallsUseIndexes(t *testing.T) {
	url := empty(t)
	require.NoError(t, execute(t, url, `
		INSERT INTO accounts (subject, plan, created_at) SELECT n::text, 'free', 0 FROM generate_series(1, 20000) n;
		INSERT INTO keys (hash, id, account, prefix, name, created_at) SELECT sha256(n::text::bytea), n::text, n, '', '', 0 FROM generate_series(1, 20000) n;
		INSERT INTO calls (id, account, instance, status, kind, provider, model, characters, plan_credits, payg_credits, plan_number, at)
			SELECT n::text, n, 'p', 'refunded', '', '', '', 1, 0, 0, 1, 0 FROM generate_series(1, 20000) n;
		INSERT INTO idempotency_keys (account, hash, request, call) SELECT n, sha256(n::text::bytea), '', n FROM generate_series(1, 20000) n;
		INSERT INTO files (call, name, format, bytes, created_at, expires_at) SELECT n, n::text, '', 1, 0, 0 FROM generate_series(1, 20000) n;
		INSERT INTO rate_calls (account, at, number) SELECT n, n, 1 FROM generate_series(1, 20000) n;
		ANALYZE`))
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(context.Background())) }()
	_, err = conn.Exec(t.Context(), `SET plan_cache_mode = force_generic_plan`)
	require.NoError(t, err)
	for query, args := range postgres.Hot {
		rows, err := conn.Query(t.Context(), `EXPLAIN `+query, args...)
		require.NoError(t, err)
		lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(t, err)
		plan := strings.ReplaceAll(strings.Join(lines, "\n"), "Seq Scan on instances", "")
		require.NotContains(t, plan, "Seq Scan", query)
		require.Contains(t, plan, "Index", query)
	}
}

// TestOlderSchema opens a database of the program before: it names the command that brings it up to date.
func TestOlderSchema(t *testing.T) {
	newest, err := postgres.Newest()
	require.NoError(t, err)
	url := empty(t)
	require.NoError(t, execute(t, url, fmt.Sprintf(`DELETE FROM goose_db_version WHERE version_id = %d`, newest)))
	_, err = postgres.Open(t.Context(), postgres.Options{URL: url})
	var e *backend.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, postgres.CodeNotMigrated, e.Code)
	require.Contains(t, e.Detail, "older program")
	require.Contains(t, e.Remedy, "voicewright-service migrate, with the same address")
}

// TestPlace: what is printed of an address has no secret in it.
func TestPlace(t *testing.T) {
	for address, want := range map[string]string{
		"postgres://u@h:5/db?sslmode=require&password=s3cret": "postgres://u@h:5/db",
		"postgres://u:s3cret@h/db":                            "postgres://u@h/db",
		"postgres://h/db":                                     "postgres://h/db",
		"postgres://u:s3cret@[::1/db":                         "postgres://…",
		"postgres://u:s3cret@a:1,b:2/db?x=y":                  "postgres://u@a:1,b:2/db",
		"postgres://u@/db?host=/run":                          "postgres://u@/db",
		"u:s3cret@h/db":                                       "postgres://…",
	} {
		require.Equal(t, want, postgres.Place(address))
	}
}
