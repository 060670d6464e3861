//go:build scale && postgres

package servicescale_test

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/exit"
	"github.com/voicewright/voicewright/backend/service/postgres/postgrestest"
)

// TestFaultRestarts restarts PostgreSQL under load: in order and as after a crash, within the time that a call waits for it and after that.
func TestFaultRestarts(t *testing.T) {
	cluster := newCluster(t, false)
	w := newWorld(t, onPostgres(t, cluster), 200)
	w.speaker.SetDelay(shortDelay)
	w.run(2)
	l := w.newLoad()
	l.begin(16)
	away := []time.Duration{0, time.Second, 3 * time.Second, 15 * time.Second}
	if kills(t) < 100 {
		away = away[:2]
	}
	for _, pause := range away {
		for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGQUIT} {
			time.Sleep(time.Second + rand.N(time.Second))
			require.NoError(t, cluster.Stop(signal))
			time.Sleep(pause)
			require.NoError(t, cluster.Start())
		}
	}
	time.Sleep(2 * time.Second)
	t.Logf("PostgreSQL stopped and killed, away for %v: %s", away, w.verify(l.end()))
}

// TestFaultCommits cuts connections to PostgreSQL, most of them at a COMMIT: before it arrives, and before its answer does.
func TestFaultCommits(t *testing.T) {
	cluster := newCluster(t, false)
	db := onPostgres(t, cluster)
	proxy := cluster.Proxy(t)
	db.through = proxy.URL(postgrestest.Name(db.address))
	w := newWorld(t, db, 200)
	w.speaker.SetDelay(shortDelay)
	w.run(2)
	l := w.newLoad()
	l.begin(16)
	points := []postgrestest.Point{postgrestest.AtStatement, postgrestest.BeforeCommit, postgrestest.AfterCommit, postgrestest.InAnswer}
	cuts := make([]int, len(points))
	for range max(kills(t), 20) {
		i := rand.N(len(points))
		before := proxy.Cuts()
		proxy.Cut(points[i])
		require.Eventually(t, func() bool { return proxy.Cuts() > before }, timeout, time.Millisecond)
		cuts[i]++
		time.Sleep(rand.N(100 * time.Millisecond))
	}
	r := w.verify(l.end())
	t.Logf("connections cut before a statement %d, before COMMIT %d, after it %d, in its answer %d: %s", cuts[0], cuts[1], cuts[2], cuts[3], r)
}

// TestFaultPool makes 64 calls at once through pools of one connection, and then with a server that has no connection left.
func TestFaultPool(t *testing.T) {
	cluster := newCluster(t, false)
	db := onPostgres(t, cluster)
	proxy := cluster.Proxy(t)
	db.through = proxy.URL(postgrestest.Name(db.address)) + "&pool_max_conns=1"
	w := newWorld(t, db, 200)
	w.speaker.SetDelay(shortDelay)
	w.run(2)
	l := w.newLoad()
	l.begin(64)
	time.Sleep(3 * time.Second)
	proxy.Away(true)
	var taken []*pgx.Conn
	for conn, err := pgx.Connect(t.Context(), db.address); err == nil; conn, err = pgx.Connect(t.Context(), db.address) {
		taken = append(taken, conn)
	}
	proxy.Away(false)
	time.Sleep(3 * time.Second)
	for _, conn := range taken {
		require.NoError(t, conn.Close(t.Context()))
	}
	time.Sleep(3 * time.Second)
	t.Logf("64 clients over pools of one connection, then %d connections taken away: %s", len(taken), w.verify(l.end()))
}

// TestFaultRepairs kills one of three processes during many calls. The two others refund them at the same time, each once.
func TestFaultRepairs(t *testing.T) {
	w := newWorld(t, onPostgres(t, newCluster(t, false)), 60)
	var speaking atomic.Int64
	w.speaker.SetDelay(func() time.Duration {
		speaking.Add(1)
		return timeout
	})
	w.run(3)
	l := w.newLoad()
	require.NoError(t, w.balancer.Set(w.processes[0].url))
	l.begin(len(w.users))
	held := func() (n int) {
		for _, u := range w.users {
			sums, err := w.store.Sums(t.Context(), u.account.ID)
			require.NoError(t, err)
			if sums.Balance.Held > 0 {
				n++
			}
		}
		return n
	}
	require.Eventually(t, func() bool { return held() == len(w.users) }, timeout, 50*time.Millisecond)
	w.speaker.SetDelay(nil)
	l.stop()
	w.processes[0].kill()
	require.NoError(t, w.balancer.Set(w.processes[1].url, w.processes[2].url))
	r := w.verify(l.end())
	t.Logf("two processes repair at once: %s", r)
	require.Equal(t, len(w.users), r.repaired, "each call is refunded once")
}

// TestFaultMigrations migrates an empty database by four processes at once, and again under load.
func TestFaultMigrations(t *testing.T) {
	cluster := newCluster(t, false)
	db := at(cluster.Database(t, "template0"))
	migrate := func() {
		var running sync.WaitGroup
		for range 4 {
			running.Go(func() {
				code, _, complaints := command(t, "migrate", "--database", db.address)
				if code != exit.Done {
					t.Errorf("migrate: exit code %d, %s", code, complaints)
				}
			})
		}
		running.Wait()
	}
	code, _, complaints := command(t, "run", "--database", db.address, "--dev-idp")
	require.NotEqual(t, exit.Done, code, "run does not migrate")
	require.Contains(t, complaints, "voicewright-service migrate")
	migrate()
	w := newWorld(t, db, 100)
	w.run(2)
	l := w.newLoad()
	l.begin(8)
	migrate()
	t.Logf("4 migrations at once, before and during: %s", w.verify(l.end()))
}

// TestFaultUpgrade brings the schema one version ahead under load, as the migration of the next program does. The processes go on, and
// another one starts; two versions ahead it does not.
func TestFaultUpgrade(t *testing.T) {
	cluster := newCluster(t, false)
	w := newWorld(t, onPostgres(t, cluster), 100)
	w.run(2)
	l := w.newLoad()
	l.begin(8)
	name := postgrestest.Name(w.db.address)
	ahead := func(column string) {
		cluster.Exec(t, name, `ALTER TABLE accounts ADD COLUMN `+column+` TEXT NOT NULL DEFAULT '';
			INSERT INTO goose_db_version (version_id, is_applied) SELECT max(version_id) + 1, true FROM goose_db_version`)
	}
	ahead("of_the_next")
	time.Sleep(time.Second)
	w.processes[0].kill()
	w.processes[0] = w.start()
	w.processes[0].listen()
	w.balance()
	time.Sleep(time.Second)
	r := w.verify(l.end())
	t.Logf("the schema one version ahead: %s", r)
	require.Empty(t, r.statuses[500])
	ahead("of_the_one_after")
	code, _, complaints := command(t, "account", "list", "--database", w.db.address)
	require.NotEqual(t, exit.Done, code)
	require.NotEmpty(t, complaints)
}
