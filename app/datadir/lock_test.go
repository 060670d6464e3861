package datadir

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/backend"
)

func TestLock(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "data")
	lock, err := Acquire(dir)
	require.NoError(t, err)
	info, err := os.Stat(dir)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
	_, err = Acquire(dir)
	require.Equal(t, backend.CodeDataDirLocked, backend.CodeOf(err))
	require.NoError(t, lock.Release())
	lock, err = Acquire(dir)
	require.NoError(t, err)
	require.NoError(t, lock.Release())
	require.NoError(t, (*Lock)(nil).Release())

	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	for _, dir := range []string{file, filepath.Join(file, "data")} {
		_, err = Acquire(dir)
		require.Equal(t, backend.CodeNotPermitted, backend.CodeOf(err), dir)
	}
}

// TestAnnounce writes the address for processes of the same user only, and finds no server where none responds.
func TestAnnounce(t *testing.T) {
	dir := t.TempDir()
	_, ok := FindServer(t.Context(), dir)
	require.False(t, ok)
	require.NoError(t, Announce(dir, client.Address{URL: "http://127.0.0.1:1", Token: "secret"}))
	info, err := os.Stat(AddressFile(dir))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	raw, err := os.ReadFile(AddressFile(dir))
	require.NoError(t, err)
	var a client.Address
	require.NoError(t, json.Unmarshal(raw, &a))
	require.Equal(t, client.Address{URL: "http://127.0.0.1:1", Token: "secret"}, a)
	_, ok = FindServer(t.Context(), dir)
	require.False(t, ok, "nothing listens there")
	require.NoError(t, os.WriteFile(AddressFile(dir), []byte("{"), 0o600))
	_, ok = FindServer(t.Context(), dir)
	require.False(t, ok)
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, entries, 1, "no temporary file stays")
}
