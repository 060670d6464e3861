package app_test

import (
	"bufio"
	"bytes"
	"context"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// running is a command that is running.
type running struct {
	t        *testing.T
	cmd      *exec.Cmd
	out, err *lines
	ended    chan struct{}
}

func (u *user) start(args ...string) *running {
	u.t.Helper()
	return u.startCommand(u.terminal().Command(context.Background(), watched, args))
}

// startCommand starts a command in the working directory and the environment of the user.
func (u *user) startCommand(cmd *exec.Cmd) *running {
	u.t.Helper()
	cmd.Dir, cmd.Env = u.dir, u.env
	r := &running{t: u.t, cmd: cmd, out: newLines(), err: newLines(), ended: make(chan struct{})}
	cmd.Stdout, cmd.Stderr = r.out, r.err
	require.NoError(u.t, cmd.Start())
	go func() {
		_ = cmd.Wait() // the exit code is checked
		close(r.ended)
	}()
	u.t.Cleanup(func() {
		_ = cmd.Process.Kill() // it may have ended
		<-r.ended
	})
	return r
}

// signal sends a signal, waits for the end, and returns the exit code; -1 for a killed process.
func (r *running) signal(s syscall.Signal) int {
	r.t.Helper()
	require.NoError(r.t, r.cmd.Process.Signal(s))
	return r.wait()
}

func (r *running) wait() int {
	r.t.Helper()
	select {
	case <-r.ended:
	case <-time.After(testTimeout):
		require.Fail(r.t, "the command is still running", r.err.String())
	}
	return r.cmd.ProcessState.ExitCode()
}

// lines collects the output of a process.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
	more chan struct{}
}

func newLines() *lines { return &lines{more: make(chan struct{}, 1)} }

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case l.more <- struct{}{}:
	default:
	}
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// waitForLines waits for n lines of output and returns them.
func (r *running) waitForLines(n int) []string {
	r.t.Helper()
	for deadline := time.After(testTimeout); ; {
		var got []string
		for scan := bufio.NewScanner(strings.NewReader(r.out.String())); scan.Scan(); {
			got = append(got, scan.Text())
		}
		if len(got) >= n && strings.Count(r.out.String(), "\n") >= n {
			return got
		}
		select {
		case <-r.out.more:
		case <-r.ended:
			require.Fail(r.t, "the command has ended", r.err.String())
		case <-deadline:
			require.Fail(r.t, "no more output", r.err.String())
		}
	}
}
