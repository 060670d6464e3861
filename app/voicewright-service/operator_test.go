package main_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/app/programtest"
	"github.com/voicewright/voicewright/backend/exit"
)

// The exit codes of docs/contract/decisions.md section 1.
const (
	exitDone     = exit.Done
	exitFailed   = exit.Failed
	exitUsage    = exit.Usage
	exitNotFound = exit.NotFound
	exitNeeded   = exit.Needed
)

// testTimeout is how long anything may take on a busy machine.
const testTimeout = programtest.Timeout

// operator runs the program with an empty home directory.
type operator struct {
	t    *testing.T
	dir  string // the working directory and the home directory of the commands
	data string // where the program stores things by default
	env  []string
}

func newOperator(t *testing.T) *operator {
	t.Helper()
	o := &operator{t: t, dir: t.TempDir()}
	o.data = filepath.Join(o.dir, ".local", "share", "voicewright-service")
	o.env = programtest.Environment(o.dir)
	return o
}

// withEnv returns the same operator with more environment variables.
func (o *operator) withEnv(env ...string) *operator {
	other := *o
	other.env = append(append([]string{}, o.env...), env...)
	return &other
}

// file writes a file of the working directory and returns its path.
func (o *operator) file(name, text string) string {
	o.t.Helper()
	path := filepath.Join(o.dir, name)
	require.NoError(o.t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// result is the exit code and the output of a command.
type result struct {
	code     int
	out, err string
}

// run runs a command until it ends.
func (o *operator) run(args ...string) result {
	o.t.Helper()
	code, out, err := o.terminal().Run(o.t, binary, nil, args)
	return result{code, out, err}
}

func (o *operator) terminal() programtest.Shell { return programtest.Shell{Dir: o.dir, Env: o.env} }

func (o *operator) command(ctx context.Context, program string, args []string) *exec.Cmd {
	return o.terminal().Command(ctx, program, args)
}

// mustRun runs a command that must succeed, and returns its output.
func (o *operator) mustRun(args ...string) string {
	o.t.Helper()
	r := o.run(args...)
	require.Equal(o.t, exitDone, r.code, "%v: %s", args, r.err)
	return r.out
}

// object is a JSON object.
type object = programtest.Object

func parseJSON(t *testing.T, text string) object {
	t.Helper()
	return programtest.ParseJSON(t, text)
}

// mustFail runs a command that must end with this code, print nothing to standard output, and one line with these words to
// standard error.
func (o *operator) mustFail(code int, words []string, args ...string) {
	o.t.Helper()
	r := o.run(args...)
	require.Equal(o.t, code, r.code, "%v: %s%s", args, r.out, r.err)
	require.Empty(o.t, r.out)
	require.Equal(o.t, 1, strings.Count(r.err, "\n"), r.err)
	for _, word := range words {
		require.Contains(o.t, r.err, word)
	}
	require.True(o.t, strings.HasSuffix(r.err, ".\n"), "a sentence: %s", r.err)
}

// running is a command that is running.
type running struct {
	t        *testing.T
	cmd      *exec.Cmd
	out, err *lines
	ended    chan struct{}
	url      string // of a service that listens
}

// start starts a command.
func (o *operator) start(args ...string) *running {
	o.t.Helper()
	r := &running{t: o.t, cmd: o.command(context.Background(), watched, args), out: newLines(), err: newLines(), ended: make(chan struct{})}
	r.cmd.Stdout, r.cmd.Stderr = r.out, r.err
	require.NoError(o.t, r.cmd.Start())
	go func() {
		_ = r.cmd.Wait() // the exit code is checked
		close(r.ended)
	}()
	o.t.Cleanup(func() {
		_ = r.cmd.Process.Kill() // it may have ended
		<-r.ended
	})
	return r
}

// serve starts the service with more arguments and waits until it listens.
func (o *operator) serve(args ...string) *running {
	o.t.Helper()
	r := o.start(append([]string{"run"}, args...)...)
	line := r.waitForLine()
	url, ok := strings.CutPrefix(line, "listening on ")
	require.True(o.t, ok, line)
	r.url = url
	return r
}

// signal sends a signal, waits for the end, and returns the exit code; -1 for a killed process.
func (r *running) signal(s syscall.Signal) int {
	r.t.Helper()
	require.NoError(r.t, r.cmd.Process.Signal(s))
	return r.wait()
}

// signalUntilEnd sends a signal again and again until the end, and returns what signal does.
func (r *running) signalUntilEnd(s syscall.Signal) int {
	r.t.Helper()
	require.Eventually(r.t, func() bool {
		_ = r.cmd.Process.Signal(s) // it may have ended
		select {
		case <-r.ended:
			return true
		default:
			return false
		}
	}, testTimeout, 20*time.Millisecond)
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

// waitForLine waits for the first line of output and returns it.
func (r *running) waitForLine() string {
	r.t.Helper()
	for deadline := time.After(testTimeout); ; {
		if line, err := bufio.NewReader(strings.NewReader(r.out.String())).ReadString('\n'); err == nil {
			return strings.TrimSuffix(line, "\n")
		} else if !errors.Is(err, io.EOF) {
			require.NoError(r.t, err)
		}
		select {
		case <-r.out.more:
		case <-r.ended:
			require.Fail(r.t, "the command has ended", r.err.String())
		case <-deadline:
			require.Fail(r.t, "no output", r.err.String())
		}
	}
}

// waitForLog waits until the log has these words: a line is written after its answer.
func (r *running) waitForLog(words string) {
	r.t.Helper()
	for deadline := time.After(testTimeout); !strings.Contains(r.err.String(), words); {
		select {
		case <-r.err.more:
		case <-r.ended:
			require.Contains(r.t, r.err.String(), words)
			return
		case <-deadline:
			require.Fail(r.t, "the log has no "+words, r.err.String())
		}
	}
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
	defer func() {
		select {
		case l.more <- struct{}{}:
		default:
		}
	}()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
