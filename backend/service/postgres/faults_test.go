//go:build postgres

package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/postgres"
	"github.com/voicewright/voicewright/backend/service/postgres/postgrestest"
	"github.com/voicewright/voicewright/backend/service/storetest"
	"github.com/voicewright/voicewright/backend/service/turns"
)

// shortWait is how long calls wait in vain in the tests.
const shortWait = 100 * time.Millisecond

// withAccount returns the address of a database with one account.
func withAccount(t *testing.T) (url string, a service.Account) {
	t.Helper()
	url = empty(t)
	a, err := openWith(t, postgres.Options{URL: url}).SignIn(t.Context(), signingIn("anna", 10_000))
	require.NoError(t, err)
	return url, a
}

// other is a connection of somebody else.
type other struct {
	t    *testing.T
	conn *pgx.Conn
}

func connect(t *testing.T, url string) *other {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, conn.Close(context.Background())) })
	return &other{t, conn}
}

func (o *other) exec(statements string) {
	o.t.Helper()
	_, err := o.conn.Exec(o.t.Context(), statements)
	require.NoError(o.t, err, statements)
}

// waitForLocks waits until n connections of the database wait for a lock.
func (o *other) waitForLocks(n int) {
	o.t.Helper()
	o.waitFor(fmt.Sprintf(`SELECT count(*) >= %d FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`, n))
}

// waitFor waits until a query returns true.
func (o *other) waitFor(query string) {
	o.t.Helper()
	require.Eventually(o.t, func() bool {
		var yes bool
		err := o.conn.QueryRow(o.t.Context(), query).Scan(&yes)
		return err == nil && yes
	}, time.Minute, time.Millisecond)
}

// TestLockedForLong has somebody lock an account for longer than a call waits.
func TestLockedForLong(t *testing.T) {
	ctx := t.Context()
	url, a := withAccount(t)
	db, hasty := openWith(t, postgres.Options{URL: url}), openWith(t, postgres.Options{URL: url, Wait: shortWait})
	_, err := db.CreateKey(ctx, a.ID, service.NewKey{ID: "k", Hash: keyOfAnna}, 10)
	require.NoError(t, err)
	locker := connect(t, url)
	locker.exec(`BEGIN; SELECT FROM accounts FOR UPDATE; SELECT FROM keys FOR UPDATE`)
	_, err = hasty.Reserve(ctx, request(a, "one"))
	require.ErrorIs(t, err, service.ErrStoreBusy)
	require.ErrorIs(t, hasty.CountCall(ctx, a.ID, 30), service.ErrStoreBusy)
	_, key, err := db.KeyCaller(ctx, keyOfAnna)
	require.NoError(t, err, "although its use cannot be written")
	require.True(t, key.LastUsedAt.IsZero())
	require.NoError(t, db.Ping(ctx))
	locker.exec(`ROLLBACK`)
	_, err = db.Reserve(ctx, request(a, "one"))
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		_, key, err = db.KeyCaller(ctx, keyOfAnna)
		return err == nil && !key.LastUsedAt.IsZero()
	}, time.Minute, time.Millisecond)
	require.NoError(t, db.Check(ctx))
}

// TestCancelledWhileItWaits cancels calls that wait for a lock: they end at once, and do nothing later.
func TestCancelledWhileItWaits(t *testing.T) {
	url, a := withAccount(t)
	db := openWith(t, postgres.Options{URL: url, Wait: time.Hour, MaxConns: 7})
	locker := connect(t, url)
	locker.exec(`BEGIN; SELECT FROM accounts FOR UPDATE`)
	cancelled, cancel := context.WithCancel(t.Context())
	results := make(chan error, 40)
	for i := range 40 { // most of them wait for a connection
		go func() {
			ctx := t.Context()
			if i%2 == 0 {
				ctx = cancelled
			}
			results <- db.CountCall(ctx, a.ID, 100)
		}()
	}
	connect(t, url).waitForLocks(5)
	cancel()
	for range 20 {
		require.ErrorIs(t, <-results, context.Canceled, "while the account is locked")
	}
	locker.exec(`ROLLBACK`)
	for range 20 {
		require.NoError(t, <-results)
	}
	require.NoError(t, db.CountCall(t.Context(), a.ID, 21))
	require.ErrorIs(t, db.CountCall(t.Context(), a.ID, 21), service.ErrRateLimited, "cancelled calls were not counted")
}

