package app

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/app/datadir"
	"github.com/voicewright/voicewright/backend"
)

// restoredConfig is a data directory as after the restore of a library, whose database has the content restored.
func restoredConfig(t *testing.T, restored string) Config {
	t.Helper()
	config := Config{Data: filepath.Join(t.TempDir(), "data"), Offline: true, Log: slog.New(slog.DiscardHandler)}
	studio, err := Open(t.Context(), config)
	require.NoError(t, err)
	require.NoError(t, studio.Close(t.Context()))
	former := filepath.Join(config.Data, "before-restore")
	require.NoError(t, os.Mkdir(former, 0o700))
	file := filepath.Join(config.Data, datadir.DatabaseFile)
	require.NoError(t, os.Rename(file, filepath.Join(former, datadir.DatabaseFile)))
	require.NoError(t, os.WriteFile(file, []byte(restored), 0o600))
	return config
}

// TestDamagedRestoreIsUndone: the former library is served, and whoever asks is told.
func TestDamagedRestoreIsUndone(t *testing.T) {
	config := restoredConfig(t, "this is no database")
	studio, err := openLibrary(t.Context(), config, true)
	require.NoError(t, err)
	require.True(t, studio.restorer.Undone())
	require.NoError(t, studio.Close(t.Context()))
	studio, err = Open(t.Context(), config)
	require.NoError(t, err, "the former library is in its place")
	require.False(t, studio.restorer.Undone())
	require.NoError(t, studio.Close(t.Context()))
}

// TestRestoreStaysAfterOtherErrors: what does not say that the library is bad does not take it away.
func TestRestoreStaysAfterOtherErrors(t *testing.T) {
	config := restoredConfig(t, "")
	broken := errors.New("the disk is asleep")
	config.Token = func() (string, error) { return "", broken }
	_, err := openLibrary(t.Context(), config, true)
	require.ErrorIs(t, err, broken)
	require.FileExists(t, filepath.Join(config.Data, "before-restore", datadir.DatabaseFile))

	ended, cancel := context.WithCancel(t.Context())
	cancel()
	config = restoredConfig(t, "this is no database")
	_, err = openLibrary(ended, config, true)
	require.Error(t, err)
	require.FileExists(t, filepath.Join(config.Data, "before-restore", datadir.DatabaseFile))
}

// TestFailedApplyLeavesNothing: a restore that was reported as failed does not happen at the next start.
func TestFailedApplyLeavesNothing(t *testing.T) {
	config := Config{Data: filepath.Join(t.TempDir(), "data"), Offline: true, Log: slog.New(slog.DiscardHandler)}
	studio, err := Open(t.Context(), config)
	require.NoError(t, err)
	defer func() { require.NoError(t, studio.Close(t.Context())) }()
	staging := filepath.Join(config.Data, "restore-new")
	require.NoError(t, os.MkdirAll(filepath.Join(staging, "complete", "x"), 0o700), "the mark cannot be written")
	db, err := os.ReadFile(filepath.Join(config.Data, datadir.DatabaseFile))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(staging, datadir.DatabaseFile), db, 0o600))
	studio.restorer.ready = "it"
	require.Error(t, studio.restorer.Apply(t.Context(), "it", true))
	require.False(t, studio.restorer.Restoring())
	require.NoDirExists(t, staging)
	require.Equal(t, backend.CodeNotFound, backend.CodeOf(studio.restorer.Apply(t.Context(), "it", true)))
}
