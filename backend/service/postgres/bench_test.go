//go:build postgres

package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/postgres"
	"github.com/voicewright/voicewright/backend/service/postgres/postgrestest"
)

const (
	benchProcesses = 2
	benchUsers     = 8 // of each process, who call at the same time
	benchTime      = 10 * time.Second
)

// The environment variables of a process that makes calls as fast as it can, and prints how many: its number, and the store.
const (
	benchProcess = "VOICEWRIGHT_TEST_BENCH"
	benchStore   = "VOICEWRIGHT_TEST_BENCH_STORE"
)

// BenchmarkCalls reserves and settles from two processes on a server that syncs its commits, and has pgbench do the same statements.
func BenchmarkCalls(b *testing.B) {
	cluster, err := postgrestest.Start(true)
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, cluster.Remove()) })
	for range b.N {
		url := cluster.Database(b, "template0")
		_, _, err = postgres.Migrate(b.Context(), postgres.Options{URL: url})
		require.NoError(b, err)
		db := openWith(b, postgres.Options{URL: url})
		for user := range benchProcesses * benchUsers {
			_, err := db.SignIn(b.Context(), signingIn(fmt.Sprint("user-", user), 1<<40))
			require.NoError(b, err)
		}
		calls := twoProcesses(b, url)
		b.ReportMetric(calls, "calls/s")
		theirs := pgbench(b, cluster, postgrestest.Name(url))
		b.ReportMetric(theirs, "pgbench-calls/s")
		b.ReportMetric(calls/theirs, "of-pgbench")
		require.NoError(b, db.Check(b.Context()))
	}
}

// twoProcesses returns the calls a second of two processes.
func twoProcesses(b *testing.B, url string) float64 {
	b.Helper()
	var sum atomic.Int64
	errs := make([]error, benchProcesses)
	var wg sync.WaitGroup
	for i := range benchProcesses {
		wg.Go(func() {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), benchStore+"="+url, fmt.Sprint(benchProcess, "=", i))
			cmd.Stderr = os.Stderr
			out, err := cmd.Output()
			n, parseErr := strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
			sum.Add(n)
			errs[i] = errors.Join(err, parseErr)
		})
	}
	wg.Wait()
	require.NoError(b, errors.Join(errs...))
	return float64(sum.Load()) / benchTime.Seconds()
}

// benchChild reports whether this process is one that makes calls, and has made them.
func benchChild() bool {
	number := os.Getenv(benchProcess)
	if number == "" {
		return false
	}
	if err := benchCalls(os.Getenv(benchStore), number); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return true
}

// benchCalls makes the calls of one process.
func benchCalls(url, number string) error {
	process, err := strconv.Atoi(number)
	if err != nil {
		return err
	}
	ctx := context.Background()
	db, err := postgres.Open(ctx, postgres.Options{URL: url})
	if err != nil {
		return err
	}
	var calls atomic.Int64
	errs := make([]error, benchUsers)
	end := time.Now().Add(benchTime)
	var wg sync.WaitGroup
	for i := range benchUsers {
		wg.Go(func() {
			a := service.Account{ID: int64(1 + process*benchUsers + i)}
			for n := 0; errs[i] == nil && time.Now().Before(end); n++ {
				r := request(a, fmt.Sprintf("%d-%d-%d", process, i, n))
				r.RateLimit = service.CallsPerMinute * 10_000
				if _, errs[i] = db.Reserve(ctx, r); errs[i] == nil {
					_, errs[i] = db.Settle(ctx, r.ID, service.Project{Title: "Title"}, service.NewFile{Name: r.ID + ".mp3", Format: service.MP3})
				}
				calls.Add(1)
			}
		})
	}
	wg.Wait()
	fmt.Println(calls.Load())
	return errors.Join(append(errs, db.Close())...)
}