// TestCancelledDuringCommit cancels a call whose COMMIT is under way: it says what became of it.
func TestCancelledDuringCommit(t *testing.T) {
	url, a := withAccount(t)
	db := openWith(t, postgres.Options{URL: url})
	require.NoError(t, execute(t, url, `CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$
			BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NULL; END $$;
		CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON ledger DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION slow()`))
	locker := connect(t, url)
	locker.exec(`SELECT pg_advisory_lock(1)`)
	ctx, cancel := context.WithCancel(t.Context())
	result := make(chan error, 1)
	go func() {
		_, err := db.AddCredits(ctx, a.ID, 5, service.Change{})
		result <- err
	}()
	connect(t, url).waitForLocks(1)
	cancel()
	locker.exec(`SELECT pg_advisory_unlock(1)`)
	require.NoError(t, <-result)
	after, err := db.Account(t.Context(), "anna")
	require.NoError(t, err)
	require.EqualValues(t, 5, after.PaygCredits)
}

func TestExhaustedPool(t *testing.T) {
	url, a := withAccount(t)
	db := openWith(t, postgres.Options{URL: url, MaxConns: 4, Wait: time.Second})
	var release []func()
	for range 2 {
		free, err := db.Hold(t.Context())
		require.NoError(t, err)
		release = append(release, free)
	}
	_, err := db.Reserve(t.Context(), request(a, "one"))
	require.ErrorIs(t, err, service.ErrStoreBusy)
	_, err = db.Account(t.Context(), "anna")
	require.ErrorIs(t, err, service.ErrStoreBusy)
	require.Eventually(t, func() bool {
		ran, err := db.Alone(t.Context(), func(context.Context) error { return nil })
		return ran && err == nil
	}, time.Minute, time.Millisecond, "it has a connection of its own")
	require.Eventually(t, func() bool { return db.Heartbeat(t.Context(), "p") == nil }, time.Minute, time.Millisecond, "heartbeats have, too")
	line := turns.Line{Provider: "p", Instance: "p", Queue: 1, Callers: []turns.Caller{{Number: 1}}}
	require.Eventually(t, func() bool {
		answer, err := db.Exchange(t.Context(), line)
		return err == nil && len(answer.Turns) == 1
	}, time.Minute, time.Millisecond, "likewise")
	release[0]()
	require.Eventually(t, func() bool {
		_, err = db.Reserve(t.Context(), request(a, "one"))
		return err == nil
	}, time.Minute, time.Millisecond)
	release[1]()
}

// failing has the database refuse rows of the ledger with a code, as long as n says; deferred ones are refused at COMMIT.
func failing(t *testing.T, url, code string, n int, deferred bool) {
	t.Helper()
	trigger := `CREATE TRIGGER failing AFTER INSERT ON ledger FOR EACH ROW EXECUTE FUNCTION failing()`
	if deferred {
		trigger = `CREATE CONSTRAINT TRIGGER failing AFTER INSERT ON ledger DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION failing()`
	}
	require.NoError(t, execute(t, url, fmt.Sprintf(`DROP TRIGGER IF EXISTS failing ON ledger; DROP SEQUENCE IF EXISTS failures;
		CREATE SEQUENCE failures;
		CREATE OR REPLACE FUNCTION failing() RETURNS trigger LANGUAGE plpgsql AS $$
			BEGIN IF nextval('failures') <= %d THEN RAISE EXCEPTION 'as the test wants' USING ERRCODE = '%s'; END IF; RETURN NULL; END $$;
		`, n, code)+trigger))
}

// TestConflictsAreRepeated has the server refuse transactions that the next try may pass: callers do not see it.
func TestConflictsAreRepeated(t *testing.T) {
	url, a := withAccount(t)
	db := openWith(t, postgres.Options{URL: url})
	for _, code := range []string{"40001", "40P01"} {
		for _, deferred := range []bool{false, true} {
			id := fmt.Sprint(code, deferred)
			failing(t, url, code, 3, deferred)
			_, err := db.Reserve(t.Context(), request(a, id))
			require.NoError(t, err)
			failing(t, url, code, 3, deferred)
			_, err = db.Settle(t.Context(), id, service.Project{}, service.NewFile{Name: id})
			require.NoError(t, err)
			failing(t, url, code, 3, deferred)
			_, err = db.AddCredits(t.Context(), a.ID, 5, service.Change{})
			require.NoError(t, err)
		}
	}
	after, err := db.Account(t.Context(), "anna")
	require.NoError(t, err)
	require.EqualValues(t, 10_000-4*100, after.PlanCredits)
	require.EqualValues(t, 4*5, after.PaygCredits)
	require.NoError(t, db.Check(t.Context()))
}

