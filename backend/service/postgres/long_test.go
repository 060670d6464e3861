//go:build postgres

package postgres_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/postgres"
)

// TestLongWork has work take longer than a call waits, which is no reason to give it up: the next try would take as long.
func TestLongWork(t *testing.T) {
	ctx := t.Context()
	url, a := withAccount(t)
	db := openWith(t, postgres.Options{URL: url, Wait: time.Second})
	for _, id := range []string{"one", "two"} {
		r := request(a, id)
		r.Idempotency = &service.Idempotency{Key: [32]byte{id[0]}}
		_, err := db.Reserve(ctx, r)
		require.NoError(t, err)
		_, err = db.Settle(ctx, id, service.Project{Title: "T"}, service.NewFile{Name: id})
		require.NoError(t, err)
	}
	require.NoError(t, execute(t, url, `CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$
			BEGIN PERFORM pg_sleep(0.8); RETURN coalesce(NEW, OLD); END $$;
		CREATE TRIGGER slow BEFORE UPDATE ON calls FOR EACH ROW EXECUTE FUNCTION slow();
		CREATE TRIGGER slow BEFORE DELETE ON idempotency_keys FOR EACH ROW EXECUTE FUNCTION slow()`))
	require.NoError(t, db.ForgetKeys(ctx, 0))
	_, err := db.Earlier(ctx, a.ID, [32]byte{'o'})
	require.ErrorIs(t, err, service.ErrNotFound)
	files, err := db.DeleteAccount(ctx, a.ID, service.Change{})
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"one", "two"}, files)
	require.NoError(t, db.Check(ctx))
}

// TestForgetsInPages has more keys and counted calls than are forgotten at once. What is in use is left for the next time.
func TestForgetsInPages(t *testing.T) {
	ctx := t.Context()
	url, a := withAccount(t)
	db := openWith(t, postgres.Options{URL: url})
	other := connect(t, url)
	other.exec(fmt.Sprintf(`
		INSERT INTO calls (id, account, instance, status, kind, provider, model, characters, plan_credits, payg_credits, plan_number, at)
			SELECT n::text, %[1]d, 'p', 'refunded', '', '', '', 1, 0, 0, 1, 0 FROM generate_series(1, 2500) n;
		INSERT INTO idempotency_keys (account, hash, request, call, answered_at) SELECT %[1]d, sha256(n::text::bytea), '', n, 1
			FROM generate_series(1, 2500) n;
		INSERT INTO rate_calls (account, at, number) SELECT %[1]d, n, 1 FROM generate_series(1, 2500) n`, a.ID))
	require.NoError(t, db.CountCall(ctx, a.ID, 10_000), "which is in the window")
	other.exec(`INSERT INTO rate_calls (account, at, number) SELECT account, 1, 1 FROM rate_calls LIMIT 1`)
	left := func() (keys, calls int) {
		err := other.conn.QueryRow(ctx, `SELECT (SELECT count(*) FROM idempotency_keys), (SELECT count(*) FROM rate_calls)`).Scan(&keys, &calls)
		require.NoError(t, err)
		return keys, calls
	}
	locker := connect(t, url)
	locker.exec(`BEGIN; SELECT FROM idempotency_keys WHERE call = 7 FOR UPDATE; SELECT FROM rate_calls WHERE at = 1 FOR UPDATE`)
	require.NoError(t, db.ForgetKeys(ctx, time.Second))
	keys, calls := left()
	require.Equal(t, [2]int{1, 2}, [2]int{keys, calls})
	locker.exec(`ROLLBACK`)
	require.NoError(t, db.ForgetKeys(ctx, time.Second))
	keys, calls = left()
	require.Equal(t, [2]int{0, 1}, [2]int{keys, calls})
}

// TestAddressesAreFoundByTheirKey has addresses of which the server does not know that they are the same: all of them are found.
func TestAddressesAreFoundByTheirKey(t *testing.T) {
	ctx := context.Background()
	db := open(t)
	for i, email := range []string{
		"Ann@Example.org", "ann@example.org.", " ann@example.org", "MÜLLER@Bücher.example", "müller@XN--BCHER-KVA.example",
		"bob@xn--bcher-kva.example", "bob@Bücher.example",
	} {
		in := signingIn(fmt.Sprint("user-", i), 10)
		in.Email, in.EmailUnverified = email, true
		_, err := db.SignIn(ctx, in)
		require.NoError(t, err)
	}
	for email, want := range map[string]int{
		"ann@example.org": 3, "ANN@EXAMPLE.ORG.": 3, "müller@bücher.example": 2, "Bob@bücher.example": 2, "nobody@example.org": 0,
	} {
		list, err := db.AccountsByEmail(ctx, email)
		require.NoError(t, err)
		require.Len(t, list, want, email)
	}
}
