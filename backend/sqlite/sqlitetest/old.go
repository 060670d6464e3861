package sqlitetest

import (
	"database/sql"
	"testing"

	"github.com/pressly/goose/v3"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/backendtest/schematest"
)

// Versions returns how many versions the schema has, from the folder of backend/sqlite.
func Versions(t testing.TB, folder string) int64 { return schematest.Versions(t, folder) }

// Old writes a library of a version of the schema to path, with rows of all versions up to it. folder is that of backend/sqlite.
func Old(t testing.TB, folder, path string, version int64) {
	t.Helper()
	db := Raw(t, path)
	defer func() { require.NoError(t, db.Close()) }()
	schematest.Make(t, db, goose.DialectSQLite3, folder, version)
}

// Raw opens a library as it is: nothing is migrated.
func Raw(t testing.TB, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", path+"?_pragma=foreign_keys(1)&_pragma=synchronous(0)")
	require.NoError(t, err)
	return db
}