// TestWhatTheServerRefuses has it refuse transactions for long, with codes of which some may pass.
func TestWhatTheServerRefuses(t *testing.T) {
	url, a := withAccount(t)
	db, hasty := openWith(t, postgres.Options{URL: url}), openWith(t, postgres.Options{URL: url, Wait: shortWait})
	for code, busy := range map[string]bool{
		"40001": true, "40P01": true, "53100": true, "53200": true, "53300": true, "57P01": true, "57014": true, "58030": true,
		"55P03": true, "23514": false, "P0001": false, "XX001": false, "42501": false,
	} {
		for _, deferred := range []bool{false, true} {
			failing(t, url, code, 1_000_000, deferred)
			s := db
			if busy {
				s = hasty
			}
			_, err := s.AddCredits(t.Context(), a.ID, 5, service.Change{})
			require.Error(t, err)
			require.Equal(t, busy, errors.Is(err, service.ErrStoreBusy), "%s: %v", code, err)
		}
	}
	failing(t, url, "08006", 1_000_000, true)
	_, err := db.AddCredits(t.Context(), a.ID, 5, service.Change{})
	require.Error(t, err)
	require.NotErrorIs(t, err, service.ErrStoreBusy, "a pooler that lost the server during COMMIT does not know")
	after, err := db.Account(t.Context(), "anna")
	require.NoError(t, err)
	require.Zero(t, after.PaygCredits)
	require.NoError(t, db.Check(t.Context()))
}

// TestErrorsForTheLog: each is one line that says what it is, and says nothing twice.
func TestErrorsForTheLog(t *testing.T) {
	proxy := postgrestest.Shared().Proxy(t)
	url := proxy.URL(postgrestest.Name(empty(t)))
	_, address, _ := strings.Cut(url, "@")
	address, _, _ = strings.Cut(address, "/")
	db := openWith(t, postgres.Options{URL: strings.Replace(url, "@", "@"+address+",", 1), Wait: shortWait})
	proxy.Away(true)
	require.EventuallyWithT(t, func(c *assert.CollectT) {
		err := db.Ping(t.Context())
		require.ErrorIs(c, err, service.ErrStoreBusy)
		require.Contains(c, err.Error(), "cannot be reached: failed to connect to")
		require.NotContains(c, err.Error(), "\n")
		require.NotContains(c, err.Error(), "\t")
		require.Equal(c, 1, strings.Count(err.Error(), address), err)
	}, time.Minute, time.Millisecond)
}

// TestDeadlock makes a real one, of which the store is the victim.
func TestDeadlock(t *testing.T) {
	ctx := t.Context()
	url, a := withAccount(t)
	db := openWith(t, postgres.Options{URL: url + "&deadlock_timeout=3s", Wait: time.Minute})
	first := connect(t, url)
	first.exec(`SET deadlock_timeout = '1h'; BEGIN; SELECT FROM accounts FOR UPDATE`)
	result := make(chan error, 1)
	in := signingIn(a.Subject, 1000)
	in.Groups = []string{"team"}
	go func() {
		_, err := db.SignIn(ctx, in) // has locked the address, and waits for the account
		result <- err
	}()
	connect(t, url).waitForLocks(1)
	first.exec(fmt.Sprintf(`SELECT pg_advisory_xact_lock(%d, hashtext('%s'))`, postgres.EmailLock, a.Email))
	first.exec(`COMMIT`)
	require.NoError(t, <-result)
	a, err := db.Account(ctx, a.Subject)
	require.NoError(t, err)
	require.Equal(t, in.Groups, a.Groups)
}

// standing returns the clock of a database, which stands until it is set.
func standing(t testing.TB, url string) *storetest.Clock {
	t.Helper()
	clock := storetest.NewClock()
	set, _ := testClock(t, url)
	clock.Follow(set)
	return clock
}

