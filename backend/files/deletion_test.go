package files_test

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/files"
)

// TestDeletions finishes what a killed program began: rows that are there keep their files.
func TestDeletions(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var log bytes.Buffer
	d := files.Deletions{Notes: filepath.Join(dir, "unfinished"), Root: dir, Log: slog.New(slog.NewTextHandler(&log, nil))}
	there := func(id string) (bool, error) { return id == "stays", nil }
	require.NoError(t, d.Finish(there), "without folders")
	d.Note("a")()
	require.Contains(t, log.String(), "note what is deleted", "there is no folder for notes")

	for _, name := range []string{
		"2026-11/a.wav", "2026-11/a.1.wav", "2026-11/ab.wav", "2026-11/stays.wav", "2026-11/other.wav", "takes/a/0-0.wav", "scripts/a-2.wav",
		"unfinished/broken.deleting", "a.wav",
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("["), 0o600))
	}
	d.Note("other")()
	d.Note("a", "stays", "", "../x")
	failed := errors.New("no database")
	require.ErrorIs(t, d.Finish(func(string) (bool, error) { return false, failed }), failed)
	require.FileExists(t, filepath.Join(dir, "2026-11", "a.wav"))
	require.NoError(t, d.Finish(there))
	left, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	require.NoError(t, err)
	require.Equal(t, []string{
		filepath.Join(dir, "2026-11", "ab.wav"), filepath.Join(dir, "2026-11", "other.wav"), filepath.Join(dir, "2026-11", "stays.wav"),
	}, left)
	require.FileExists(t, filepath.Join(dir, "a.wav"), "it is in no folder")
}
