//go:build postgres

package main_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/backendtest/schematest"
)

// postgresStore has the migrations of PostgreSQL, and rows of each version of the schema.
var postgresStore = filepath.Join("..", "..", "backend", "service", "postgres")

// postgresColumns are the columns of the tables of a database.
const postgresColumns = `SELECT table_name || '.' || column_name FROM information_schema.columns
	WHERE table_schema = 'public' AND table_name <> 'goose_db_version' ORDER BY ordinal_position`

// TestPostgresKilledMigration kills the program within each migration, which waits for somebody else's lock meanwhile: the next one
// completes the upgrade, and nothing is lost.
func TestPostgresKilledMigration(t *testing.T) {
	t.Parallel()
	cluster := newCluster(t)
	locks := []string{
		`CREATE TABLE idempotency_keys (x int)`, // of the same name, until it is rolled back
		`LOCK TABLE accounts IN ACCESS SHARE MODE`, `LOCK TABLE instances IN ROW EXCLUSIVE MODE`, `LOCK TABLE accounts IN ROW EXCLUSIVE MODE`,
	}
	require.Len(t, locks, int(schematest.Versions(t, postgresStore)), "one that stops each migration")
	for version, lock := range locks {
		address := cluster.Database(t, "template0")
		db, err := sql.Open("pgx", address)
		require.NoError(t, err)
		schematest.Make(t, db, goose.DialectPostgres, postgresStore, int64(version))
		columns := schematest.Columns(t, db, postgresColumns)
		before := schematest.Rows(t, db, "quote_nullable", columns)
		blocker, err := db.BeginTx(t.Context(), nil)
		require.NoError(t, err)
		_, err = blocker.ExecContext(t.Context(), lock)
		require.NoError(t, err)

		o := newOperator(t).withEnv("VOICEWRIGHT_SERVICE_DATABASE=" + address)
		r := o.start("migrate")
		require.Eventually(t, func() bool {
			return schematest.Texts(t, db, `SELECT count(*)::text FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`)[0] == "1"
		}, testTimeout, 10*time.Millisecond)
		require.Equal(t, -1, r.signal(syscall.SIGKILL))
		require.NoError(t, blocker.Rollback())

		require.Regexp(t, fmt.Sprintf(`schema version (%d to )?%d\b`, version, schematest.Versions(t, postgresStore)), o.mustRun("migrate"))
		require.Equal(t, before, schematest.Rows(t, db, "quote_nullable", columns))
		require.Contains(t, o.mustRun("account", "check"), "accounts")
		require.NoError(t, db.Close())
	}
}
