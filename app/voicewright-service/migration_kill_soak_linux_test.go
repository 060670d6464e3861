//go:build soak && postgres

package main_test

import (
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/pressly/goose/v3"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/app/programtest"
	"github.com/voicewright/voicewright/backend/backendtest/schematest"
)

// schema is a store of the service, and how its databases are opened.
type schema struct {
	dialect                        goose.Dialect
	folder, driver, quote, columns string
}

// TestSoakKillInAMigration kills the program at writes of the upgrade from each earlier version of the schema, to the file or to the
// server: the next run completes it, and each row is as after an upgrade that nothing disturbed.
func TestSoakKillInAMigration(t *testing.T) {
	t.Run("SQLite", func(t *testing.T) {
		s := schema{
			dialect: goose.DialectSQLite3, folder: filepath.Join("..", "..", "backend", "service", "sqlite"), driver: "sqlite", quote: "quote",
			columns: `SELECT l.name || '.' || c.name FROM pragma_table_list l, pragma_table_info(l.name) c
				WHERE l.schema = 'main' AND l.type = 'table' AND l.name NOT LIKE 'sqlite_%' AND l.name <> 'goose_db_version'`,
		}
		s.kill(t, func(t *testing.T) (source, address string) {
			path := filepath.Join(t.TempDir(), "a.db")
			return path, "sqlite:" + path
		})
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		cluster := newCluster(t)
		s := schema{goose.DialectPostgres, postgresStore, "pgx", "quote_nullable", postgresColumns}
		s.kill(t, func(t *testing.T) (source, address string) {
			source = cluster.Database(t, "template0")
			return source, source
		})
	})
}

// kill tries each version with new databases.
func (s schema) kill(t *testing.T, empty func(t *testing.T) (source, address string)) {
	t.Helper()
	for version := int64(1); version < schematest.Versions(t, s.folder); version++ {
		killed := 0
		whole, known := empty(t)
		columns := s.make(t, whole, version)
		newOperator(t).mustRun("migrate", "--database", known)
		want := s.rows(t, whole, columns)
		for when := 1; ; when += 1 + when/10 {
			source, address := empty(t)
			s.make(t, source, version)
			fault := programtest.Fault{Calls: "pwrite64,write,ftruncate,fsync,fdatasync,unlink,unlinkat", Does: "signal=KILL", When: when}
			o := newOperator(t)
			code, _, said, _ := o.terminal().Traced(t, fault, binary, []string{"migrate", "--database", address})
			if code == exitDone {
				break
			}
			require.Empty(t, said)
			killed++
			o.mustRun("migrate", "--database", address)
			require.Contains(t, o.mustRun("account", "check", "--database", address), "accounts")
			require.Equal(t, want, s.rows(t, source, columns), "version %d killed at %d", version, when)
		}
		t.Logf("from version %d killed %d times", version, killed)
		require.Positive(t, killed)
	}
}

// make makes a database of a version and returns its columns.
func (s schema) make(t *testing.T, source string, version int64) map[string][]string {
	t.Helper()
	db, err := sql.Open(s.driver, source)
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	schematest.Make(t, db, s.dialect, s.folder, version)
	return schematest.Columns(t, db, s.columns)
}

func (s schema) rows(t *testing.T, source string, columns map[string][]string) map[string][]string {
	t.Helper()
	db, err := sql.Open(s.driver, source)
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	return schematest.Rows(t, db, s.quote, columns)
}
