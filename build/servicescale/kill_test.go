//go:build scale && postgres

package servicescale_test

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// killsEnv says how many processes a test kills.
const killsEnv = "VOICEWRIGHT_SCALE_KILLS"

func kills(t *testing.T) int {
	t.Helper()
	value := os.Getenv(killsEnv)
	if value == "" {
		return 100
	}
	n, err := strconv.Atoi(value)
	require.NoError(t, err, killsEnv)
	return n
}

// shortDelay is the time that a text takes to be spoken: long enough to be killed in, short enough for many calls.
func shortDelay() time.Duration { return rand.N(40 * time.Millisecond) }

// TestFaultKillsOfOneOnSQLite kills the only process at random moments, also while it starts: no credits are lost or spent twice.
func TestFaultKillsOfOneOnSQLite(t *testing.T) { testKills(t, onSQLite(t), inFolder(t), 1) }

// TestFaultKillsOnSQLite is the same with one of two processes.
func TestFaultKillsOnSQLite(t *testing.T) { testKills(t, onSQLite(t), inFolder(t), 2) }

func testKills(t *testing.T, db database, files audioStore, processes int) {
	w := newWorldWith(t, db, files, 300)
	w.speaker.SetDelay(shortDelay)
	w.run(processes)
	l := w.newLoad()
	l.begin(16)
	starting := 0
	for range kills(t) {
		victim := w.processes[processes-1]
		time.Sleep(rand.N(time.Second))
		victim.kill()
		if rand.N(10) == 0 {
			starting++
			early := w.start()
			time.Sleep(rand.N(100 * time.Millisecond))
			early.kill()
		}
		w.processes[processes-1] = w.start()
		w.processes[processes-1].listen()
		w.balance()
	}
	time.Sleep(time.Second)
	r := w.verify(l.end())
	t.Logf("%d kills, %d more while a process started: %s", kills(t), starting, r)
	require.NotZero(t, r.repaired)
	require.NotZero(t, l.repeats.Load())
}

// TestFaultKillsOnPostgres is the same on PostgreSQL.
func TestFaultKillsOnPostgres(t *testing.T) {
	testKills(t, onPostgres(t, newCluster(t, false)), inFolder(t), 2)
}
