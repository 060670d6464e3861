package sqlite_test

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/sqlite"
	"github.com/voicewright/voicewright/backend/sqlite/sqlitetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// open returns an empty library in a folder of the test.
func open(t testing.TB) *sqlite.DB {
	t.Helper()
	return openAt(t, sqlitetest.Migrated(t, filepath.Join(t.TempDir(), "voicewright.db")))
}

func openAt(t testing.TB, path string) *sqlite.DB {
	t.Helper()
	db, err := sqlite.Open(context.Background(), sqlite.Options{Path: path})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return db
}

// presets makes n presets of an engine.
func presets(engine string, n int) []backend.Preset {
	list := make([]backend.Preset, n)
	for i := range list {
		list[i] = backend.Preset{
			Engine: engine, VoiceID: fmt.Sprintf("v%d", i), Name: fmt.Sprintf("%s voice %d", engine, i),
			Language: "en-US", Model: engine,
		}
	}
	return list
}

func TestOpenMakesAPrivateFile(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"voicewright.db", "a b?c#d%20é&_pragma=x.db"} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), name)
			db := openAt(t, path)
			require.Equal(t, path, db.Path())
			_, err := db.CreateGeneration(context.Background(), backend.Generation{Text: "x"})
			require.NoError(t, err)
			for _, file := range []string{path, path + "-wal", path + "-shm"} {
				info, err := os.Stat(file)
				require.NoError(t, err)
				require.Equal(t, os.FileMode(0o600), info.Mode().Perm(), file)
			}
		})
	}
}

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	write := func(content string) func(*testing.T, string) {
		return func(t *testing.T, path string) { require.NoError(t, os.WriteFile(path, []byte(content), 0o600)) }
	}
	cases := []struct {
		name string
		make func(t *testing.T, path string)
		code backend.Code
	}{
		{"not a database", write(strings.Repeat("not a database. ", 500)), backend.CodeDatabaseCorrupt},
		{"short garbage", write("x"), backend.CodeDatabaseCorrupt},
		{"database of another program", func(t *testing.T, path string) {
			other, err := sql.Open("sqlite", path)
			require.NoError(t, err)
			_, err = other.Exec(`CREATE TABLE songs (name TEXT)`)
			require.NoError(t, err)
			require.NoError(t, other.Close())
		}, backend.CodeDatabaseCorrupt},
		{"cut off", func(t *testing.T, path string) {
			db, err := sqlite.Open(ctx, sqlite.Options{Path: path})
			require.NoError(t, err)
			require.NoError(t, db.Close())
			require.NoError(t, os.Truncate(path, 4096))
		}, backend.CodeDatabaseCorrupt},
		{"emptied beside a backup", func(t *testing.T, path string) {
			write("")(t, path)
			write("x")(t, path+".backup-1-20260101T000000.000Z")
		}, backend.CodeDatabaseCorrupt},
		{"of a newer program", func(t *testing.T, path string) {
			db, err := sqlite.Open(ctx, sqlite.Options{Path: path})
			require.NoError(t, err)
			require.NoError(t, db.Exec(ctx, `INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)`))
			require.NoError(t, db.Close())
		}, backend.CodeDatabaseNewer},
		{"a folder", func(t *testing.T, path string) { require.NoError(t, os.Mkdir(path, 0o700)) }, backend.CodeNotPermitted},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "voicewright.db")
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
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	for _, path := range []string{filepath.Join(file, "voicewright.db"), filepath.Join(t.TempDir(), "no", "voicewright.db")} {
		_, err := sqlite.Open(context.Background(), sqlite.Options{Path: path})
		requireError(t, err, backend.CodeNotPermitted, path)
	}
}

func TestDamageNamesTheNewestBackup(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "voicewright.db")
	require.NoError(t, os.WriteFile(path, []byte("damaged"), 0o600))
	for _, name := range []string{".backup-10-20260101T000000.000Z", ".backup-9-20260301T000000.000Z"} {
		require.NoError(t, os.WriteFile(path+name, []byte("x"), 0o600))
	}
	_, err := sqlite.Open(context.Background(), sqlite.Options{Path: path})
	requireError(t, err, backend.CodeDatabaseCorrupt, path)
	require.Contains(t, backend.AsError(err).Remedy, path+".backup-9-20260301T000000.000Z")
}

func TestDamageWithinIsFound(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "voicewright.db")
	db, err := sqlite.Open(ctx, sqlite.Options{Path: path})
	require.NoError(t, err)
	require.NoError(t, db.IntegrityCheck(ctx))
	for range 300 {
		_, err = db.CreateGeneration(ctx, backend.Generation{Text: strings.Repeat("some words ", 30)})
		require.NoError(t, err)
	}
	require.NoError(t, db.Close())
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	for i := len(content) / 2; i < len(content); i++ {
		content[i] = 0xa5
	}
	require.NoError(t, os.WriteFile(path, content, 0o600))

	db = openAt(t, path)
	requireError(t, db.IntegrityCheck(ctx), backend.CodeDatabaseCorrupt, path)
	_, err = db.Generations(ctx, backend.GenerationFilter{Page: backend.Page{Limit: 500}})
	requireError(t, err, backend.CodeDatabaseCorrupt, path)
}

func TestFullFile(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := open(t)
	kept, err := db.CreateGeneration(ctx, backend.Generation{Text: "kept"})
	require.NoError(t, err)
	require.NoError(t, db.LimitPages(ctx))
	_, err = db.CreateGeneration(ctx, backend.Generation{Text: strings.Repeat("much text ", 10_000)})
	requireError(t, err, backend.CodeInsufficientDisk, db.Path())
	list, err := db.Generations(ctx, backend.GenerationFilter{})
	require.NoError(t, err)
	require.Len(t, list.Items, 1, "the library goes on working")
	require.Equal(t, kept.ID, list.Items[0].ID)
}

func TestAnotherProgramHoldsTheFile(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := open(t)
	other, err := sql.Open("sqlite", db.Path()+"?_txlock=immediate")
	require.NoError(t, err)
	tx, err := other.Begin()
	require.NoError(t, err)
	require.NoError(t, db.Exec(ctx, `PRAGMA busy_timeout = 20`))
	_, err = db.Create(ctx, backend.Profile{Name: "x"})
	requireError(t, err, backend.CodeDataDirLocked, db.Path())
	require.NoError(t, tx.Rollback())
	require.NoError(t, other.Close())
}

func TestCancelledCall(t *testing.T) {
	t.Parallel()
	db := open(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := db.Generations(ctx, backend.GenerationFilter{})
	require.ErrorIs(t, err, backend.ErrCancelled)
	_, err = db.Create(ctx, backend.Profile{Name: "x"})
	require.ErrorIs(t, err, backend.ErrCancelled)
	_, err = sqlite.Open(ctx, sqlite.Options{Path: filepath.Join(t.TempDir(), "x.db")})
	require.ErrorIs(t, err, backend.ErrCancelled)
}

func TestOpenAfterAKilledProcess(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db := open(t)
	g, err := db.CreateGeneration(ctx, backend.Generation{Text: "still in the log"})
	require.NoError(t, err)
	left := filepath.Join(t.TempDir(), "voicewright.db")
	for _, end := range []string{"", "-wal"} {
		content, err := os.ReadFile(db.Path() + end)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(left+end, content, 0o600))
	}
	same, err := openAt(t, left).Generation(ctx, g.ID)
	require.NoError(t, err)
	require.Equal(t, g, same)
}

func TestCloseTwice(t *testing.T) {
	t.Parallel()
	db := open(t)
	require.NoError(t, db.Close())
	require.NoError(t, db.Close())
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
