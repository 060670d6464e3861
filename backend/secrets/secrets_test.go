package secrets

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

// open opens a store with a keychain in memory.
func open(t *testing.T, dir string, keychain itemStore, allowed bool) *Store {
	t.Helper()
	s, err := Open(Options{Dir: dir, AllowFile: func() bool { return allowed }, keychain: keychain})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// requireUnavailable requires the error secrets_unavailable with a reason.
func requireUnavailable(t *testing.T, err error, reason string) {
	t.Helper()
	var e *backend.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, backend.CodeSecretsUnavailable, e.Code)
	assert.Equal(t, reason, e.Params["reason"])
	assert.NotEmpty(t, e.Remedy)
}

func requireSecret(t *testing.T, s *Store, name, value string) {
	t.Helper()
	got, err := s.Get(t.Context(), name)
	require.NoError(t, err)
	require.Equal(t, value, got)
}

func fails(call string, err error) func(c, item string) error {
	return func(c, _ string) error {
		if c == call || call == "" {
			return err
		}
		return nil
	}
}

func TestStoreKeepsSecretsInTheKeychain(t *testing.T) {
	t.Parallel()
	dir, keychain := t.TempDir(), newMemory()
	s := open(t, dir, keychain, true)
	_, err := s.Get(t.Context(), HostedKey)
	require.ErrorIs(t, err, backend.E(backend.CodeSecretNotFound, "", ""))
	require.NoError(t, s.Delete(t.Context(), HostedKey))
	place, err := s.Place(t.Context())
	require.NoError(t, err)
	assert.Equal(t, Keychain, place)
	assert.Zero(t, keychain.calls, "nothing is stored, so the keychain is left alone")

	long := strings.Repeat("geheim ü ", 1000)
	require.NoError(t, s.Set(t.Context(), HostedKey, "svc_sk_one", "svc_sk_o"))
	require.NoError(t, s.Set(t.Context(), HostedSession, long, `{"email":"a@b.c"}`))
	require.NoError(t, s.Set(t.Context(), HostedKey, "svc_sk_two", "svc_sk_t"))

	calls := keychain.calls
	again := open(t, dir, keychain, false)
	note, ok := again.Note(HostedKey)
	assert.True(t, ok)
	assert.Equal(t, "svc_sk_t", note)
	assert.Equal(t, calls, keychain.calls, "notes come from the index")
	requireSecret(t, again, HostedKey, "svc_sk_two")
	requireSecret(t, again, HostedSession, long)
	calls = keychain.calls
	requireSecret(t, again, HostedSession, long)
	assert.Equal(t, calls, keychain.calls, "a secret is read once")

	for _, name := range []string{HostedKey, HostedSession} {
		require.NoError(t, again.Delete(t.Context(), name))
		_, ok = again.Note(name)
		assert.False(t, ok)
	}
	assert.Empty(t, keychain.items, "former values are removed")
	_, err = again.Get(t.Context(), HostedKey)
	require.ErrorIs(t, err, backend.E(backend.CodeSecretNotFound, "", ""))
}

func TestStoreSeparatesDataDirectories(t *testing.T) {
	t.Parallel()
	keychain := newMemory()
	one, two := open(t, t.TempDir(), keychain, false), open(t, t.TempDir(), keychain, false)
	require.NoError(t, one.Set(t.Context(), HostedKey, "of one", ""))
	require.NoError(t, two.Set(t.Context(), HostedKey, "of two", ""))
	requireSecret(t, one, HostedKey, "of one")
	require.NoError(t, one.Delete(t.Context(), HostedKey))
	requireSecret(t, two, HostedKey, "of two")
}