// watch has the process "watcher" give heartbeats until it may repair.
func watch(t *testing.T, clock *storetest.Clock, db *postgres.DB) {
	t.Helper()
	storetest.Watch(t, db, clock, postgres.DeadAfter)
}

// TestRepairOfLockedAccounts keeps one account locked: the calls of the others are refunded, and its own when it is free.
func TestRepairOfLockedAccounts(t *testing.T) {
	ctx := t.Context()
	url, a := withAccount(t)
	clock := standing(t, url)
	db := openWith(t, postgres.Options{URL: url})
	b, err := db.SignIn(ctx, signingIn("bob", 10_000))
	require.NoError(t, err)
	for _, account := range []service.Account{a, b} {
		_, err := db.Reserve(ctx, request(account, account.Subject))
		require.NoError(t, err)
	}
	watch(t, clock, db)
	locker := connect(t, url)
	locker.exec(fmt.Sprintf(`BEGIN; SELECT FROM accounts WHERE id = %d FOR UPDATE`, a.ID))
	for _, want := range []int{1, 0} {
		n, err := db.Repair(ctx, "watcher")
		require.NoError(t, err)
		require.Equal(t, want, n)
	}
	locker.exec(`COMMIT`)
	n, err := db.Repair(ctx, "watcher")
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.NoError(t, db.Check(ctx))
}

// TestOthersDuringRepair has a repair wait in the middle: it keeps no row that others need to show that they live.
func TestOthersDuringRepair(t *testing.T) {
	ctx := t.Context()
	url, a := withAccount(t)
	clock := standing(t, url)
	db := openWith(t, postgres.Options{URL: url})
	require.NoError(t, db.Ping(ctx))
	require.NoError(t, db.Heartbeat(ctx, "p"))
	_, err := db.Reserve(ctx, request(a, "one"))
	require.NoError(t, err)
	watch(t, clock, db)
	require.NoError(t, execute(t, url, `CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$
			BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NULL; END $$;
		CREATE TRIGGER slow AFTER INSERT ON ledger FOR EACH ROW EXECUTE FUNCTION slow()`))
	locker := connect(t, url)
	locker.exec(`SELECT pg_advisory_lock(1)`)
	result := make(chan error, 1)
	go func() {
		n, err := db.Repair(ctx, "watcher")
		if err == nil && n != 1 {
			err = fmt.Errorf("%d calls", n)
		}
		result <- err
	}()
	connect(t, url).waitForLocks(1)
	require.NoError(t, db.Ping(ctx))
	require.NoError(t, db.Heartbeat(ctx, "watcher"))
	line := turns.Line{Provider: "p", Instance: "p", Queue: 1, Callers: []turns.Caller{{Number: 1}}}
	answer, err := db.Exchange(ctx, line)
	require.NoError(t, err)
	require.Equal(t, []int64{1}, answer.Turns)
	locker.exec(`SELECT pg_advisory_unlock(1)`)
	require.NoError(t, <-result)
	require.NoError(t, db.Ping(ctx))
	require.NoError(t, db.Check(ctx))
}

// TestRepairsAtOnce has many processes repair at the same time: each call is refunded once.
func TestRepairsAtOnce(t *testing.T) {
	url := empty(t)
	stores := []*postgres.DB{openWith(t, postgres.Options{URL: url}), openWith(t, postgres.Options{URL: url})}
	const calls = 20
	for i := range calls {
		a, err := stores[0].SignIn(t.Context(), signingIn(fmt.Sprint("user-", i), 1000))
		require.NoError(t, err)
		_, err = stores[i%2].Reserve(t.Context(), request(a, a.Subject))
		require.NoError(t, err)
	}
	watch(t, standing(t, url), stores[0])
	var wg sync.WaitGroup
	refunded, errs := make([]int, 10), make([]error, 10)
	for i := range refunded {
		wg.Go(func() { refunded[i], errs[i] = stores[i%2].Repair(t.Context(), "watcher") })
	}
	wg.Wait()
	sum := 0
	for _, n := range refunded {
		sum += n
	}
	require.NoError(t, errors.Join(errs...))
	require.Equal(t, calls, sum)
	require.NoError(t, stores[1].Check(t.Context()))
}

