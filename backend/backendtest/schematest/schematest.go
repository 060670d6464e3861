// Package schematest makes databases of older versions of a schema, and compares their rows, for the tests of upgrades.
package schematest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pressly/goose/v3"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

// Versions returns how many versions a schema has, from the folder of its store.
func Versions(t testing.TB, folder string) int64 {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "migrations", "*.sql"))
	require.NoError(t, err)
	return int64(len(files))
}

// Make brings an empty database to a version of the schema, with the rows of testdata/schema that there were up to then: those of each
// version were written under its schema, and went through the migrations since. folder is that of the store.
func Make(t testing.TB, db *sql.DB, dialect goose.Dialect, folder string, version int64) {
	t.Helper()
	ctx := context.Background()
	migrations := os.DirFS(filepath.Join(folder, "migrations"))
	provider, err := goose.NewProvider(dialect, db, migrations, goose.WithDisableGlobalRegistry(true))
	require.NoError(t, err)
	for n := int64(1); n <= version; n++ {
		_, err := provider.UpTo(ctx, n)
		require.NoError(t, err)
		rows, err := os.ReadFile(filepath.Join(folder, "testdata", "schema", fmt.Sprintf("%03d.sql", n)))
		if errors.Is(err, fs.ErrNotExist) {
			continue // a version that has nothing new to store
		}
		require.NoError(t, err)
		_, err = db.ExecContext(ctx, string(rows))
		require.NoError(t, err, "rows of version %d", n)
	}
}

// Columns returns the columns of tables by name, from a query for "table.column".
func Columns(t testing.TB, db *sql.DB, query string) map[string][]string {
	t.Helper()
	tables := map[string][]string{}
	for _, name := range Texts(t, db, query) {
		table, column, _ := strings.Cut(name, ".")
		tables[table] = append(tables[table], column)
	}
	return tables
}

// Rows returns these columns of all rows as text, by table. quote is the function of the database that writes a value as a literal.
func Rows(t testing.TB, db *sql.DB, quote string, tables map[string][]string) map[string][]string {
	t.Helper()
	rows := map[string][]string{}
	for table, columns := range tables {
		values := make([]string, len(columns))
		for i, c := range columns {
			values[i] = quote + `("` + c + `")`
		}
		rows[table] = Texts(t, db, `SELECT `+strings.Join(values, ` || ',' || `)+` AS line FROM `+table+` ORDER BY line`)
	}
	return rows
}

// Texts returns the results of a query for one column.
func Texts(t testing.TB, db *sql.DB, query string) []string {
	t.Helper()
	found, err := db.QueryContext(context.Background(), query)
	require.NoError(t, err, query)
	defer func() { require.NoError(t, found.Close()) }()
	list := []string{}
	for found.Next() {
		var s string
		require.NoError(t, found.Scan(&s), query)
		list = append(list, s)
	}
	require.NoError(t, found.Err())
	return list
}

// Interrupted copies a database of SQLite without a WAL to another path, as a program leaves it that is killed while it writes: some pages
// are new, and the journal beside has the old ones.
func Interrupted(t testing.TB, db *sql.DB, from, to string) {
	t.Helper()
	ctx := context.Background()
	conn, err := db.Conn(ctx)
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close()) }()
	for _, statement := range []string{
		`PRAGMA synchronous = 2`, `PRAGMA cache_size = 1`, `BEGIN IMMEDIATE`, `CREATE TABLE unfinished (x)`,
		`INSERT INTO unfinished SELECT randomblob(4000) FROM sqlite_schema a, sqlite_schema b`,
	} {
		_, err := conn.ExecContext(ctx, statement)
		require.NoError(t, err, statement)
	}
	for _, suffix := range []string{"", "-journal"} {
		content, err := os.ReadFile(from + suffix)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(to+suffix, content, 0o600))
	}
	_, err = conn.ExecContext(ctx, `ROLLBACK`)
	require.NoError(t, err)
}

// Unchanged returns a check that a database that Interrupted left, and the journal beside it, still have the bytes that they have now.
func Unchanged(t testing.TB, path string) (check func()) {
	t.Helper()
	read := func() string {
		var all []string
		for _, suffix := range []string{"", "-journal"} {
			content, err := os.ReadFile(path + suffix)
			require.NoError(t, err)
			all = append(all, string(content))
		}
		return strings.Join(all, "|")
	}
	before := read()
	return func() { require.True(t, before == read(), "the file and its journal are left as they are") }
}

// KilledWriters has refuse look at a file of another program, and at a newer one of ours, that a killed writer left: it requires the code
// of an error for the file. Neither the file nor its journal may change. raw opens a database as it is; version 1 is made of the files in
// the folder of the test.
func KilledWriters(t *testing.T, raw func(t testing.TB, path string) *sql.DB, refuse func(t *testing.T, left string, code backend.Code)) {
	t.Helper()
	for name, c := range map[string]struct {
		version   int64
		statement string
		code      backend.Code
	}{
		"another program": {0, `CREATE TABLE songs AS SELECT randomblob(9000) AS name`, backend.CodeDatabaseCorrupt},
		"newer":           {1, `INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)`, backend.CodeDatabaseNewer},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			path, left := filepath.Join(dir, "whole.db"), filepath.Join(dir, "left.db")
			db := raw(t, path)
			if c.version > 0 {
				Make(t, db, goose.DialectSQLite3, ".", c.version)
			}
			_, err := db.ExecContext(t.Context(), c.statement)
			require.NoError(t, err)
			Interrupted(t, db, path, left)
			require.NoError(t, db.Close())
			unchanged := Unchanged(t, left)
			refuse(t, left, c.code)
			unchanged()
		})
	}
}
