package sqlite_test

import (
	"bytes"
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/sqlite"
)

// openAt opens a store until the end of the test.
func openAt(t testing.TB, path string) *sqlite.DB {
	t.Helper()
	return openWith(t, sqlite.Options{Path: path, Now: func() time.Time { return start }})
}

// openWith opens a store until the end of the test.
func openWith(t testing.TB, o sqlite.Options) *sqlite.DB {
	t.Helper()
	db, err := sqlite.Open(context.Background(), o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return db
}

// open returns an empty store in a folder of the test.
func open(t testing.TB) *sqlite.DB {
	t.Helper()
	return openAt(t, filepath.Join(t.TempDir(), "service.db"))
}

// signingIn returns the sign-in of a user who may have an account.
func signingIn(subject, email string, baseline int64) service.SignIn {
	return service.SignIn{Identity: service.Identity{Subject: subject, Email: email}, Admitted: true, Baseline: baseline}
}

// request returns a request of a user for credits.
func request(a service.Account, id string) service.Reserve {
	return service.Reserve{
		ID: id, Account: a.ID, Instance: "p", Credits: 100, RateLimit: service.CallsPerMinute, Kind: "synthesize",
		Provider: service.ProviderC, Model: "providerC-neural2", Characters: 250,
	}
}

func TestStoreKeepsWhatItWasGiven(t *testing.T) {
	ctx := t.Context()
	for _, name := range []string{"service.db", "a b?c#d%20é&_pragma=x.db"} {
		path := filepath.Join(t.TempDir(), name)
		db, err := sqlite.Open(ctx, sqlite.Options{Path: path})
		require.NoError(t, err)
		a, err := db.SignIn(ctx, signingIn("anna", "anna@example.com", 10_000))
		require.NoError(t, err)
		_, err = db.Reserve(ctx, request(a, "one"))
		require.NoError(t, err)
		for _, file := range []string{path, path + "-wal", path + "-shm", path + ".lock"} {
			info, err := os.Stat(file)
			require.NoError(t, err)
			require.Equal(t, os.FileMode(0o600), info.Mode().Perm(), file)
		}
		require.NoError(t, db.Close())
		require.NoError(t, db.Close())
		require.NoFileExists(t, path+"-wal")

		again, err := openAt(t, path).Account(ctx, "anna")
		require.NoError(t, err)
		require.EqualValues(t, 9900, again.Credits())
		_, err = db.SignIn(ctx, signingIn("bob", "", 1))
		require.Error(t, err, "a closed store")
	}
}

func TestOpenRefuses(t *testing.T) {
	ctx := t.Context()
	write := func(content string) func(*testing.T, string) {
		return func(t *testing.T, path string) { require.NoError(t, os.WriteFile(path, []byte(content), 0o600)) }
	}
	stored := func(t *testing.T, path, statement string) {
		db, err := sqlite.Open(ctx, sqlite.Options{Path: path})
		require.NoError(t, err)
		require.NoError(t, db.Exec(ctx, statement))
		require.NoError(t, db.Close())
	}
	other := func(t *testing.T, path, statement string) {
		db, err := sql.Open("sqlite", path)
		require.NoError(t, err)
		_, err = db.Exec(statement)
		require.NoError(t, err)
		require.NoError(t, db.Close())
	}
	for name, c := range map[string]struct {
		make func(t *testing.T, path string)
		code backend.Code
	}{
		"not a database": {write(strings.Repeat("not a database. ", 500)), backend.CodeDatabaseCorrupt},
		"short garbage":  {write("x"), backend.CodeDatabaseCorrupt},
		"of another program": {func(t *testing.T, path string) {
			other(t, path, `CREATE TABLE songs (name TEXT)`)
		}, backend.CodeDatabaseCorrupt},
		"of another program with the same migrations": {func(t *testing.T, path string) {
			other(t, path, `CREATE TABLE goose_db_version (id INTEGER PRIMARY KEY)`)
		}, backend.CodeDatabaseCorrupt},
		"cut off": {func(t *testing.T, path string) {
			stored(t, path, `DELETE FROM favourites`)
			require.NoError(t, os.Truncate(path, 4096))
		}, backend.CodeDatabaseCorrupt},
		"of a newer program": {func(t *testing.T, path string) {
			stored(t, path, `INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)`)
		}, backend.CodeDatabaseNewer},
		"a folder": {func(t *testing.T, path string) { require.NoError(t, os.Mkdir(path, 0o700)) }, backend.CodeNotPermitted},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "service.db")
			c.make(t, path)
			before, _ := os.ReadFile(path) // a folder has no content
			_, err := sqlite.Open(ctx, sqlite.Options{Path: path})
			requireError(t, err, c.code, path)
			after, _ := os.ReadFile(path)
			require.True(t, bytes.Equal(before, after), "the file is left as it is")
		})
	}
}

func TestOpenWithoutAFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	for _, path := range []string{filepath.Join(file, "service.db"), filepath.Join(t.TempDir(), "no", "service.db")} {
		_, err := sqlite.Open(t.Context(), sqlite.Options{Path: path})
		requireError(t, err, backend.CodeNotPermitted, path)
	}
}

func TestCancelledOpen(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := sqlite.Open(ctx, sqlite.Options{Path: filepath.Join(t.TempDir(), "service.db")})
	require.ErrorIs(t, err, backend.ErrCancelled)
}

// requireError checks an error for users: its code, a sentence with the path, and a remedy.
func requireError(t *testing.T, err error, code backend.Code, path string) {
	t.Helper()
	var e *backend.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, code, e.Code, err)
	require.Contains(t, e.Detail, path)
	require.NotEmpty(t, e.Remedy)
}

// TestCommitsAreSynced checks the settings with which SQLite syncs every commit, so that it survives a power cut.
func TestCommitsAreSynced(t *testing.T) {
	db := open(t)
	for name, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1"} {
		value, err := db.Pragma(t.Context(), name)
		require.NoError(t, err)
		require.Equal(t, want, value, name)
	}
}
