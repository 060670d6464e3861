//go:build keychain

package secrets

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/secrets/secretstest"
)

// callTimeout is how long anything may take on a busy machine.
const callTimeout = 30 * time.Second

// onBus is the Secret Service of a session, which can ask the user on a desktop.
func onBus(s *secretstest.Session, desktop bool, l limits) *secretService {
	return &secretService{address: func() string { return s.Address }, desktop: func() bool { return desktop }, limits: l}
}

var patient = limits{connect: callTimeout, answer: callTimeout, prompt: callTimeout}

func TestGnomeKeyring(t *testing.T) {
	t.Parallel()
	s := secretstest.Start(t)
	s.GnomeKeyring(t, "pw\n")
	testPlace(t, onBus(s, false, patient))
}

func TestStoreWithGnomeKeyring(t *testing.T) {
	t.Parallel()
	s, dir := secretstest.Start(t), t.TempDir()
	stop := s.GnomeKeyring(t, "pw\n")
	keychain := onBus(s, false, patient)
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
	stop = s.GnomeKeyring(t, "")
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
	s.GnomeKeyring(t, "pw\n")
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
	s := secretstest.Start(t)
	stop := s.GnomeKeyring(t, "pw\n")
	p := onBus(s, true, patient)
	require.NoError(t, p.set(t.Context(), "item", "value"))
	stop()
	s.GnomeKeyring(t, "")
	_, err := p.get(t.Context(), "item")
	requireUnavailable(t, err, "dismissed")
}

func TestFreshKeyringIsLocked(t *testing.T) {
	t.Parallel()
	s := secretstest.Start(t)
	s.GnomeKeyring(t, "")
	p := onBus(s, false, patient)
	require.NoError(t, p.check(t.Context()))
	_, err := p.get(t.Context(), "item")
	require.ErrorIs(t, err, errNoItem)
	requireUnavailable(t, p.set(t.Context(), "item", "value"), "locked")
}

func TestBusWithoutAKeychain(t *testing.T) {
	t.Parallel()
	s := secretstest.Start(t)
	_, err := onBus(s, false, patient).get(t.Context(), "item")
	requireUnavailable(t, err, "absent")
}
