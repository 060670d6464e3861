package sqlitetest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/pressly/goose/v3"
	"github.com/stretchr/testify/require"
)

// Versions returns how many versions the schema has, from the folder of backend/sqlite.
func Versions(t testing.TB, folder string) int64 {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "migrations", "*.sql"))
	require.NoError(t, err)
	return int64(len(files))
}

// Old writes a library of a version of the schema to path, with the rows of testdata/schema that there were up to then: those of each
// version were written under its schema, and went through the migrations since. folder is that of backend/sqlite.
func Old(t testing.TB, folder, path string, version int64) {
	t.Helper()
	ctx := context.Background()
	db := Raw(t, path)
	defer func() { require.NoError(t, db.Close()) }()
	migrations := os.DirFS(filepath.Join(folder, "migrations"))
	provider, err := goose.NewProvider(goose.DialectSQLite3, db, migrations, goose.WithDisableGlobalRegistry(true))
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

// Raw opens a library as it is: nothing is migrated.
func Raw(t testing.TB, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", path+"?_pragma=foreign_keys(1)&_pragma=synchronous(0)")
	require.NoError(t, err)
	return db
}
