package desktop

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// startBus starts a private session bus, and returns a function that reads its messages.
func startBus(t *testing.T) (messages func() string) {
	for _, program := range []string{"dbus-daemon", "dbus-monitor", "dbus-send"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	folder, err := os.MkdirTemp("", "bus") // a socket's path must be short
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	config, log := filepath.Join(folder, "conf"), filepath.Join(folder, "log")
	require.NoError(t, os.WriteFile(config, []byte(`<busconfig><type>session</type><listen>unix:path=`+folder+`/bus</listen>
		<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
		</busconfig>`), 0o600))
	file, err := os.Create(log)
	require.NoError(t, err)
	t.Cleanup(func() { _ = file.Close() })
	start := func(name string, args ...string) {
		command := exec.CommandContext(t.Context(), name, args...)
		command.Stdout = file
		require.NoError(t, command.Start())
		t.Cleanup(func() { _ = command.Wait() }) // it ends with the test's context
	}
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+folder+"/bus")
	start("dbus-daemon", "--nofork", "--config-file="+config)
	require.Eventually(t, func() bool { // the socket exists a moment before the bus listens
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "unix", folder+"/bus")
		return err == nil && conn.Close() == nil
	}, time.Minute, 5*time.Millisecond)
	start("dbus-monitor", "--session", "interface=org.freedesktop.FileManager1")
	read := func() string {
		raw, err := os.ReadFile(log)
		require.NoError(t, err)
		return string(raw)
	}
	require.Eventually(t, func() bool { return strings.Contains(read(), "NameAcquired") }, time.Minute, 5*time.Millisecond)
	return read
}

// TestRevealCallsTheFileManager sends the path on a real bus. There is no file manager, so xdg-open opens the folder.
func TestRevealCallsTheFileManager(t *testing.T) {
	messages := startBus(t)
	programs := t.TempDir()
	opened := filepath.Join(programs, "opened")
	require.NoError(t, os.WriteFile(filepath.Join(programs, "xdg-open"), []byte("#!/bin/sh\nprintf '%s' \"$1\" >"+opened+"\n"), 0o700))
	t.Setenv("PATH", programs+":"+os.Getenv("PATH"))
	require.NoError(t, revealSlowly(t, "linux", "/data/Bücher #1/50 %, a.wav"))
	require.Eventually(t, func() bool {
		return strings.Contains(messages(), "member=ShowItems") &&
			strings.Contains(messages(), `string "file:///data/B%C3%BCcher%20%231/50%20%25%2C%20a.wav"`)
	}, time.Minute, 5*time.Millisecond, "%s", messages())
	raw, err := os.ReadFile(opened)
	require.NoError(t, err)
	require.Equal(t, "/data/Bücher #1", string(raw))
}
