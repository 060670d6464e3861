//go:build scale && postgres

package servicescale_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

const (
	// measured is how long each measurement takes. The best of several counts, as other programs run.
	measured = 5 * time.Second
	runs     = 3

	requestRate = 500 // requests a second that are no speech
	httpClients = 32  // of requests for speech at once
)

// TestSpeedCycles prints how many calls a second two processes reserve and settle, beside what pgbench reaches with the same statements in
// the same run.
func TestSpeedCycles(t *testing.T) {
	cluster, db := onMeasured(t)
	store := db.open(t)
	signUp(t, store, cycleAccounts)
	var ours, theirs float64
	for range runs {
		ours = max(ours, cyclesOf(t, db, "", 2, measured))
		theirs = max(theirs, pgbench(t, cluster, db, measured))
	}
	t.Logf("reserve and settle: %.0f a second by two processes, %.0f by pgbench with the same statements: %.2f", ours, theirs, ours/theirs)
	t.Logf("%d bytes of the database a call", number(t, db, `SELECT pg_database_size(current_database()) / count(*) FROM calls`))
	require.GreaterOrEqual(t, ours, theirs/2)
	require.NoError(t, store.Check(t.Context()))
}

// TestSpeedProcesses prints what 1, 2 and 4 processes do on one PostgreSQL, with the statements that take longest, and 1 and 2 on SQLite.
func TestSpeedProcesses(t *testing.T) {
	for _, processes := range []int{1, 2, 4} {
		t.Run(fmt.Sprint("PostgreSQL, processes ", processes), func(t *testing.T) {
			_, db := onMeasured(t)
			w := newWorld(t, db, cycleAccounts)
			var cycles, files float64
			for range runs {
				cycles = max(cycles, cyclesOf(t, db, "", processes, measured))
				files = max(files, cyclesOf(t, db, w.files.address, processes, measured))
			}
			reset(t, db)
			w.run(processes)
			t.Logf("%.0f cycles a second, %.0f with audio in a folder; %s", cycles, files, w.speech())
			for i, s := range statements(t, db)[:5] {
				t.Logf("%d. %s", i+1, s)
			}
		})
	}
	for _, processes := range []int{1, 2} {
		t.Run(fmt.Sprint("SQLite, processes ", processes), func(t *testing.T) {
			w := newWorld(t, onSQLite(t), cycleAccounts)
			w.run(processes)
			t.Log(w.speech())
		})
	}
}

// speech returns how many requests for speech a second are answered.
func (w *world) speech() string {
	w.t.Helper()
	best, errors := 0, map[int]int{}
	for range runs {
		l := w.newLoad()
		l.again = false
		l.begin(httpClients)
		time.Sleep(measured)
		n := 0
		for _, c := range l.end() {
			if c.outcome == answered {
				n++
			} else {
				errors[c.status]++
			}
		}
		best = max(best, n)
	}
	return fmt.Sprintf("%.0f requests for speech a second, others by status: %v", float64(best)/measured.Seconds(), errors)
}

// TestSpeedRequests prints the times of requests that are no speech, 500 a second over two processes, whether or not the ones before were
// answered.
func TestSpeedRequests(t *testing.T) {
	_, db := onMeasured(t)
	w := newWorld(t, db, 200)
	w.run(2)
	requests := []struct{ path, credential string }{
		{"/api/v1/user/credits", "key"}, {"/api/v1/tts/voices", "key"}, {"/api/v1/user/api-keys", "token"}, {"/api/v1/user/credits", "token"},
	}
	tokens := make([]string, len(w.users))
	for i, u := range w.users {
		tokens[i] = w.issuer.Token(u.name)
	}
	client := newClient()
	defer client.CloseIdleConnections()
	send := func(i int) error {
		r, user := requests[i%len(requests)], i/len(requests)%len(w.users)
		credential := w.users[user].key
		if r.credential == "token" {
			credential = tokens[user]
		}
		status, answer, err := w.send(client, "GET", r.path, credential, "", nil)
		if err == nil && status != http.StatusOK {
			err = fmt.Errorf("%s: %d %s", r.path, status, answer)
		}
		return err
	}
	together(t, 2*len(requests)*len(w.users), send) // connections, and the first use of each key, which is written
	best := times{time.Hour, time.Hour, time.Hour}
	for range runs {
		if got := atRate(t, requestRate, 2*measured, send); got.p95 < best.p95 {
			best = got
		}
	}
	t.Logf("%d requests a second that are no speech, over two processes: %s", requestRate, best)
}

// times are percentiles of the times of requests.
type times struct{ p50, p95, p99 time.Duration }

func (t times) String() string {
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	return fmt.Sprintf("p50 %.1f ms, p95 %.1f ms, p99 %.1f ms", ms(t.p50), ms(t.p95), ms(t.p99))
}

// atRate calls f at a rate a second and returns how long its calls took.
func atRate(t *testing.T, rate int, length time.Duration, f func(i int) error) times {
	t.Helper()
	took, errs := make([]time.Duration, rate*int(length/time.Second)), make([]error, rate*int(length/time.Second))
	var calls sync.WaitGroup
	began := time.Now()
	for i := range took {
		time.Sleep(time.Until(began.Add(time.Duration(i) * time.Second / time.Duration(rate))))
		calls.Go(func() {
			started := time.Now()
			errs[i] = f(i)
			took[i] = time.Since(started)
		})
	}
	calls.Wait()
	for _, err := range errs {
		require.NoError(t, err)
	}
	slices.Sort(took)
	return times{took[len(took)/2], took[len(took)*95/100], took[len(took)*99/100]}
}

// TestSpeedKeyCheck requires that the check of an API key is one statement, which an index finds.
func TestSpeedKeyCheck(t *testing.T) {
	_, db := onMeasured(t)
	store := db.open(t)
	users := signUp(t, store, cycleAccounts)
	cyclesOf(t, db, "", 1, time.Second) // in an empty table no index is used
	check := func(u user) error {
		_, _, err := store.KeyCaller(t.Context(), hashOf(u.key))
		return err
	}
	require.NoError(t, check(users[0])) // the first use of a minute is written
	reset(t, db)
	const checks = 100
	for range checks {
		require.NoError(t, check(users[0]))
	}
	var sent []statement
	for _, s := range statements(t, db) {
		if s.calls >= checks {
			sent = append(sent, s)
		}
	}
	require.Len(t, sent, 1, "statements of a check")
	require.EqualValues(t, checks, sent[0].calls)
	plan := explain(t, db, sent[0].text)
	t.Logf("check of a key: %s\n%s", sent[0], plan)
	require.Contains(t, plan, "Index Scan using keys_pkey")
	require.NotContains(t, plan, "Seq Scan")
}

// explain returns the plan of a statement whose constants are parameters.
func explain(t *testing.T, db database, text string) string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), db.address)
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(context.Background())) }()
	nulls := 0
	for strings.Contains(text, fmt.Sprint("$", nulls+1)) {
		nulls++
	}
	_, err = conn.Exec(t.Context(), `ANALYZE; SET plan_cache_mode = force_generic_plan; PREPARE checked AS `+text)
	require.NoError(t, err)
	rows, err := conn.Query(t.Context(), `EXPLAIN EXECUTE checked(`+strings.Repeat(", NULL", nulls)[2:]+`)`, pgx.QueryExecModeSimpleProtocol)
	require.NoError(t, err)
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	return strings.Join(lines, "\n")
}
