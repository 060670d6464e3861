package sqlite_test

import (
	"path/filepath"
	"testing"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/sqlite"
	"github.com/voicewright/voicewright/backend/service/storetest"
)

func TestStore(t *testing.T) {
	storetest.Run(t, sqlite.DeadAfter, func(t *testing.T, clock *storetest.Clock) service.Store {
		return openWith(t, sqlite.Options{Path: filepath.Join(t.TempDir(), "service.db"), Now: clock.Now})
	})
}

func TestSharedStore(t *testing.T) {
	storetest.RunShared(t, sqlite.DeadAfter, func(t *testing.T, clock *storetest.Clock) (a, b service.Store) {
		o := sqlite.Options{Path: filepath.Join(t.TempDir(), "service.db"), Now: clock.Now}
		return openWith(t, o), openWith(t, o)
	})
}
