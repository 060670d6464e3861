//go:build keychain

package app_test

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/hosted/hostedtest"
	"github.com/voicewright/voicewright/backend/secrets/secretstest"
)

// onBus returns the user in a session with this bus.
func (u *user) onBus(address string) *user { return u.withEnv("DBUS_SESSION_BUS_ADDRESS=" + address) }

// requireProblem requires the error code of an answer and returns its remedy.
func (s *server) requireProblem(code, method, path, body string) string {
	s.t.Helper()
	_, answer := s.request(method, path, body)
	problem := parseJSON(s.t, answer)
	require.Equal(s.t, code, problem["code"], answer)
	remedy, _ := problem["remedy"].(string)
	return remedy
}

// place returns where secrets are, as the status says.
func (s *server) place() string {
	s.t.Helper()
	_, answer := s.request("GET", "/hosted/status", "")
	place, _ := parseJSON(s.t, answer)["secrets"].(object)["place"].(string)
	return place
}

// TestKeychainOfTheDesktop stores an API key in gnome-keyring, which is locked at the next login, and unlocked again.
func TestKeychainOfTheDesktop(t *testing.T) {
	t.Parallel()
	service, session := hostedtest.Start(t, hostedtest.Options{}), secretstest.Start(t)
	stop := session.GnomeKeyring(t, "pw\n")
	u := newUser(t).onBus(session.Address)
	s := u.serve()
	s.must("PUT", "/settings", `{"hosted.base_url":"`+service.URL+`"}`, "")
	s.must("PUT", "/hosted/key", `{"key":"`+hostedtest.Key+`"}`, "")
	require.Equal(t, "keychain", s.place())
	require.NoFileExists(t, filepath.Join(u.data, "secrets.enc"))
	require.Equal(t, exitDone, s.signal(syscall.SIGTERM))
	u.mustRun("hosted", "voices")
	require.Regexp(t, "(?m)^ok       keychain +works, 1 stored in it", u.mustRun("doctor"))

	stop()
	stop = session.GnomeKeyring(t, "")
	require.Regexp(t, "(?m)^warning  keychain +The keychain is locked. Unlock", u.mustRun("doctor"))
	s = u.serve()
	require.Equal(t, "Unlock the keychain and try again.", s.requireProblem("secrets_unavailable", "GET", "/hosted/voices?refresh=true", ""))
	require.Contains(t, s.requireProblem("secrets_unavailable", "PUT", "/hosted/key", `{"key":"`+hostedtest.Key+`"}`), "secrets.allow_file")
	stop()
	session.GnomeKeyring(t, "pw\n")
	s.must("GET", "/hosted/voices?refresh=true", "", "")
	s.must("DELETE", "/hosted/key", "", "")
}

// TestKeychainAppearsLater has a key in the encrypted file. It moves to the keychain when the file is no longer allowed.
func TestKeychainAppearsLater(t *testing.T) {
	t.Parallel()
	service, session := hostedtest.Start(t, hostedtest.Options{}), secretstest.Start(t)
	u := newUser(t).onBus(session.Address)
	s := u.serve()
	s.must("PUT", "/settings", `{"hosted.base_url":"`+service.URL+`","secrets.allow_file":true}`, "")
	s.must("PUT", "/hosted/key", `{"key":"`+hostedtest.Key+`"}`, "")
	require.Equal(t, "file", s.place())
	session.GnomeKeyring(t, "pw\n")
	require.Equal(t, "file", s.place(), "nothing moves by itself")
	s.must("PUT", "/settings", `{"secrets.allow_file":false}`, "")
	require.Eventually(t, func() bool { return s.place() == "keychain" }, testTimeout, 10*time.Millisecond)
	for _, name := range []string{"secrets.enc", "secrets.key"} { // removed once what they have is in the keychain
		require.Eventually(t, func() bool {
			_, err := os.Stat(filepath.Join(u.data, name))
			return errors.Is(err, fs.ErrNotExist)
		}, testTimeout, 10*time.Millisecond, name)
	}
	require.Equal(t, exitDone, s.signal(syscall.SIGTERM))
	u.mustRun("hosted", "voices")
}

// TestKeychainThatIsSilent has a session bus that accepts and never answers.
func TestKeychainThatIsSilent(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "bus")
	bus, err := net.Listen("unix", path) // the system accepts
	require.NoError(t, err)
	t.Cleanup(func() { _ = bus.Close() })
	service := hostedtest.Start(t, hostedtest.Options{})
	u := newUser(t).onBus("unix:path=" + path)
	s := u.serve()
	s.must("PUT", "/settings", `{"hosted.base_url":"`+service.URL+`"}`, "")
	require.Contains(t, s.requireProblem("secrets_unavailable", "PUT", "/hosted/key", `{"key":"`+hostedtest.Key+`"}`), "secrets.allow_file")
	require.Equal(t, "none", s.place())
	s.must("PUT", "/settings", `{"secrets.allow_file":true}`, "")
	s.must("PUT", "/hosted/key", `{"key":"`+hostedtest.Key+`"}`, "")
	s.must("GET", "/hosted/voices", "", "")
	require.Regexp(t, "(?m)^ok       keychain +not needed, 1 stored in the encrypted file", u.mustRun("doctor"))
}
