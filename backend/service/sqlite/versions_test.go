package sqlite_test

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pressly/goose/v3"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/backendtest/schematest"
	"github.com/voicewright/voicewright/backend/service/sqlite"
	"github.com/voicewright/voicewright/backend/service/storetest"
)

// newest returns the version of the schema that this program has.
func newest(t *testing.T) int64 { return schematest.Versions(t, ".") }

// old makes a database of a version of the schema with rows of all versions up to it.
func old(t *testing.T, version int64) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "service.db")
	db := raw(t, path)
	defer func() { require.NoError(t, db.Close()) }()
	schematest.Make(t, db, goose.DialectSQLite3, ".", version)
	return path
}

// raw opens a database as it is: nothing is migrated.
func raw(t testing.TB, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", path+"?_pragma=foreign_keys(1)")
	require.NoError(t, err)
	return db
}

// tableRows returns the rows of all tables as text, and the columns; those of like only, where that is not nil.
func tableRows(t *testing.T, path string, like map[string][]string) (rows, tables map[string][]string) {
	t.Helper()
	db := raw(t, path)
	defer func() { require.NoError(t, db.Close()) }()
	if tables = like; tables == nil {
		tables = schematest.Columns(t, db, `SELECT l.name || '.' || c.name FROM pragma_table_list l, pragma_table_info(l.name) c
			WHERE l.schema = 'main' AND l.type = 'table' AND l.name NOT LIKE 'sqlite_%' AND l.name <> 'goose_db_version'`)
	}
	return schematest.Rows(t, db, "quote", tables), tables
}

// TestUpgradeOfEveryVersion opens databases of all earlier versions of the schema with rows in all tables: each value is as it was, but for
// the one change that a migration makes, the ledger sums up, and keys, favourites and Idempotency-Keys answer.
func TestUpgradeOfEveryVersion(t *testing.T) {
	t.Parallel()
	for version := int64(1); version <= newest(t); version++ {
		t.Run(fmt.Sprint("version ", version), func(t *testing.T) {
			t.Parallel()
			path := old(t, version)
			before, columns := tableRows(t, path, nil)
			for table, rows := range before {
				require.NotEmpty(t, rows, table)
			}
			db, err := sqlite.Open(t.Context(), sqlite.Options{Path: path, Now: func() time.Time { return start }})
			require.NoError(t, err)
			require.NoError(t, db.Check(t.Context()))
			require.NoError(t, db.Close())
			for i, row := range before["accounts"] {
				if version < 4 {
					before["accounts"][i] = strings.Replace(row, "'dora@old.example'", "'taken'", 1) // by 00004
				}
			}
			after, _ := tableRows(t, path, columns)
			require.Equal(t, before, after)
			storetest.Upgraded(t, openAt(t, path), version >= 3)
		})
	}
}

// TestDatabaseOfAKilledProgram migrates a database that a program left while it wrote without a write-ahead log.
func TestDatabaseOfAKilledProgram(t *testing.T) {
	t.Parallel()
	path := old(t, 1)
	left := filepath.Join(t.TempDir(), "service.db")
	db := raw(t, path)
	schematest.Interrupted(t, db, path, left)
	require.NoError(t, db.Close())
	before, after, err := sqlite.Migrate(t.Context(), sqlite.Options{Path: left, Now: func() time.Time { return start }})
	require.NoError(t, err)
	require.Equal(t, []int64{1, newest(t)}, []int64{before, after})
	storetest.Upgraded(t, openAt(t, left), false)
}

// TestKilledWriterOfAnotherFile refuses what another program, or a newer one, left while it wrote: the journal is theirs to roll back.
func TestKilledWriterOfAnotherFile(t *testing.T) {
	t.Parallel()
	schematest.KilledWriters(t, raw, func(t *testing.T, left string, code backend.Code) {
		t.Helper()
		_, err := sqlite.Open(t.Context(), sqlite.Options{Path: left})
		requireError(t, err, code, left)
		_, _, err = sqlite.Migrate(t.Context(), sqlite.Options{Path: left})
		requireError(t, err, code, left)
		copied := filepath.Join(t.TempDir(), "copy.db")
		requireError(t, sqlite.Backup(t.Context(), left, copied), code, left)
		require.NoFileExists(t, copied)
		_, err = sqlite.OpenSource(t.Context(), left)
		requireError(t, err, code, left)
	})
}

// TestNewerDatabaseIsLeftAlone refuses databases of a version that is not known yet, to open and to migrate, and changes no
// byte of them.
func TestNewerDatabaseIsLeftAlone(t *testing.T) {
	t.Parallel()
	for _, ahead := range []int64{1, 1000} {
		path := old(t, newest(t))
		_, _, err := sqlite.Migrate(t.Context(), sqlite.Options{Path: path}) // which sets the mode of the journal
		require.NoError(t, err)
		db := raw(t, path)
		_, err = db.ExecContext(t.Context(), `INSERT INTO goose_db_version (version_id, is_applied) VALUES (?, 1)`, newest(t)+ahead)
		require.NoError(t, errors.Join(err, db.Close()))
		before, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, existing := range []bool{false, true} {
			_, err = sqlite.Open(t.Context(), sqlite.Options{Path: path, Existing: existing})
			requireError(t, err, backend.CodeDatabaseNewer, path)
		}
		_, _, err = sqlite.Migrate(t.Context(), sqlite.Options{Path: path})
		requireError(t, err, backend.CodeDatabaseNewer, path)
		after, err := os.ReadFile(path)
		require.NoError(t, err)
		require.True(t, bytes.Equal(before, after))
	}
}
