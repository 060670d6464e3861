package storetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
)

// watcher is the process that repairs in the tests.
const watcher = "watcher"

// Watch has the process "watcher" live for so long that it may repair.
func Watch(t testing.TB, db service.Store, clock *Clock, deadAfter time.Duration) {
	t.Helper()
	require.NoError(t, db.Heartbeat(t.Context(), watcher))
	(&store{db, clock, deadAfter}).live(t, deadAfter+time.Millisecond, watcher)
}

// Repair returns how many reservations the process "watcher" refunds once it has watched.
func Repair(t testing.TB, db service.Store, clock *Clock, deadAfter time.Duration) int {
	t.Helper()
	return repair(t, &store{db, clock, deadAfter})
}

// live lets time pass, in which some processes give their heartbeats.
func (s *store) live(t testing.TB, d time.Duration, processes ...string) {
	t.Helper()
	for ; d > 0; d -= service.HeartbeatInterval {
		s.Add(min(d, service.HeartbeatInterval))
		for _, p := range processes {
			require.NoError(t, s.Heartbeat(t.Context(), p))
		}
	}
}

// repair returns how many reservations are refunded once a process has watched for as long as the store waits for a heartbeat.
func repair(t testing.TB, s *store) int {
	t.Helper()
	Watch(t, s, s.Clock, s.deadAfter)
	return s.repairNow(t)
}

// repairNow returns how many reservations are refunded.
func (s *store) repairNow(t testing.TB) int {
	t.Helper()
	n, err := s.Repair(t.Context(), watcher)
	require.NoError(t, err)
	return n
}

// begin makes the first heartbeats of processes, each of which then has a call of its own account.
func (s *store) begin(t testing.TB, processes ...string) {
	t.Helper()
	require.NoError(t, s.Heartbeat(t.Context(), watcher))
	for _, p := range processes {
		require.NoError(t, s.Heartbeat(t.Context(), p))
		r := request(signIn(t, s, p), p, 100)
		r.Instance = p
		_, err := s.Reserve(t.Context(), r)
		require.NoError(t, err)
	}
}

func testRepair(t *testing.T, s *store) {
	s.begin(t, "dead", "alive")
	s.live(t, s.deadAfter, watcher, "alive")
	require.Zero(t, s.repairNow(t))
	s.live(t, time.Millisecond, watcher, "alive")
	for process, held := range map[string][]string{"dead": {"dead"}, "alive": {"alive"}, watcher: nil} {
		list, err := s.Held(t.Context(), process)
		require.NoError(t, err)
		require.ElementsMatch(t, held, list)
	}
	require.Equal(t, 1, s.repairNow(t))
	require.Zero(t, s.repairNow(t))
	require.Equal(t, [2]int64{baseline, 0}, balance(t, s, "dead"))
	list, err := s.Held(t.Context(), "dead")
	require.NoError(t, err)
	require.Empty(t, list)

	_, err = s.Settle(t.Context(), "dead", service.Project{}, file("dead"))
	require.ErrorIs(t, err, service.ErrReleased)
	reserve(t, s, service.Account{ID: id(t, s, "dead")}, "next", 100)
	charge(t, s, "alive")
	require.Equal(t, [2]int64{baseline - 100, 0}, balance(t, s, "alive"))
	require.Zero(t, s.repairNow(t), "it may be about to")
	s.live(t, s.deadAfter+time.Millisecond, watcher)
	require.Equal(t, 1, s.repairNow(t), "a process that never gave a heartbeat is dead")
}

// testRepairOfWhoWasAway has a process that was taken for dead begin a call before its next heartbeat: the call goes on.
func testRepairOfWhoWasAway(t *testing.T, s *store) {
	s.begin(t, "paused")
	s.live(t, s.deadAfter+time.Millisecond, watcher)
	require.Equal(t, 1, s.repairNow(t))
	r := request(signIn(t, s, "paused"), "next", 100)
	r.Instance = "paused"
	_, err := s.Reserve(t.Context(), r)
	require.NoError(t, err)
	require.Zero(t, s.repairNow(t))
	s.live(t, s.deadAfter+time.Second, watcher, "paused")
	require.Zero(t, s.repairNow(t))
	charge(t, s, "next")
}

// testRepairWithoutAHeartbeat has a process repair whose own heartbeat did not come for as long: it is no better than the others.
func testRepairWithoutAHeartbeat(t *testing.T, s *store) {
	s.begin(t, "alive", watcher)
	s.live(t, s.deadAfter, "alive", watcher)
	s.Add(s.deadAfter + 300*time.Millisecond) // such as somebody's lock, behind which Repair waited
	require.Zero(t, s.repairNow(t))
	s.live(t, time.Second, watcher, "alive")
	require.Zero(t, s.repairNow(t))
	charge(t, s, "alive")
	charge(t, s, watcher)
}

// testRepairByANewProcess starts a process after a time in which nobody could give a heartbeat.
func testRepairByANewProcess(t *testing.T, s *store) {
	require.NoError(t, s.Heartbeat(t.Context(), "alive"))
	r := request(signIn(t, s, "alive"), "alive", 100)
	r.Instance = "alive"
	_, err := s.Reserve(t.Context(), r)
	require.NoError(t, err)
	s.Add(time.Hour)
	require.Zero(t, s.repairNow(t), "without a heartbeat")
	require.NoError(t, s.Heartbeat(t.Context(), watcher))
	require.Zero(t, s.repairNow(t))
	s.live(t, s.deadAfter+time.Second, "alive", watcher)
	require.Zero(t, s.repairNow(t))
	charge(t, s, "alive")
}

// testRepairAfterAGap takes nobody for dead after a time in which nobody could give a heartbeat.
func testRepairAfterAGap(t *testing.T, s *store) {
	s.begin(t, "dead", "alive")
	s.live(t, s.deadAfter-time.Second, watcher, "dead", "alive")
	s.Add(time.Hour)
	require.NoError(t, s.Heartbeat(t.Context(), watcher))
	require.Zero(t, s.repairNow(t))
	s.live(t, time.Second, watcher)
	require.Zero(t, s.repairNow(t))
	s.live(t, s.deadAfter-2*time.Second, watcher, "alive")
	require.Zero(t, s.repairNow(t))
	s.live(t, time.Second, watcher, "alive")
	require.Equal(t, 1, s.repairNow(t))
	charge(t, s, "alive")
}

// testRepairAfterClockWentBack finds a dead process although its last heartbeat is in the future, and keeps those that live.
func testRepairAfterClockWentBack(t *testing.T, s *store) {
	s.begin(t, "dead", "alive")
	s.live(t, s.deadAfter, watcher, "dead", "alive")
	s.Add(-time.Hour)
	repaired := 0
	for waited := time.Duration(0); waited < 3*s.deadAfter; waited += time.Second {
		if n := s.repairNow(t); n > 0 {
			require.GreaterOrEqual(t, waited, s.deadAfter)
			repaired += n
		}
		s.live(t, time.Second, watcher, "alive")
	}
	require.Equal(t, 1, repaired)
	charge(t, s, "alive")
}
