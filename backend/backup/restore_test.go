package backup_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/backup"
)

// TestKilledWhileTheMarksAreRemoved: the libraries have changed places already, so the next start only tidies up.
func TestKilledWhileTheMarksAreRemoved(t *testing.T) {
	for _, left := range []string{"complete", "moved"} {
		data := t.TempDir()
		write(t, filepath.Join(data, "voicewright.db"), "restored")
		write(t, filepath.Join(data, "audio/2026-01/a.wav"), "new sound")
		write(t, filepath.Join(data, "before-restore/voicewright.db"), "old")
		write(t, filepath.Join(data, "before-restore/audio/2025-01/old.wav"), "old sound")
		before := tree(t, data)
		write(t, filepath.Join(data, "restore-new", left), "")
		require.NoError(t, backup.Finish(data), left)
		require.Equal(t, before, tree(t, data), left)
		require.NoDirExists(t, filepath.Join(data, "restore-new"), left)
	}
}
