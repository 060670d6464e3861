package sqlite_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/sqlite"
)

// TestBackup copies what is stored while the store is open, and Replace refuses until nobody has it open.
func TestBackup(t *testing.T) {
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "service.db")
	db, err := sqlite.Open(ctx, sqlite.Options{Path: path})
	require.NoError(t, err)
	a, err := db.SignIn(ctx, signingIn("anna", "", 10_000))
	require.NoError(t, err)
	to := filepath.Join(t.TempDir(), "copy.db")
	require.NoError(t, sqlite.Backup(ctx, path, to))
	require.NoError(t, sqlite.Verify(ctx, to))
	_, err = db.AddCredits(ctx, a.ID, 50, service.Change{})
	require.NoError(t, err)

	touched := false
	err = sqlite.Replace(ctx, path, func(string) error { touched = true; return nil })
	require.True(t, sqlite.IsLocked(err), "%v", err)
	require.False(t, touched)
	require.NoError(t, db.Close())
	before := openAt(t, to)
	kept, err := before.Account(ctx, "anna")
	require.NoError(t, err)
	require.Equal(t, a.Credits(), kept.Credits(), "the copy is of its time")
}
