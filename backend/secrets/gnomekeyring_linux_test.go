//go:build keychain

package secrets

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/backendtest"
)

// startTimeout is how long a program of the session may take to start: a busy machine is slow.
const startTimeout = 30 * time.Second

// session is a session bus with folders of its own, so that the tests use no keychain of the person who runs them.
type session struct {
	dir, address string
}

// startBus starts a session bus. Its configuration starts no services.
func startBus(t *testing.T) *session {
	t.Helper()
	s := &session{dir: t.TempDir()}
	config := filepath.Join(s.dir, "bus.conf")
	require.NoError(t, os.WriteFile(config, []byte(`<busconfig><type>session</type><listen>unix:dir=`+s.dir+`</listen>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>`), 0o600))
	cmd := exec.Command("dbus-daemon", "--config-file="+config, "--nofork", "--print-address")
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	s.start(t, cmd)
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err, "dbus-daemon did not start")
	s.address = strings.TrimSpace(line)
	return s
}

// start starts a program of the session, which ends with the test or by the returned function.
func (s *session) start(t *testing.T, cmd *exec.Cmd) (stop func()) {
	t.Helper()
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + s.dir, "XDG_RUNTIME_DIR=" + s.dir, "DBUS_SESSION_BUS_ADDRESS=" + s.address}
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

// connect returns a connection of the test.
func (s *session) connect(t *testing.T) *dbus.Conn {
	t.Helper()
	conn, err := dbus.Connect(s.address)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// gnomeKeyring starts gnome-keyring, unlocked by a password or locked without one.
func (s *session) gnomeKeyring(t *testing.T, password string) (stop func()) {
	t.Helper()
	args := []string{"--foreground", "--components=secrets"}
	if password != "" {
		args = append(args, "--unlock")
	}
	cmd := exec.Command("gnome-keyring-daemon", args...)
	cmd.Stdin = strings.NewReader(password)
	stop = s.start(t, cmd)
	conn := s.connect(t)
	require.Eventually(t, func() bool {
		var yes bool
		err := conn.BusObject().Call("org.freedesktop.DBus.NameHasOwner", 0, busName).Store(&yes)
		return err == nil && yes
	}, startTimeout, 10*time.Millisecond)
	return stop
}

func (s *session) service(desktop bool, l limits) *secretService {
	return &secretService{address: func() string { return s.address }, desktop: func() bool { return desktop }, limits: l}
}

var patient = limits{connect: startTimeout, answer: startTimeout, prompt: startTimeout}

func TestGnomeKeyring(t *testing.T) {
	t.Parallel()
	s := startBus(t)
	s.gnomeKeyring(t, "pw\n")
	testPlace(t, s.service(false, patient))
}

func TestStoreWithGnomeKeyring(t *testing.T) {
	t.Parallel()
	s, dir := startBus(t), t.TempDir()
	stop := s.gnomeKeyring(t, "pw\n")
	keychain := s.service(false, patient)
	store := open(t, dir, keychain, true)
	long := strings.Repeat("geheim ü ", 1000)
	require.NoError(t, store.Set(t.Context(), HostedSession, long, "a@b.c"))
	other := open(t, t.TempDir(), keychain, false)
	require.NoError(t, other.Set(t.Context(), HostedSession, "of another data directory", ""))
	requireSecret(t, open(t, dir, keychain, false), HostedSession, long)
	require.NoError(t, store.Migrate(t.Context(), File))
	requireSecret(t, open(t, dir, keychain, false), HostedSession, long)
	require.NoError(t, store.Migrate(t.Context(), Keychain))
	assert.NoFileExists(t, filepath.Join(dir, secretFile))

	stop() // and at the next login it is locked
	stop = s.gnomeKeyring(t, "")
	store = open(t, dir, keychain, false)
	_, err := store.Get(t.Context(), HostedSession)
	requireUnavailable(t, err, "locked")
	requireUnavailable(t, keychain.check(t.Context()), "locked")
	err = store.Set(t.Context(), HostedKey, "svc_sk_x", "")
	requireUnavailable(t, err, "locked")
	assert.Contains(t, backend.AsError(err).Remedy, "secrets.allow_file")
	requireUnavailable(t, store.Delete(t.Context(), HostedSession), "locked")
	allowed := open(t, dir, keychain, true)
	require.NoError(t, allowed.Set(t.Context(), HostedKey, "svc_sk_x", ""), "the file is allowed")
	requireSecret(t, open(t, dir, keychain, true), HostedKey, "svc_sk_x")

	stop() // the user unlocks it
	s.gnomeKeyring(t, "pw\n")
	store = open(t, dir, keychain, false)
	requireSecret(t, store, HostedSession, long)
	require.NoError(t, store.Migrate(t.Context(), Keychain))
	for _, name := range []string{HostedSession, HostedKey} {
		require.NoError(t, store.Delete(t.Context(), name))
	}
	requireSecret(t, other, HostedSession, "of another data directory")
}

// TestPromptThatNobodySees has a desktop that shows no prompts, as one whose prompter is not installed.
func TestPromptThatNobodySees(t *testing.T) {
	t.Parallel()
	s := startBus(t)
	stop := s.gnomeKeyring(t, "pw\n")
	p := s.service(true, patient)
	require.NoError(t, p.set(t.Context(), "item", "value"))
	stop()
	s.gnomeKeyring(t, "")
	_, err := p.get(t.Context(), "item")
	requireUnavailable(t, err, "dismissed")
}

func TestFreshKeyringIsLocked(t *testing.T) {
	t.Parallel()
	s := startBus(t)
	s.gnomeKeyring(t, "")
	p := s.service(false, patient)
	require.NoError(t, p.check(t.Context()))
	_, err := p.get(t.Context(), "item")
	require.ErrorIs(t, err, errNoItem)
	requireUnavailable(t, p.set(t.Context(), "item", "value"), "locked")
}

func TestBusWithoutAKeychain(t *testing.T) {
	t.Parallel()
	s := startBus(t)
	_, err := s.service(false, patient).get(t.Context(), "item")
	requireUnavailable(t, err, "absent")
}
