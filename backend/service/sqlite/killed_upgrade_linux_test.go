package sqlite_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/backendtest/schematest"
	"github.com/voicewright/voicewright/backend/service/sqlite"
	"github.com/voicewright/voicewright/backend/service/storetest"
)

// TestUpgradeThatIsKilled migrates databases of all earlier versions as a program leaves them that is killed at a random write of their
// upgrade: the next one completes it, and each row is as after an upgrade that nothing disturbed.
func TestUpgradeThatIsKilled(t *testing.T) {
	t.Parallel()
	for version := int64(1); version < newest(t); version++ {
		t.Run(fmt.Sprint("version ", version), func(t *testing.T) {
			t.Parallel()
			path := old(t, version)
			migrate := func(path string) {
				_, after, err := sqlite.Migrate(t.Context(), sqlite.Options{Path: path, Now: func() time.Time { return start }})
				require.NoError(t, err)
				require.Equal(t, newest(t), after)
			}
			left, writes := schematest.Killed(t, filepath.Dir(path), func() { migrate(path) })
			want, _ := tableRows(t, path, nil)
			path = filepath.Join(left, filepath.Base(path))
			migrate(path)
			got, _ := tableRows(t, path, nil)
			require.Equal(t, want, got)
			require.Greater(t, writes, 10)
			storetest.Upgraded(t, openAt(t, path), version >= 3)
		})
	}
}
