package postgres_test

import (
	"testing"

	"github.com/voicewright/voicewright/backend/backendtest"
)

// TestMigrationsAreAppendOnly guards the files that databases were made with.
func TestMigrationsAreAppendOnly(t *testing.T) {
	backendtest.RequireAppendOnly(t, "databases only go up")
}
