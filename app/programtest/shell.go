package programtest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Timeout is how long anything may take on a busy machine.
const Timeout = 5 * time.Minute

// Environment returns the variables of a person with this home directory who has set nothing else.
func Environment(home string) []string {
	env := []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "LANG=C.UTF-8",
		"GORACE=atexit_sleep_ms=0", // otherwise a program with the race detector ends a second late
	}
	for _, name := range runnerVariables {
		if value, ok := os.LookupEnv(name); ok && IsWindows() {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// Shell is where commands run.
type Shell struct {
	Dir string
	Env []string
}

// Command returns a command that is not started. A program for Windows gets its runner.
func (s Shell) Command(ctx context.Context, program string, args []string) *exec.Cmd {
	if IsWindows() {
		program, args = os.Getenv(Runner), append([]string{program}, args...)
	}
	cmd := exec.CommandContext(ctx, program, args...) //nolint:forbidigo // the program itself, in tests
	cmd.Dir, cmd.Env = s.Dir, s.Env
	if IsWindows() {
		cmd.WaitDelay = time.Second // services of wine that it started keep its output open
	}
	return cmd
}

// Run runs a command until it ends, and returns its exit code and its output.
func (s Shell) Run(t *testing.T, program string, stdin io.Reader, args []string) (code int, out, err string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), Timeout)
	defer cancel()
	cmd := s.Command(ctx, program, args)
	var printed, complaints bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, &printed, &complaints
	var ended *exec.ExitError
	if failed := cmd.Run(); !errors.As(failed, &ended) && !errors.Is(failed, exec.ErrWaitDelay) {
		require.NoError(t, failed)
	}
	return cmd.ProcessState.ExitCode(), printed.String(), complaints.String()
}

// Object is a JSON object.
type Object = map[string]any

// ParseJSON returns the JSON object that a program printed.
func ParseJSON(t *testing.T, text string) Object {
	t.Helper()
	var o Object
	require.NoError(t, json.Unmarshal([]byte(text), &o), text)
	return o
}
