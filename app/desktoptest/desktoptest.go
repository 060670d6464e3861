//go:build xserver

// Package desktoptest starts a desktop session for tests: an X server without a screen, and a window manager.
package desktoptest

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Timeout is how long anything may take: a busy machine is slow.
const Timeout = 30 * time.Second

// Start starts a session and sets DISPLAY for the test.
func Start(t *testing.T) {
	t.Helper()
	t.Setenv("WAYLAND_DISPLAY", "")
	read, write, err := os.Pipe()
	require.NoError(t, err)
	defer func() { _ = read.Close() }()
	server := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "1024x768x24", "-nolisten", "tcp")
	server.ExtraFiles = []*os.File{write}
	run(t, server)
	require.NoError(t, write.Close())
	number, err := bufio.NewReader(read).ReadString('\n')
	require.NoError(t, err, "Xvfb did not start")
	t.Setenv("DISPLAY", ":"+strings.TrimSpace(number))
	for begun := time.Now(); !manage(t); { // on a busy machine it can miss the server
		require.Less(t, time.Since(begun), Timeout, "openbox does not manage the windows")
	}
}

// Bus starts a session bus for the test without any service, and returns its address.
func Bus(t *testing.T) string {
	t.Helper()
	daemon := exec.Command("dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address=1")
	out, err := daemon.StdoutPipe()
	require.NoError(t, err)
	run(t, daemon)
	address, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	address = strings.TrimSpace(address)
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", address)
	return address
}

// manage starts the window manager and reports whether it answers within a few seconds.
func manage(t *testing.T) bool {
	t.Helper()
	manager := Run(t, "openbox", "--config-file", "/dev/null")
	for begun := time.Now(); time.Since(begun) < Timeout/6; time.Sleep(20 * time.Millisecond) {
		out, err := exec.Command("xdotool", "getactivewindow").CombinedOutput()
		if err == nil || strings.Contains(string(out), "failed") { // answered by a window manager
			return true
		}
	}
	_ = manager.Process.Kill()
	return false
}

// Run starts a program of the session, which ends with the test.
func Run(t *testing.T, name string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(name, args...)
	run(t, cmd)
	return cmd
}

func run(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
}

// Tool runs xdotool or xclip and returns its output.
func Tool(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(name, args...).Output()
	require.NoError(t, err, "%s %v", name, args)
	return string(out)
}

// Focus waits until the window with a title has the focus.
func Focus(t *testing.T, title string) {
	t.Helper()
	require.Eventually(t, func() bool {
		found, err := exec.Command("xdotool", "search", "--onlyvisible", "--name", "^"+title+"$").Output()
		if err != nil || len(found) == 0 {
			return false
		}
		window := strings.Fields(string(found))[0]
		_ = exec.Command("xdotool", "windowactivate", window).Run()
		active, err := exec.Command("xdotool", "getactivewindow").Output()
		return err == nil && strings.TrimSpace(string(active)) == window
	}, Timeout, 50*time.Millisecond, title)
}
