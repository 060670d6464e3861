//go:build scale && postgres

package servicescale_test

import (
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/exit"
)

// TestFaultRollingRestart replaces the processes one after another under load, behind a balancer that asks them whether they are ready. No
// client notices.
func TestFaultRollingRestart(t *testing.T) {
	w := newWorld(t, onPostgres(t, newCluster(t, false)), 200)
	w.speaker.SetDelay(shortDelay)
	drain := []string{"--drain-delay", "5s"}
	w.run(2, drain...)
	go w.balancer.Watch(t.Context(), 100*time.Millisecond)
	l := w.newLoad()
	l.begin(16)
	restarts := 4
	if kills(t) < 100 {
		restarts = 2
	}
	for i := range restarts {
		old := w.processes[i%2]
		w.processes[i%2] = w.start(drain...)
		w.processes[i%2].listen()
		require.NoError(t, w.balancer.Set(w.processes[0].url, w.processes[1].url, old.url))
		require.NoError(t, old.cmd.Process.Signal(syscall.SIGTERM))
		<-old.ended
		require.Equal(t, exit.Done, old.cmd.ProcessState.ExitCode())
	}
	w.balance()
	time.Sleep(time.Second)
	r := w.verify(l.end())
	t.Logf("%d processes replaced one after another: %s", restarts, r)
	require.Equal(t, r.calls, r.answered, "no call fails")
	require.Zero(t, r.refunded)
}
