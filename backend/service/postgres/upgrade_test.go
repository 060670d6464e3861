//go:build postgres

package postgres_test

import (
	"database/sql"
	"fmt"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/backendtest/schematest"
	"github.com/voicewright/voicewright/backend/service/postgres"
	"github.com/voicewright/voicewright/backend/service/postgres/postgrestest"
	"github.com/voicewright/voicewright/backend/service/storetest"
)

// withRaw calls use with a database as it is: nothing is migrated.
func withRaw(t *testing.T, url string, use func(db *sql.DB)) {
	t.Helper()
	db, err := sql.Open("pgx", url)
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	use(db)
}

// tableRows returns the rows of all tables as text, and the columns; those of like only, where that is not nil.
func tableRows(t *testing.T, url string, like map[string][]string) (rows, tables map[string][]string) {
	t.Helper()
	withRaw(t, url, func(db *sql.DB) {
		if tables = like; tables == nil {
			tables = schematest.Columns(t, db, `SELECT table_name || '.' || column_name FROM information_schema.columns
				WHERE table_schema = 'public' AND table_name <> 'goose_db_version' ORDER BY ordinal_position`)
		}
		rows = schematest.Rows(t, db, "quote_nullable", tables)
	})
	return rows, tables
}

// TestUpgradeOfEveryVersion opens databases of all versions of the schema with rows in all tables: each value is as it was, the ledger sums
// up, and keys, favourites and Idempotency-Keys answer.
func TestUpgradeOfEveryVersion(t *testing.T) {
	newest := schematest.Versions(t, ".")
	for version := int64(1); version <= newest; version++ {
		t.Run(fmt.Sprint("version ", version), func(t *testing.T) {
			url := postgrestest.New(t)
			withRaw(t, url, func(db *sql.DB) { schematest.Make(t, db, goose.DialectPostgres, ".", version) })
			before, columns := tableRows(t, url, nil)
			for table, rows := range before {
				require.NotEmpty(t, rows, table)
			}
			from, to, err := postgres.Migrate(t.Context(), postgres.Options{URL: url})
			require.NoError(t, err)
			require.Equal(t, []int64{version, newest}, []int64{from, to})
			after, _ := tableRows(t, url, columns)
			require.Equal(t, before, after)
			standing(t, url)
			db := openWith(t, postgres.Options{URL: url})
			require.NoError(t, db.Check(t.Context()))
			storetest.Upgraded(t, db, true)
		})
	}
}