func TestStoreUsesTheFileOnlyAfterAYes(t *testing.T) {
	t.Parallel()
	dir, keychain := t.TempDir(), newMemory()
	keychain.fail = fails("", errNoKeychain())
	s := open(t, dir, keychain, false)
	err := s.Set(t.Context(), HostedKey, "svc_sk_secret", "svc_sk_s")
	requireUnavailable(t, err, "absent")
	assert.Contains(t, backend.AsError(err).Remedy, "secrets.allow_file")
	_, ok := s.Note(HostedKey)
	assert.False(t, ok)
	assert.NoFileExists(t, filepath.Join(dir, secretFile))
	place, err := s.Place(t.Context())
	require.NoError(t, err)
	assert.Equal(t, None, place)

	s = open(t, dir, keychain, true)
	require.NoError(t, s.Set(t.Context(), HostedKey, "svc_sk_secret", "svc_sk_s"))
	place, err = s.Place(t.Context())
	require.NoError(t, err)
	assert.Equal(t, File, place)
	for _, name := range []string{indexFile, secretFile, keyFile} {
		info, err := os.Stat(filepath.Join(dir, name))
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o600), info.Mode(), name)
		raw, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		assert.NotContains(t, string(raw), "svc_sk_secret", name)
	}

	calls := keychain.calls
	s = open(t, dir, keychain, false)
	requireSecret(t, s, HostedKey, "svc_sk_secret") // the index says where
	assert.Equal(t, calls, keychain.calls)
	require.NoError(t, s.Delete(t.Context(), HostedKey))
	assert.NoFileExists(t, filepath.Join(dir, secretFile))
	assert.NoFileExists(t, filepath.Join(dir, keyFile))
}

func TestStoreReportsAKeychainThatFails(t *testing.T) {
	t.Parallel()
	for _, cause := range []*backend.Error{errLocked(), errTimeout(), errDismissed()} {
		keychain := newMemory()
		s := open(t, t.TempDir(), keychain, false)
		require.NoError(t, s.Set(t.Context(), HostedKey, "value", "note"))
		s = open(t, s.opts.Dir, keychain, false)
		keychain.fail = fails("", cause)
		reason, _ := cause.Params["reason"].(string)
		_, err := s.Get(t.Context(), HostedKey)
		requireUnavailable(t, err, reason)
		requireUnavailable(t, s.Set(t.Context(), HostedKey, "new", ""), reason)
		requireUnavailable(t, s.Delete(t.Context(), HostedKey), reason)
		keychain.fail = nil
		requireSecret(t, s, HostedKey, "value")
	}
}

func TestPlaceIsNotChangedByACallerWhoLeaves(t *testing.T) {
	t.Parallel()
	keychain := newMemory()
	keychain.fail = fails("", context.Canceled)
	s := open(t, t.TempDir(), keychain, true)
	require.ErrorIs(t, s.Set(t.Context(), HostedKey, "x", ""), context.Canceled)
	place, err := s.Place(t.Context())
	require.NoError(t, err)
	assert.Equal(t, Keychain, place)
	keychain.fail = fails("", errLocked())
	require.NoError(t, s.Set(t.Context(), HostedKey, "x", ""), "the file is allowed")
	place, err = s.Place(t.Context())
	require.NoError(t, err)
	assert.Equal(t, File, place)
}

func TestStoreReportsWhatTheKeychainLost(t *testing.T) {
	t.Parallel()
	keychain := newMemory()
	s := open(t, t.TempDir(), keychain, false)
	require.NoError(t, s.Set(t.Context(), HostedKey, "value", ""))
	s = open(t, s.opts.Dir, keychain, false)
	clear(keychain.items)
	_, err := s.Get(t.Context(), HostedKey)
	require.ErrorIs(t, err, backend.E(backend.CodeSecretNotFound, "", ""))
	require.NoError(t, s.Set(t.Context(), HostedKey, "again", ""))
	requireSecret(t, s, HostedKey, "again")
}

