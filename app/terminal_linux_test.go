package app_test

import (
	"context"
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

// runOnTerminal runs a command on a terminal, types keys at its question, and returns its exit code and the whole output.
func (u *user) runOnTerminal(keys string, args ...string) (int, string) {
	u.t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(u.t, err)
	require.NoError(u.t, unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0))
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	require.NoError(u.t, err)
	require.NoError(u.t, unix.IoctlSetWinsize(int(master.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 140}))
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(u.t, err)
	ctx, cancel := context.WithTimeout(context.Background(), testTimeout)
	defer cancel()
	cmd := u.command(ctx, args)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	require.NoError(u.t, cmd.Start())
	require.NoError(u.t, slave.Close())
	shown, part := "", make([]byte, 4096)
	for {
		n, err := master.Read(part)
		shown += string(part[:n])
		if keys != "" && strings.Contains(shown, "[y/N] ") {
			_, err = io.WriteString(master, keys)
			require.NoError(u.t, err)
			keys = ""
		}
		if err != nil { // also when the other side is closed
			break
		}
	}
	require.NoError(u.t, master.Close())
	var exit *exec.ExitError
	if err := cmd.Wait(); err != nil {
		require.ErrorAs(u.t, err, &exit)
	}
	return cmd.ProcessState.ExitCode(), shown
}

func TestLicenceQuestion(t *testing.T) {
	u, server := newUserWithHub(t)
	for _, keys := range []string{"n\n", "\n", "perhaps\n", "\x04"} {
		code, shown := u.runOnTerminal(keys, "models", "download", "toy")
		require.Equal(t, exitNeeded, code, shown)
		require.Contains(t, shown, "Toy Licence:")
		require.Contains(t, shown, "https://example.com/toy-licence")
		require.Contains(t, shown, "Do you accept the licence? [y/N]")
	}
	code, shown := u.runOnTerminal("\x03", "models", "download", "toy")
	require.Equal(t, exitInterrupted, code, shown)
	require.Empty(t, server.Requests("toy.onnx"))

	slowDownload(server)
	code, shown = u.runOnTerminal("Yes\n", "models", "download", "toy")
	require.Equal(t, exitDone, code, shown)
	require.Contains(t, shown, "toy is installed")
	require.Regexp(t, `[0-9.]+ MB of 40\.0 MB, [0-9.]+ MB/s`, shown, "the bar shows speed and size")
	require.Contains(t, shown, " left")
	require.Contains(t, u.mustRun("models", "list"), "Toy Licence (accepted)")
}
