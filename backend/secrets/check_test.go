package secrets

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	dir, keychain := t.TempDir(), newMemory()
	check := func(allowed bool, want string) {
		t.Helper()
		detail, err := open(t, dir, keychain, allowed).Check(t.Context())
		require.NoError(t, err)
		assert.Equal(t, want, detail)
	}
	check(false, "works, nothing is stored in it")
	keychain.fail = fails("check", errLocked())
	check(true, "cannot be used, the encrypted file is allowed")
	_, err := open(t, dir, keychain, false).Check(t.Context())
	requireUnavailable(t, err, "locked")
	assert.Contains(t, backend.AsError(err).Remedy, "secrets.allow_file")

	keychain.fail = nil
	require.NoError(t, open(t, dir, keychain, false).Set(t.Context(), HostedKey, "x", ""))
	check(false, "works, 1 stored in it")
	keychain.fail = fails("check", errLocked())
	_, err = open(t, dir, keychain, true).Check(t.Context())
	requireUnavailable(t, err, "locked")

	require.NoError(t, open(t, dir, keychain, true).Migrate(t.Context(), File))
	check(false, "not needed, 1 stored in the encrypted file")
	require.NoError(t, os.Truncate(filepath.Join(dir, secretFile), 10))
	_, err = open(t, dir, keychain, true).Check(t.Context())
	requireUnavailable(t, err, "damaged")
}