func TestMigrateMovesSecrets(t *testing.T) {
	t.Parallel()
	dir, keychain := t.TempDir(), newMemory()
	s := open(t, dir, keychain, true)
	require.NoError(t, s.Set(t.Context(), HostedKey, "key", "k"))
	require.NoError(t, s.Set(t.Context(), HostedSession, "session", "s"))
	for _, to := range []string{File, Keychain, Keychain, File} {
		require.NoError(t, s.Migrate(t.Context(), to))
		s = open(t, dir, keychain, true)
		place, err := s.Place(t.Context())
		require.NoError(t, err)
		assert.Equal(t, to, place)
		assert.Equal(t, to == File, len(keychain.items) == 0)
		_, err = os.Stat(filepath.Join(dir, secretFile))
		assert.Equal(t, to == File, err == nil)
		requireSecret(t, s, HostedKey, "key")
		requireSecret(t, s, HostedSession, "session")
		note, _ := s.Note(HostedSession)
		assert.Equal(t, "s", note)
	}
	requireUnavailable(t, open(t, dir, keychain, false).Migrate(t.Context(), File), "not_allowed")
}

// TestMigrateSurvivesAKill stops a migration at each of its steps, as a kill does, and looks at what the next start finds.
func TestMigrateSurvivesAKill(t *testing.T) {
	t.Parallel()
	killed := errors.New("killed")
	for _, direction := range [][2]string{{Keychain, File}, {File, Keychain}} {
		for step := 1; ; step++ {
			dir, keychain := t.TempDir(), newMemory()
			prepare := open(t, dir, keychain, true)
			require.NoError(t, prepare.Set(t.Context(), HostedKey, "key", "note"))
			require.NoError(t, prepare.Migrate(t.Context(), direction[0]))

			left := step
			die := func(string, string) error {
				if left--; left <= 0 {
					return killed
				}
				return nil
			}
			s := open(t, dir, keychain, true)
			keychain.fail = die
			s.places[File] = &dying{itemStore: s.places[File], die: die}
			err := s.Migrate(t.Context(), direction[1])
			keychain.fail = nil

			next := open(t, dir, keychain, true)
			requireSecret(t, next, HostedKey, "key")
			require.NoError(t, next.Set(t.Context(), HostedKey, "new", "note"))
			require.NoError(t, next.Migrate(t.Context(), direction[0]))
			requireSecret(t, open(t, dir, keychain, true), HostedKey, "new")
			require.NoError(t, next.Delete(t.Context(), HostedKey))
			assert.Empty(t, keychain.items)
			assert.NoFileExists(t, filepath.Join(dir, secretFile))
			if left > 0 {
				require.NoError(t, err)
				require.Greater(t, step, 4, "read, write, read back, remove")
				break
			}
		}
	}
}

// dying is a place whose calls fail from a step on.
type dying struct {
	itemStore
	die func(call, item string) error
}

func (d *dying) get(ctx context.Context, item string) (string, error) {
	if err := d.die("get", item); err != nil {
		return "", err
	}
	return d.itemStore.get(ctx, item)
}

func (d *dying) set(ctx context.Context, item, value string) error {
	if err := d.die("set", item); err != nil {
		return err
	}
	return d.itemStore.set(ctx, item, value)
}

func (d *dying) remove(ctx context.Context, item string) error {
	if err := d.die("remove", item); err != nil {
		return err
	}
	return d.itemStore.remove(ctx, item)
}

func TestDamagedIndexIsNotOverwritten(t *testing.T) {
	t.Parallel()
	for _, content := range []string{"", "{", "null", `{"version":0,"id":"x","entries":{}}`, `{"version":1,"id":"x","entries":{"a":{"place":"moon","item":"x","parts":1}}}`} {
		dir := t.TempDir()
		path := filepath.Join(dir, indexFile)
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
		s := open(t, dir, newMemory(), true)
		_, ok := s.Note(HostedKey)
		assert.False(t, ok)
		_, err := s.Get(t.Context(), HostedKey)
		requireUnavailable(t, err, "damaged")
		requireUnavailable(t, s.Set(t.Context(), HostedKey, "x", ""), "damaged")
		requireUnavailable(t, s.Delete(t.Context(), HostedKey), "damaged")
		_, err = s.Place(t.Context())
		requireUnavailable(t, err, "damaged")
		raw, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, content, string(raw))
	}
}