// script is what Reserve and Settle do, for pgbench.
const script = `\set account :client_id + 1
\set number random(1, 1000000000000000)
BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
SELECT a.id FROM accounts a WHERE a.id = :account AND (a.subject IS NOT NULL OR a.invited <> '') FOR UPDATE;
SELECT a.plan_credits, a.payg_credits, a.plan_number, EXISTS (SELECT FROM idempotency_keys WHERE account = a.id AND hash = NULL), c.seq IS NOT NULL, coalesce(c.id = :number::text, false), coalesce(c.plan_credits, 0), coalesce(c.payg_credits, 0) FROM accounts a LEFT JOIN calls c ON c.account = a.id AND c.status = 'held' WHERE a.id = :account AND a.subject IS NOT NULL;
WITH clock AS MATERIALIZED (SELECT service_micros() AS now) SELECT clock.now, (SELECT min(at) FROM rate_calls WHERE account = :account), (SELECT max(at) FROM rate_calls WHERE account = :account), (SELECT at FROM rate_calls WHERE account = :account AND at > clock.now - 60000000 ORDER BY at DESC LIMIT 1 OFFSET 299999) FROM clock;
INSERT INTO rate_calls (account, at, number) SELECT :account, service_micros(), 1 + coalesce(max(number), 0) FROM rate_calls WHERE account = :account;
WITH call AS (INSERT INTO calls (id, account, instance, status, kind, provider, model, characters, plan_credits, payg_credits, plan_number, at) VALUES (:number::text, :account, 'p', 'held', 'synthesize', 'ProviderC', 'm', 250, 100, 0, 1, service_millis()) RETURNING seq) INSERT INTO ledger (at, account, call, reason, plan, payg, held, granted, spent, expired, actor, note) SELECT service_millis(), :account, seq, 'reserve', -100, 0, 100, 0, 0, 0, '', '' FROM call;
COMMIT;
BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
SELECT a.id FROM accounts a WHERE a.id = (SELECT account FROM calls WHERE id = :number::text) FOR UPDATE;
SELECT c.seq, c.account, c.plan_credits, c.payg_credits, c.status, coalesce(f.name, ''), EXISTS (SELECT FROM idempotency_keys WHERE call = c.seq), service_millis() FROM calls c LEFT JOIN files f ON f.call = c.seq WHERE c.id = :number::text;
WITH call AS (UPDATE calls SET status = 'charged', title = 'Title', voice = '', seconds = 0 WHERE id = :number::text AND status = 'held' RETURNING seq, account, plan_credits + payg_credits AS price), file AS (INSERT INTO files (call, name, format, bytes, created_at, expires_at) SELECT seq, :number::text || '.mp3', 'mp3', 1, service_millis(), service_millis() FROM call) INSERT INTO ledger (at, account, call, reason, plan, payg, held, granted, spent, expired, actor, note) SELECT service_millis(), account, seq, 'charge', 0, 0, -price, 0, price, 0, '', '' FROM call;
SELECT a.*, (SELECT count(*) FROM keys WHERE account = a.id AND revoked_at = 0), coalesce((SELECT payg_credits FROM calls WHERE account = a.id AND status = 'held'), 0) FROM accounts a WHERE a.id = :account;
COMMIT;
`

// pgbench returns the calls a second of pgbench.
func pgbench(b *testing.B, cluster *postgrestest.Cluster, database string) float64 {
	b.Helper()
	path := filepath.Join(cluster.Dir, "script.sql")
	require.NoError(b, os.WriteFile(path, []byte(script), 0o644))
	out, err := cluster.Program(b.Context(), "pgbench", database, "--no-vacuum", "--protocol=prepared", "--file="+path, "--jobs=2",
		fmt.Sprint("--client=", benchProcesses*benchUsers), fmt.Sprint("--time=", int(benchTime.Seconds()))).CombinedOutput()
	require.NoError(b, err, string(out))
	found := regexp.MustCompile(`(?m)^tps = ([0-9.]+)`).FindSubmatch(out)
	require.NotNil(b, found, string(out))
	tps, err := strconv.ParseFloat(string(found[1]), 64)
	require.NoError(b, err)
	return tps
}