// TestRepairWaitsForTheServer repairs nothing while the server has just started.
func TestRepairWaitsForTheServer(t *testing.T) {
	url, a := withAccount(t)
	db := openWith(t, postgres.Options{URL: url})
	_, err := db.Reserve(t.Context(), request(a, "one"))
	require.NoError(t, err)
	watch(t, standing(t, url), db)
	require.NoError(t, execute(t, url, `CREATE OR REPLACE FUNCTION service_started() RETURNS timestamptz LANGUAGE sql STABLE AS
		'SELECT service_clock() - interval ''9 seconds'''`))
	n, err := db.Repair(t.Context(), "watcher")
	require.NoError(t, err)
	require.Zero(t, n)
	require.NoError(t, execute(t, url, `CREATE OR REPLACE FUNCTION service_started() RETURNS timestamptz LANGUAGE sql STABLE AS
		'SELECT service_clock() - interval ''11 seconds'''`))
	n, err = db.Repair(t.Context(), "a process that gave no heartbeat")
	require.NoError(t, err)
	require.Zero(t, n)
	n, err = db.Repair(t.Context(), "watcher")
	require.NoError(t, err)
	require.Equal(t, 1, n)
}

// TestEndedConnections has the server end the connections of a store that waits for nothing.
func TestEndedConnections(t *testing.T) {
	url, a := withAccount(t)
	db := openWith(t, postgres.Options{URL: url, MaxConns: 3})
	for i := range 5 {
		connect(t, url).exec(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`)
		id := fmt.Sprint(i)
		_, err := db.Reserve(t.Context(), request(a, id))
		require.NoError(t, err)
		require.NoError(t, db.Refund(t.Context(), id, "test"))
	}
}

// TestRestart restarts the server while calls run, once in an orderly way and once by a kill: what was acknowledged is there, and whoever
// asks again learns what was not.
func TestRestart(t *testing.T) {
	cluster, err := postgrestest.Start(true)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, cluster.Remove()) })
	url := cluster.Database(t, "template0")
	_, _, err = postgres.Migrate(t.Context(), postgres.Options{URL: url})
	require.NoError(t, err)
	db := openWith(t, postgres.Options{URL: url})
	ctx, stop := context.WithCancel(t.Context())
	const users = 4
	charged, errs := make([]atomic.Int64, users), make([]error, users)
	var wg sync.WaitGroup
	for i := range users {
		a, err := db.SignIn(ctx, signingIn(fmt.Sprint("user-", i), 1_000_000))
		require.NoError(t, err)
		wg.Go(func() { errs[i] = callThrough(ctx, db, a, &charged[i]) })
	}
	callsGoOn := func() { // those of every user
		for i := range users {
			before := charged[i].Load()
			require.Eventually(t, func() bool { return charged[i].Load() > before }, time.Minute, time.Millisecond)
		}
	}
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGQUIT} {
		callsGoOn()
		require.NoError(t, cluster.Stop(signal))
		time.Sleep(100 * time.Millisecond) // calls fail
		require.NoError(t, cluster.Start())
	}
	callsGoOn()
	stop()
	wg.Wait()
	require.NoError(t, errors.Join(errs...))
	require.NoError(t, db.Check(t.Context()))
	for i := range users {
		a, err := db.Account(t.Context(), fmt.Sprint("user-", i))
		require.NoError(t, err)
		require.EqualValues(t, 1_000_000-100*charged[i].Load(), a.Credits())
	}
}

// callThrough makes calls of one user until ctx ends, and asks again as long as an outcome is unknown.
func callThrough(ctx context.Context, db *postgres.DB, a service.Account, charged *atomic.Int64) error {
	for n := 0; ctx.Err() == nil; n++ {
		r := request(a, fmt.Sprint(a.Subject, "-", n))
		for _, step := range []func() error{
			func() error {
				_, err := db.Reserve(context.WithoutCancel(ctx), r)
				return err
			},
			func() error {
				_, err := db.Settle(context.WithoutCancel(ctx), r.ID, service.Project{}, service.NewFile{Name: r.ID})
				return err
			},
		} {
			err := step()
			for tries := 0; err != nil && tries < 200; tries++ {
				time.Sleep(50 * time.Millisecond)
				err = step()
			}
			if err != nil {
				return err
			}
		}
		charged.Add(1)
	}
	return nil
}

// TestAlone runs one of two at once, and stops it when its connection is lost, as then another may run.
func TestAlone(t *testing.T) {
	url := empty(t)
	a, b := openWith(t, postgres.Options{URL: url}), openWith(t, postgres.Options{URL: url})
	ran, err := a.Alone(t.Context(), func(ctx context.Context) error {
		ran, err := b.Alone(ctx, func(context.Context) error { return nil })
		require.NoError(t, err)
		require.False(t, ran)
		return service.ErrFilesDown
	})
	require.ErrorIs(t, err, service.ErrFilesDown)
	require.True(t, ran)
	ran, err = b.Alone(t.Context(), func(ctx context.Context) error {
		require.NoError(t, execute(t, url, `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'
			AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`))
		<-ctx.Done()
		return ctx.Err()
	})
	require.ErrorIs(t, err, context.Canceled)
	require.True(t, ran)
	require.Eventually(t, func() bool { // the server ends the connection
		ran, err = a.Alone(t.Context(), func(ctx context.Context) error { return ctx.Err() })
		return ran || err != nil
	}, time.Minute, time.Millisecond)
	require.NoError(t, err)
	for range 20 {
		ran, err = b.Alone(t.Context(), func(ctx context.Context) error { return ctx.Err() })
		require.NoError(t, err)
		require.True(t, ran, "the turn is free at once")
	}
}

func TestPanicInAWrite(t *testing.T) {
	url, a := withAccount(t)
	db := openWith(t, postgres.Options{URL: url, MaxConns: 1})
	require.PanicsWithValue(t, "spoiled", func() { _ = db.Spoil(t.Context(), a.ID, "spoiled") })
	after, err := db.AddCredits(t.Context(), a.ID, 5, service.Change{})
	require.NoError(t, err)
	require.EqualValues(t, 5, after.PaygCredits)
	require.NoError(t, db.Check(t.Context()))
}

// TestLedgerIsNotEdited tries to change the ledger behind the program's back, and what Check says of one that was changed.
func TestLedgerIsNotEdited(t *testing.T) {
	ctx := t.Context()
	url, a := withAccount(t)
	db := openWith(t, postgres.Options{URL: url})
	_, err := db.Reserve(ctx, request(a, "one"))
	require.NoError(t, err)
	for statement, want := range map[string]string{
		`UPDATE ledger SET plan = 1`:            "never changed",
		`UPDATE ledger SET note = 'later'`:      "never changed",
		`DELETE FROM ledger`:                    "never deleted",
		`TRUNCATE ledger`:                       "never deleted",
		`UPDATE accounts SET held_credits = -1`: "check",
		`INSERT INTO ledger (at, account, reason, plan, payg, held, granted, spent, expired) VALUES (0, 1, '', 1, 0, 0, 0, 0, 0)`: "check",
	} {
		require.ErrorContains(t, execute(t, url, statement), want)
	}
	require.NoError(t, execute(t, url, `UPDATE ledger SET note = ''`))
	require.NoError(t, db.Check(ctx))
	for _, c := range []struct{ statement, want string }{
		{`UPDATE accounts SET plan_credits = plan_credits + 5`, "acc-1 has (9905, 0, 100), its rows sum to (9900, 0, 100)"},
		{`UPDATE accounts SET plan_credits = plan_credits - 5`, ""},
		{`UPDATE calls SET status = 'refunded'`, "acc-1 holds 100 credits for 0 of calls"},
		{`UPDATE calls SET status = 'charged'`, "call 1 has the status charged, its rows hold 100 and spent 0"},
		{`UPDATE calls SET status = 'charged'`, "call 1 has the status charged and no file"},
		{`UPDATE calls SET status = 'held'`, ""},
	} {
		require.NoError(t, execute(t, url, c.statement))
		if c.want == "" {
			require.NoError(t, db.Check(ctx))
		} else {
			require.ErrorContains(t, db.Check(ctx), c.want)
		}
	}
}

// TestTextsThatCannotBeStored has texts that PostgreSQL does not take: no call fails for its title, and nobody gets an account of another.
func TestTextsThatCannotBeStored(t *testing.T) {
	ctx := t.Context()
	url, a := withAccount(t)
	db := openWith(t, postgres.Options{URL: url})
	_, err := db.Reserve(ctx, request(a, "one"))
	require.NoError(t, err)
	_, err = db.Settle(ctx, "one", service.Project{Title: "a\x00b\xff"}, service.NewFile{Name: "one.mp3"})
	require.NoError(t, err)
	list, _, err := db.Usage(ctx, a.ID, "", 10)
	require.NoError(t, err)
	require.Equal(t, "a\uFFFDb\uFFFD", list[0].Title)
	for _, name := range []string{"anna\x00", "\x00", "\xff"} {
		_, err = db.SignIn(ctx, signingIn(name, 1000))
		require.Error(t, err)
		_, err = db.Account(ctx, name)
		require.ErrorIs(t, err, service.ErrNotFound)
		_, err = db.File(ctx, name)
		require.ErrorIs(t, err, service.ErrNotFound)
		_, err = db.Settle(ctx, name, service.Project{}, service.NewFile{Name: "two.mp3"})
		require.ErrorIs(t, err, service.ErrReleased)
		require.NoError(t, db.Refund(ctx, name, "test"))
		require.ErrorIs(t, db.RevokeKey(ctx, a.ID, name, service.Change{}), service.ErrNotFound)
	}
	found, err := db.Indexed(ctx, []string{"one.mp3", "a\x00"})
	require.NoError(t, err)
	require.Equal(t, []string{"one.mp3"}, found)
	require.NoError(t, db.Removed(ctx, []string{"one.mp3", "a\x00"}))
}

// TestRefusedUsersCostNoWrite locks all accounts: users without access are refused all the same.
func TestRefusedUsersCostNoWrite(t *testing.T) {
	url, a := withAccount(t)
	db := openWith(t, postgres.Options{URL: url})
	connect(t, url).exec(`BEGIN; LOCK TABLE accounts IN SHARE MODE`)
	in := signingIn("eve", 10)
	in.Admitted = false
	_, err := db.SignIn(t.Context(), in)
	require.ErrorIs(t, err, service.ErrNotAdmitted)
	again, err := db.SignIn(t.Context(), signingIn("anna", 10))
	require.NoError(t, err)
	require.Equal(t, a, again)
}

// TestInvitationAndSignInAtOnce makes an account for an address whose user signs in at that moment: there is one in the end.
func TestInvitationAndSignInAtOnce(t *testing.T) {
	url := empty(t)
	stores := []*postgres.DB{openWith(t, postgres.Options{URL: url}), openWith(t, postgres.Options{URL: url})}
	for i := range 30 {
		subject := fmt.Sprint("user-", i)
		var wg sync.WaitGroup
		var signIn, invite error
		wg.Go(func() { _, signIn = stores[0].SignIn(t.Context(), signingIn(subject, 1000)) })
		wg.Go(func() {
			_, invite = stores[1].CreateAccount(t.Context(), service.NewAccount{Email: subject + "@example.com", Plan: service.Free}, service.Change{})
		})
		wg.Wait()
		require.NoError(t, signIn)
		if invite != nil {
			require.ErrorIs(t, invite, service.ErrEmailTaken)
		}
		list, err := stores[0].AccountsByEmail(t.Context(), subject+"@example.com")
		require.NoError(t, err)
		require.Len(t, list, 1)
		require.Equal(t, subject, list[0].Subject)
	}
	require.NoError(t, stores[0].Check(t.Context()))
}

// TestChargeAndRefundAtOnce ends calls in both ways at the same time, from two processes: one of them wins, and both say so.
func TestChargeAndRefundAtOnce(t *testing.T) {
	url, a := withAccount(t)
	stores := []*postgres.DB{openWith(t, postgres.Options{URL: url}), openWith(t, postgres.Options{URL: url})}
	charged := 0
	for i := range 60 {
		id := fmt.Sprint(i)
		_, err := stores[0].Reserve(t.Context(), request(a, id))
		require.NoError(t, err)
		var wg sync.WaitGroup
		var charge, refund error
		wg.Go(func() { _, charge = stores[i%2].Settle(t.Context(), id, service.Project{}, service.NewFile{Name: id}) })
		wg.Go(func() { refund = stores[1-i%2].Refund(t.Context(), id, "test") })
		wg.Wait()
		if charge == nil {
			charged++
			require.ErrorIs(t, refund, service.ErrCharged)
			continue
		}
		require.ErrorIs(t, charge, service.ErrReleased)
		require.NoError(t, refund)
	}
	after, err := stores[0].Account(t.Context(), "anna")
	require.NoError(t, err)
	require.EqualValues(t, 10_000-100*charged, after.Credits())
	require.NoError(t, stores[1].Check(t.Context()))
}
