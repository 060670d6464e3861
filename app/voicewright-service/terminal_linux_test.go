package main_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// runOnTerminal runs a command on a terminal, types keys at its question, and returns its exit code and what it showed.
func (o *operator) runOnTerminal(keys string, args ...string) (int, string) {
	o.t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(o.t, err)
	require.NoError(o.t, unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0))
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	require.NoError(o.t, err)
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(o.t, err)
	ctx, cancel := context.WithTimeout(o.t.Context(), testTimeout)
	defer cancel()
	cmd := o.command(ctx, binary, args)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	require.NoError(o.t, cmd.Start())
	require.NoError(o.t, slave.Close())
	shown, part := "", make([]byte, 4096)
	for err == nil { // until the other side is closed
		var n int
		n, err = master.Read(part)
		shown += string(part[:n])
		if keys != "" && strings.Contains(shown, "[y/N] ") {
			_, err = io.WriteString(master, keys)
			keys = ""
		}
	}
	require.NoError(o.t, master.Close())
	var exit *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &exit) {
		require.NoError(o.t, err)
	}
	return cmd.ProcessState.ExitCode(), shown
}

func TestDeleteIsConfirmedOnATerminal(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	r := l.serve()
	r.credits(l.issuer.Token("ann"))
	require.Equal(t, exitDone, r.signal(syscall.SIGTERM))
	for keys, code := range map[string]int{"n\n": exitFailed, "\n": exitFailed, "perhaps\n": exitFailed, "\x04": exitFailed, "\x03": 130} {
		got, shown := l.runOnTerminal(keys, "account", "delete", "ann")
		require.Equal(t, code, got, shown)
		require.Contains(t, shown, "Delete the account ann with 10000 credits")
		l.mustRun("account", "show", "ann")
	}
	code, shown := l.runOnTerminal("y\n", "account", "delete", "ann")
	require.Equal(t, exitDone, code, shown)
	l.mustFail(exitNotFound, []string{"ann"}, "account", "show", "ann")
}
