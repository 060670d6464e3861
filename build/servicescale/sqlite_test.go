//go:build scale && postgres

package servicescale_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/sqlite"
)

// onSQLite returns a database in one file.
func onSQLite(t *testing.T) database {
	file := filepath.Join(t.TempDir(), "service.db")
	return database{address: "sqlite:" + file, open: func(t testing.TB) service.Store {
		db, err := sqlite.Open(context.Background(), sqlite.Options{Path: file})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, db.Close()) })
		return db
	}}
}
