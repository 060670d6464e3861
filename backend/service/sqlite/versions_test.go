package sqlite_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pressly/goose/v3"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/sqlite"
)

// newest returns the version of the schema that this program has.
func newest(t *testing.T) int64 {
	t.Helper()
	migrations, err := filepath.Glob("migrations/*.sql")
	require.NoError(t, err)
	return int64(len(migrations))
}

// old makes a database of a version of the schema with the rows of testdata/schema that there were up to then: those of each version were
// written under its schema, and went through the migrations since.
func old(t *testing.T, version int64) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "service.db")
	db := raw(t, path)
	defer func() { require.NoError(t, db.Close()) }()
	provider, err := goose.NewProvider(goose.DialectSQLite3, db, os.DirFS("migrations"), goose.WithDisableGlobalRegistry(true))
	require.NoError(t, err)
	for n := int64(1); n <= version; n++ {
		_, err := provider.UpTo(context.Background(), n)
		require.NoError(t, err)
		rows, err := os.ReadFile(filepath.Join("testdata", "schema", fmt.Sprintf("%03d.sql", n)))
		if errors.Is(err, fs.ErrNotExist) {
			continue // a version that has nothing new to store
		}
		require.NoError(t, err)
		_, err = db.ExecContext(t.Context(), string(rows))
		require.NoError(t, err, "rows of version %d", n)
	}
	return path
}

// raw opens a database as it is: nothing is migrated.
func raw(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", path+"?_pragma=foreign_keys(1)")
	require.NoError(t, err)
	return db
}

// texts returns the results of a query.
func texts(t *testing.T, db *sql.DB, query string) []string {
	t.Helper()
	found, err := db.QueryContext(t.Context(), query)
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

// tableRows returns the rows of all tables as text, and the columns; those of like only, where that is not nil.
func tableRows(t *testing.T, path string, like map[string][]string) (rows, tables map[string][]string) {
	t.Helper()
	db := raw(t, path)
	defer func() { require.NoError(t, db.Close()) }()
	rows, tables = map[string][]string{}, map[string][]string{}
	for _, table := range texts(t, db, `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
		AND name NOT LIKE 'sqlite_%' AND name <> 'goose_db_version'`) {
		columns := texts(t, db, `SELECT name FROM pragma_table_info('`+table+`')`)
		if like != nil {
			columns = like[table]
		}
		if len(columns) == 0 {
			continue
		}
		tables[table] = columns
		rows[table] = texts(t, db, `SELECT quote("`+strings.Join(columns, `") || ',' || quote("`)+`") AS row FROM `+table+` ORDER BY row`)
	}
	return rows, tables
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
			requireAnswers(t, openAt(t, path), version)
		})
	}
}

// requireAnswers requires that a database that was upgraded from a version knows its users, and goes on with their calls.
func requireAnswers(t *testing.T, db *sqlite.DB, version int64) {
	t.Helper()
	ctx := t.Context()
	a, key, err := db.KeyCaller(ctx, service.KeyHash(equal(1)))
	require.NoError(t, err)
	require.Equal(t, []string{"anna", "Änna@example.com", "Ännas Gerät"}, []string{a.Subject, a.Email, key.Name})
	spent := int64(8)
	if version < 3 {
		spent = 0
	}
	require.Equal(t, []int64{947 - spent, 75}, []int64{a.PlanCredits, a.PaygCredits})
	for _, hash := range []byte{2, 3} {
		_, _, err := db.KeyCaller(ctx, service.KeyHash(equal(hash)))
		require.ErrorIs(t, err, service.ErrNotFound, "a key that was revoked")
	}
	voices, err := db.Favourites(ctx, a.ID)
	require.NoError(t, err)
	require.Equal(t, []string{"voice-one"}, voices)
	earlier, err := db.Earlier(ctx, a.ID, equal(9))
	if version < 3 {
		require.ErrorIs(t, err, service.ErrNotFound)
	} else {
		require.NoError(t, err)
		require.Equal(t, service.Earlier{Request: equal(8), File: "once.mp3", RemainingCredits: 1003}, earlier)
	}
	usage, _, err := db.Usage(ctx, a.ID, "", 10)
	require.NoError(t, err)
	require.Equal(t, []string{"Schöne Grüße 📚", "charged.mp3"}, []string{usage[len(usage)-1].Title, usage[len(usage)-1].File})

	require.NoError(t, db.Refund(ctx, "held", "repair"))
	r := request(a, "new")
	r.Idempotency = &service.Idempotency{Key: equal(5)}
	_, err = db.Reserve(ctx, r)
	require.NoError(t, err)
	_, err = db.Settle(ctx, "new", service.Project{}, service.NewFile{Name: "new.mp3"})
	require.NoError(t, err)
	again, err := db.Account(ctx, "anna")
	require.NoError(t, err)
	require.Equal(t, a.Credits()+13-100, again.Credits())
	require.NoError(t, db.Check(ctx))
}

// equal returns a hash of equal bytes.
func equal(b byte) (hash [32]byte) {
	for i := range hash {
		hash[i] = b
	}
	return hash
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
