//go:build postgres

package postgres_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/postgres"
	"github.com/voicewright/voicewright/backend/service/postgres/postgrestest"
	"github.com/voicewright/voicewright/backend/service/storetest"
)

// program runs the tests with a cluster.
type program struct{ m *testing.M }

func (p program) Run() int { return postgrestest.Main(p.m) }

// TestMain runs the tests, or the calls of another process.
func TestMain(m *testing.M) {
	if benchChild() {
		return
	}
	child := storetest.Child(func(ctx context.Context, url string) (service.Store, error) {
		return postgres.Open(ctx, postgres.Options{URL: url})
	})
	if !child {
		goleak.VerifyTestMain(program{m})
	}
}

// migrated makes the database of which the others are copies.
var migrated = sync.OnceValue(func() error {
	_, _, err := postgres.Migrate(context.Background(), postgres.Options{URL: postgrestest.Shared().URL("template1")})
	return err
})

// empty returns the address of a database with the schema.
func empty(t testing.TB) string {
	t.Helper()
	require.NoError(t, migrated())
	return postgrestest.Shared().Database(t, "template1")
}

// openWith opens a store until the end of the test. One that waits shortly is tried again: opening takes longer on busy cores.
func openWith(t testing.TB, o postgres.Options) *postgres.DB {
	t.Helper()
	db, err := postgres.Open(context.Background(), o)
	for tries := 0; err != nil && o.Wait == shortWait && tries < 100; tries++ {
		db, err = postgres.Open(context.Background(), o)
	}
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return db
}

// open returns an empty store.
func open(t testing.TB) *postgres.DB {
	t.Helper()
	return openWith(t, postgres.Options{URL: empty(t)})
}

// execute runs statements in a database behind the back of the program.
func execute(t testing.TB, url, statements string) error {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(context.Background())) }()
	_, err = conn.Exec(t.Context(), statements)
	return err
}

// testClock replaces the clock of the server by a row, which set changes. It keeps a connection until done or the end of the test.
func testClock(t testing.TB, url string) (set func(now time.Time), done func()) {
	t.Helper()
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, url)
	require.NoError(t, err)
	done = func() { require.NoError(t, conn.Close(ctx)) }
	t.Cleanup(done)
	_, err = conn.Exec(ctx, `CREATE TABLE test_clock (at timestamptz NOT NULL); INSERT INTO test_clock VALUES (now());
		CREATE OR REPLACE FUNCTION service_clock() RETURNS timestamptz LANGUAGE sql VOLATILE AS 'SELECT at FROM test_clock';
		CREATE OR REPLACE FUNCTION service_started() RETURNS timestamptz LANGUAGE sql STABLE AS 'SELECT ''-infinity''::timestamptz'`)
	require.NoError(t, err)
	return func(now time.Time) {
		_, err := conn.Exec(ctx, `UPDATE test_clock SET at = $1`, now)
		require.NoError(t, err)
	}, done
}

// signingIn returns the sign-in of a user who may have an account.
func signingIn(subject string, baseline int64) service.SignIn {
	return service.SignIn{Identity: service.Identity{Subject: subject, Email: subject + "@example.com"}, Admitted: true, Baseline: baseline}
}

// request returns a request of a user for credits.
func request(a service.Account, id string) service.Reserve {
	return service.Reserve{
		ID: id, Account: a.ID, Instance: "p", Credits: 100, RateLimit: 1_000_000, Kind: "synthesize",
		Provider: service.ProviderC, Model: "providerC-neural2", Characters: 250,
	}
}
