package sqlite_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/backendtest/schematest"
)

// TestUpgradeThatIsKilled opens the libraries of all earlier versions as a program leaves them that is killed at a random write of their
// upgrade: the next start completes it, and each row is as after an upgrade that nothing disturbed.
func TestUpgradeThatIsKilled(t *testing.T) {
	t.Parallel()
	olderVersions(t, func(t *testing.T, path string, version int64) {
		left, writes := schematest.Killed(t, filepath.Dir(path), func() { upgraded(t, path) })
		want, _ := tableRows(t, path, nil)
		path = filepath.Join(left, filepath.Base(path))
		requireUpgrade(t, path, version)
		got, _ := tableRows(t, path, nil)
		require.Equal(t, want, got)
		require.Greater(t, writes, 10)
	})
}
