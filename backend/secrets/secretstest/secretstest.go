//go:build keychain

// Package secretstest starts a session bus and gnome-keyring for tests, so that they use no keychain of the person who runs them.
package secretstest

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/backendtest"
)

// startTimeout is how long a program of the session may take to start: a busy machine is slow.
const startTimeout = 30 * time.Second

// Session is a session bus with folders of its own.
type Session struct {
	Address string // of the bus

	dir string
}

// Start starts a session bus, which ends with the test. It starts no services by itself.
func Start(t testing.TB) *Session {
	t.Helper()
	s := &Session{dir: t.TempDir()}
	config := filepath.Join(s.dir, "bus.conf")
	require.NoError(t, os.WriteFile(config, []byte(`<busconfig><type>session</type>
<listen>unix:dir=`+s.dir+`</listen><policy context="default">
<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>`), 0o600))
	cmd := exec.Command("dbus-daemon", "--config-file="+config, "--nofork", "--print-address")
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	s.start(t, cmd)
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err, "dbus-daemon did not start")
	s.Address = strings.TrimSpace(line)
	return s
}

// GnomeKeyring starts gnome-keyring, unlocked by a password, or locked without one. It ends with the test, or by stop.
func (s *Session) GnomeKeyring(t testing.TB, password string) (stop func()) {
	t.Helper()
	args := []string{"--foreground", "--components=secrets"}
	if password != "" {
		args = append(args, "--unlock")
	}
	cmd := exec.Command("gnome-keyring-daemon", args...)
	cmd.Stdin = strings.NewReader(password)
	stop = s.start(t, cmd)
	conn := s.Connect(t)
	require.Eventually(t, func() bool {
		var yes bool
		err := conn.BusObject().Call("org.freedesktop.DBus.NameHasOwner", 0, "org.freedesktop.secrets").Store(&yes)
		return err == nil && yes
	}, startTimeout, 10*time.Millisecond)
	return stop
}

// Connect returns a connection to the bus, which is closed at the end of the test.
func (s *Session) Connect(t testing.TB) *dbus.Conn {
	t.Helper()
	conn, err := dbus.Connect(s.Address)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// start starts a program of the session.
func (s *Session) start(t testing.TB, cmd *exec.Cmd) (stop func()) {
	t.Helper()
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + s.dir, "XDG_RUNTIME_DIR=" + s.dir, "DBUS_SESSION_BUS_ADDRESS=" + s.Address}
	var said backendtest.Log
	cmd.Stderr = &said
	require.NoError(t, cmd.Start())
	stop = func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	t.Cleanup(func() {
		stop()
		if t.Failed() {
			t.Logf("%s: %s", cmd.Path, said.String())
		}
	})
	return stop
}
