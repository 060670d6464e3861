package storetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
)

// deadAfter is the limit of the tests: a process without a heartbeat for so long is dead.
const deadAfter = 4 * time.Second

// repair repairs at a time and returns how many reservations it refunded.
func repair(t testing.TB, s service.Store, now time.Time) int {
	t.Helper()
	n, err := s.Repair(t.Context(), now.Add(-deadAfter), now)
	require.NoError(t, err)
	return n
}

func testRepair(t *testing.T, s service.Store) {
	ctx := t.Context()
	anna, bob := signIn(t, s, "anna"), signIn(t, s, "bob")
	require.NoError(t, s.Heartbeat(ctx, "dead", start))
	require.NoError(t, s.Heartbeat(ctx, "alive", start))
	for account, process := range map[*service.Account]string{&anna: "dead", &bob: "alive"} {
		r := request(*account, process, 100, start)
		r.Instance = process
		_, err := s.Reserve(ctx, r)
		require.NoError(t, err)
	}
	require.Zero(t, repair(t, s, start.Add(deadAfter)))
	later := start.Add(deadAfter + time.Millisecond)
	require.NoError(t, s.Heartbeat(ctx, "alive", later))
	require.Equal(t, 1, repair(t, s, later))
	require.Zero(t, repair(t, s, later))
	require.Equal(t, [2]int64{baseline, 0}, balance(t, s, "anna"))

	_, err := s.Settle(ctx, "dead", service.Project{}, file("dead", later), later)
	require.ErrorIs(t, err, service.ErrReleased)
	reserve(t, s, anna, "next", 100, later)
	charge(t, s, "alive", later)
	require.Equal(t, [2]int64{baseline - 100, 0}, balance(t, s, "bob"))
	require.Equal(t, 1, repair(t, s, later), "a process that never gave a heartbeat is dead")
}

// testRepairAfterClockWentBack finds a dead process although its last heartbeat is in the future.
func testRepairAfterClockWentBack(t *testing.T, s service.Store) {
	ctx := t.Context()
	a := signIn(t, s, "anna")
	require.NoError(t, s.Heartbeat(ctx, instance, start))
	reserve(t, s, a, "one", 100, start)
	back := start.Add(-time.Hour)
	require.Zero(t, repair(t, s, back), "it may be alive")
	require.NoError(t, s.Heartbeat(ctx, instance, back.Add(time.Second)))
	require.Zero(t, repair(t, s, back.Add(deadAfter)))
	require.Equal(t, 1, repair(t, s, back.Add(time.Second+deadAfter+time.Millisecond)))
}