// TestNewerFilesAreLeftAlone: files of a newer program are not called damaged, as they would be deleted then, and are not changed.
func TestNewerFilesAreLeftAlone(t *testing.T) {
	t.Parallel()
	const content = `{"version":2,"id":{"new":"form"},"entries":[]}`
	for _, name := range []string{indexFile, secretFile} {
		dir := t.TempDir()
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
		var err error
		if name == indexFile {
			s := open(t, dir, newMemory(), true)
			requireUnavailable(t, s.Set(t.Context(), HostedKey, "x", ""), "newer")
			_, err = s.Get(t.Context(), HostedKey)
		} else {
			f := newFile(dir, phrase(""), nobody)
			requireUnavailable(t, f.set(t.Context(), "another", "x"), "newer")
			_, err = f.get(t.Context(), "id/name/a/0")
		}
		requireUnavailable(t, err, "newer")
		assert.Contains(t, err.Error(), name)
		assert.NotContains(t, backend.AsError(err).Remedy, "delete")
		raw, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, content, string(raw))
	}
}

func TestCancelledCallersDoNotWaitForOthers(t *testing.T) {
	t.Parallel()
	keychain := newMemory()
	s := open(t, t.TempDir(), keychain, false)
	require.NoError(t, s.Set(t.Context(), HostedKey, "x", ""))
	s = open(t, s.opts.Dir, keychain, false)
	asked, answer := make(chan struct{}), make(chan struct{})
	keychain.fail = func(string, string) error {
		close(asked)
		<-answer
		return nil
	}
	done := make(chan error, 1)
	go func() {
		_, err := s.Get(t.Context(), HostedKey)
		done <- err
	}()
	<-asked
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := s.Get(cancelled, HostedKey)
	require.ErrorIs(t, err, context.Canceled)
	_, ok := s.Note(HostedKey)
	assert.True(t, ok)
	close(answer)
	require.NoError(t, <-done)
}

// TestCallersShareAFailure: many requests at once do not wait for a silent keychain one after the other.
func TestCallersShareAFailure(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		keychain := newMemory()
		require.NoError(t, open(t, dir, keychain, false).Set(t.Context(), HostedKey, "x", ""))
		s := open(t, dir, keychain, false)
		before, answer := keychain.calls, make(chan struct{})
		keychain.fail = func(string, string) error {
			<-answer
			return errTimeout()
		}
		const callers = 10
		results := make(chan error, callers)
		for range callers {
			go func() {
				_, err := s.Get(t.Context(), HostedKey)
				results <- err
			}()
		}
		synctest.Wait() // one of them asks, the others wait
		close(answer)
		for range callers {
			requireUnavailable(t, <-results, "timeout")
		}
		assert.Equal(t, before+1, keychain.calls)
		keychain.fail = nil
		requireSecret(t, s, HostedKey, "x")
	})
}

// FuzzIndex reads foreign index files: an error, or an index whose entries can be used.
func FuzzIndex(f *testing.F) {
	for _, seed := range []string{
		`{"version":1,"id":"x","entries":{"a":{"place":"file","item":"x/a/a","parts":2,"note":"n"}},"obsolete":[{"place":"keychain","item":"x","parts":1}]}`,
		`{"version":1,"id":"x","entries":{}}`, "{}", "null", "",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		x := index{Entries: map[string]entry{}}
		if x.parse(raw) != nil {
			return
		}
		require.NotNil(t, x.Entries)
		for name, e := range x.Entries {
			require.Contains(t, []string{Keychain, File}, e.Place)
			require.Len(t, e.items(), e.Parts)
			require.NotEqual(t, e.Item, x.freeItem(name, e, e.Place))
		}
	})
}

// TestACallerThatLeftHoldsNothing: a call whose context has ended leaves the store usable.
func TestACallerThatLeftHoldsNothing(t *testing.T) {
	t.Parallel()
	s := open(t, t.TempDir(), newMemory(), false)
	left, leave := context.WithCancel(t.Context())
	leave()
	for range 20 {
		require.ErrorIs(t, s.Set(left, HostedKey, "late", ""), context.Canceled)
		require.Empty(t, s.busy)
	}
	require.NoError(t, s.Set(t.Context(), HostedKey, "value", ""))
	requireSecret(t, s, HostedKey, "value")
}
