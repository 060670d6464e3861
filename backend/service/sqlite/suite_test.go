package sqlite_test

import (
	"path/filepath"
	"testing"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/storetest"
)

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) service.Store { return open(t) })
}

func TestSharedStore(t *testing.T) {
	storetest.RunShared(t, func(t *testing.T) (a, b service.Store) {
		path := filepath.Join(t.TempDir(), "service.db")
		return openAt(t, path), openAt(t, path)
	})
}
