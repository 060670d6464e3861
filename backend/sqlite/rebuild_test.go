package sqlite_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/sqlite"
	"github.com/voicewright/voicewright/backend/sqlite/sqlitetest"
)

// rebuilt rebuilds a library file and returns the new one.
func rebuilt(t *testing.T, path string) (string, error) {
	t.Helper()
	to := filepath.Join(t.TempDir(), "voicewright.db")
	before, err := os.ReadFile(path)
	require.NoError(t, err)
	err = sqlite.Rebuild(t.Context(), path, to)
	after, readErr := os.ReadFile(path)
	require.NoError(t, readErr)
	require.Equal(t, before, after, "the source is not changed")
	return to, err
}

// execute runs statements on a library file as any program could.
func execute(t *testing.T, path string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	db.SetMaxOpenConns(1)
	for _, s := range statements {
		_, err := db.ExecContext(t.Context(), s)
		require.NoError(t, err, s)
	}
	require.NoError(t, db.Close())
}

// dump returns the schema of a library file, and the rows of its ordinary tables.
func dump(t *testing.T, path string) (schema, rows []string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	lines := func(query string) (out []string) {
		found, err := db.QueryContext(t.Context(), query)
		require.NoError(t, err, query)
		defer func() { require.NoError(t, found.Close()) }()
		columns, err := found.Columns()
		require.NoError(t, err)
		for found.Next() {
			values := make([]any, len(columns))
			for i := range values {
				values[i] = new(any)
			}
			require.NoError(t, found.Scan(values...))
			var line strings.Builder
			for i, v := range values {
				fmt.Fprintf(&line, "%s=%v|", columns[i], *v.(*any))
			}
			out = append(out, line.String())
		}
		require.NoError(t, found.Err())
		return out
	}
	schema = lines(`SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%' ORDER BY type, name`)
	for _, name := range lines(`SELECT name AS n FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
		AND name NOT LIKE 'sqlite_%' AND name <> 'goose_db_version' ORDER BY name`) {
		table := strings.TrimSuffix(strings.TrimPrefix(name, "n="), "|")
		for _, row := range lines(`SELECT * FROM ` + table + ` ORDER BY 1, 2`) {
			rows = append(rows, table+": "+row)
		}
	}
	return schema, rows
}

// upgraded opens and closes a library, which brings it up to date.
func upgraded(t *testing.T, path string) {
	t.Helper()
	db, err := sqlite.Open(context.Background(), sqlite.Options{Path: path})
	require.NoError(t, err)
	require.NoError(t, db.Close())
}

// TestRebuildOfEveryVersion: a library of each earlier version becomes what an upgrade makes of it.
func TestRebuildOfEveryVersion(t *testing.T) {
	t.Parallel()
	for version := int64(1); version <= sqlitetest.Versions(t, "."); version++ {
		t.Run(fmt.Sprintf("version %d", version), func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "old.db")
			sqlitetest.Old(t, ".", path, version)
			fresh, err := rebuilt(t, path)
			require.NoError(t, err)
			db := openAt(t, fresh)
			for search, want := range map[string]int{"calisma": 1, "東京": 1, "strasse": 1, "nothing": 0} {
				found, err := db.Generations(t.Context(), backend.GenerationFilter{Search: search})
				require.NoError(t, err)
				require.Len(t, found.Items, want, search)
			}
			require.NoError(t, db.Close())
			upgraded(t, path)
			wantSchema, wantRows := dump(t, path)
			schema, rows := dump(t, fresh)
			require.Equal(t, wantSchema, schema)
			require.Equal(t, wantRows, rows)
		})
	}
}

// TestRebuildKeepsEverything compares all rows of a library with something in each table.
func TestRebuildKeepsEverything(t *testing.T) {
	t.Parallel()
	db := filled(t)
	path := db.Path()
	require.NoError(t, db.Close())
	schema, rows := dump(t, path)
	tables := map[string]bool{}
	for _, row := range rows {
		table, _, _ := strings.Cut(row, ":")
		tables[table] = true
	}
	for _, line := range schema {
		name := strings.TrimPrefix(strings.Split(line, "|")[1], "name=")
		if strings.HasPrefix(line, "type=table|") && !strings.Contains(name, "_search") &&
			!strings.HasPrefix(name, "sqlite_") && name != "goose_db_version" {
			require.True(t, tables[name], "the library of the test has rows in %s", name)
		}
	}
	fresh, err := rebuilt(t, path)
	require.NoError(t, err)
	again := openAt(t, fresh)
	require.Len(t, searchTranscripts(t, again, "grosse"), 1)
	require.NoError(t, again.IntegrityCheck(t.Context()))
	require.NoError(t, again.Close())
	freshSchema, freshRows := dump(t, fresh)
	require.Equal(t, schema, freshSchema)
	require.Equal(t, rows, freshRows)
}

// filled returns a library with rows in each table.
func filled(t *testing.T) *sqlite.DB {
	t.Helper()
	ctx := t.Context()
	db := open(t)
	require.NoError(t, db.EnsureBuiltIn(ctx, "en"))
	made, err := db.AddPresets(ctx, []backend.Preset{{Engine: "kokoro", VoiceID: "af_sky", Name: "Sky"}})
	require.NoError(t, err)
	require.NoError(t, db.DeleteProfile(ctx, made[0].ID))
	g, err := db.CreateGeneration(ctx, backend.Generation{Text: "Grüße aus der Straße", Title: "A|B"})
	require.NoError(t, err)
	transcript, err := db.CreateTranscript(ctx, heard("Größe"))
	require.NoError(t, err)
	_, err = db.CreateDraft(ctx, backend.Draft{Name: "draft"})
	require.NoError(t, err)
	_, err = db.CreatePronunciation(ctx, backend.Pronunciation{Word: "new", Respelling: "noo"})
	require.NoError(t, err)
	_, err = db.CreateScript(ctx, backend.Script{ScriptVersion: backend.ScriptVersion{Generations: []string{g.ID}}})
	require.NoError(t, err)
	createBook(t, db, g.ID)
	_, err = db.AddHostedPart(ctx, backend.HostedPart{GenerationID: g.ID, Kind: backend.HostedKindText, State: backend.HostedSent})
	require.NoError(t, err)
	require.NoError(t, db.SetVoiceLevel(ctx, "kokoro", "af_nova", backend.VoiceLevel{GainDB: -3}))
	require.NoError(t, db.Exec(ctx, `INSERT INTO settings VALUES ('history.retention', '"720h"')`))
	require.NoError(t, db.Exec(ctx, `INSERT INTO generation_versions SELECT id, '', '{}' FROM generations`))
	require.NoError(t, db.Exec(ctx, `INSERT INTO transcript_edits (transcript, undo) SELECT seq, '{}' FROM transcripts`))
	require.NoError(t, db.Exec(ctx, `INSERT INTO samples (id, profile_id, name, seconds, sample_rate, level_lufs, noise_db, clipped,
		speakers, warnings, transcript, sha256, created_at) SELECT 's1', id, 'a.wav', 3, 24000, -20, -60, 0, 1, '[]', '', '', 0 FROM profiles`))
	require.NotEmpty(t, transcript.ID)
	return db
}

// TestRebuildLeavesOutWhatActs: whatever a forged library defines beside its rows is gone, and its rows stay.
func TestRebuildLeavesOutWhatActs(t *testing.T) {
	t.Parallel()
	steal := `UPDATE generations SET audio_path = '/home/user/.ssh/id_rsa' WHERE audio_path <> '/home/user/.ssh/id_rsa'; END`
	for name, statements := range map[string][]string{
		"triggers": {
			`CREATE TRIGGER a AFTER UPDATE ON generations BEGIN ` + steal,
			`CREATE TRIGGER b AFTER INSERT ON settings BEGIN ` + steal,
			`CREATE TRIGGER c AFTER INSERT ON marks BEGIN ` + steal,
			`CREATE TRIGGER d BEFORE DELETE ON profiles BEGIN ` + steal,
			`CREATE TRIGGER e AFTER INSERT ON goose_db_version BEGIN ` + steal,
		},
		"views":            {`CREATE VIEW mine AS SELECT * FROM generations`, `CREATE TRIGGER a INSTEAD OF INSERT ON mine BEGIN ` + steal},
		"tables":           {`CREATE TABLE mine (x)`, `INSERT INTO mine VALUES (1)`, `CREATE TABLE sqlitemine (x)`},
		"virtual tables":   {`CREATE VIRTUAL TABLE mine USING fts5 (x)`, `CREATE VIRTUAL TABLE tree USING rtree (id, a, b)`},
		"indexes":          {`CREATE INDEX mine ON generations (upper(text))`, `CREATE UNIQUE INDEX partial ON generations (title) WHERE title = 'x'`},
		"a lost index":     {`DROP INDEX generations_by_time`},
		"a lost search":    {`DROP TABLE history_search`, `CREATE TABLE history_search (title, text)`},
		"a search of lies": {`INSERT INTO history_search (title, text, rowid) VALUES ('forged', 'forged', 99)`},
		"a default":        {`ALTER TABLE marks RENAME TO old`, `CREATE TABLE marks (key TEXT PRIMARY KEY, value TEXT NOT NULL DEFAULT (hex(randomblob(9))))`, `INSERT INTO marks SELECT * FROM old`, `DROP TABLE old`},
		"a check":          {`ALTER TABLE marks RENAME TO old`, `CREATE TABLE marks (key TEXT PRIMARY KEY, value TEXT NOT NULL CHECK (length(value) < 9000))`, `INSERT INTO marks SELECT * FROM old`, `DROP TABLE old`},
		"another order":    {`ALTER TABLE marks RENAME TO old`, `CREATE TABLE marks (value TEXT NOT NULL, key TEXT PRIMARY KEY)`, `INSERT INTO marks SELECT value, key FROM old`, `DROP TABLE old`},
	} {
		t.Run(name, func(t *testing.T) {
			db := filled(t)
			path := db.Path()
			require.NoError(t, db.Close())
			schema, rows := dump(t, path)
			execute(t, path, statements...)
			fresh, err := rebuilt(t, path)
			require.NoError(t, err)
			upgraded(t, fresh)
			freshSchema, freshRows := dump(t, fresh)
			require.Equal(t, schema, freshSchema)
			require.Equal(t, rows, freshRows)
		})
	}
}

// TestRebuildRefuses what no version of this program wrote, and what would compute rows.
func TestRebuildRefuses(t *testing.T) {
	t.Parallel()
	schema := func(change string) []string {
		return []string{`PRAGMA writable_schema = ON`, change, `PRAGMA writable_schema = RESET`}
	}
	for name, statements := range map[string][]string{
		"a view in place of a table":     {`ALTER TABLE generations RENAME TO other`, `CREATE VIEW generations AS SELECT * FROM other`},
		"a virtual table in its place":   {`DROP TABLE settings`, `CREATE VIRTUAL TABLE settings USING fts5 (key, value)`},
		"a generated column":             {`ALTER TABLE marks RENAME TO old`, `CREATE TABLE marks (key TEXT PRIMARY KEY, value TEXT AS (key || 'x'))`},
		"another column":                 {`ALTER TABLE generations ADD COLUMN evil TEXT`},
		"a column less":                  {`ALTER TABLE generations DROP COLUMN version`},
		"a table less":                   {`DROP TABLE transcript_edits`},
		"an older version than it has":   {`DELETE FROM goose_db_version WHERE version_id > 3`},
		"a newer version than it has":    {`DROP TABLE generation_versions`},
		"no version":                     {`DELETE FROM goose_db_version`},
		"a version of no program":        {`DELETE FROM goose_db_version`, `INSERT INTO goose_db_version (version_id, is_applied) VALUES (-4, 1)`},
		"a version that is a text":       {`DROP TABLE goose_db_version`, `CREATE TABLE goose_db_version (id, version_id, is_applied, tstamp)`, `INSERT INTO goose_db_version VALUES (1, 'x', 1, 0)`},
		"a view of versions":             {`ALTER TABLE goose_db_version RENAME TO other`, `CREATE VIEW goose_db_version AS SELECT * FROM other`},
		"rows of a generation not there": {`PRAGMA foreign_keys = OFF`, `UPDATE hosted_parts SET generation_id = 'nobody'`},
		"values of another type":         {`ALTER TABLE marks RENAME TO old`, `CREATE TABLE marks (key, value)`, `INSERT INTO marks VALUES ('x', x'00')`},
		"two rows of one key":            {`ALTER TABLE marks RENAME TO old`, `CREATE TABLE marks (key TEXT, value TEXT)`, `INSERT INTO marks VALUES ('x', 'y'), ('x', 'z')`},
		"rows without a value":           {`ALTER TABLE marks RENAME TO old`, `CREATE TABLE marks (key TEXT, value TEXT)`, `INSERT INTO marks VALUES ('x', NULL)`},
		"a schema of garbage":            schema(`UPDATE sqlite_schema SET sql = 'CREATE TABLE marks (' WHERE name = 'marks'`),
		"a table on a page of another":   schema(`UPDATE sqlite_schema SET rootpage = 1 WHERE name = 'marks'`),
	} {
		t.Run(name, func(t *testing.T) {
			db := filled(t)
			path := db.Path()
			require.NoError(t, db.Close())
			execute(t, path, statements...)
			_, err := rebuilt(t, path)
			requireError(t, err, backend.CodeDatabaseCorrupt, "voicewright.db")
		})
	}
	newer := filled(t)
	require.NoError(t, newer.Close())
	execute(t, newer.Path(), `INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)`)
	_, err := rebuilt(t, newer.Path())
	requireError(t, err, backend.CodeDatabaseNewer, "voicewright.db")

	for name, content := range map[string]string{"empty": "", "text": "hello", "header": "SQLite format 3\x00"} {
		path := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
		_, err := rebuilt(t, path)
		requireError(t, err, backend.CodeDatabaseCorrupt, name)
	}
}

func TestRebuildEndsWithItsContext(t *testing.T) {
	t.Parallel()
	db := filled(t)
	path := db.Path()
	require.NoError(t, db.Close())
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	require.ErrorIs(t, sqlite.Rebuild(ctx, path, filepath.Join(t.TempDir(), "x.db")), backend.ErrCancelled)
}

// TestOpenRemovesTriggers: those of a library that an older program restored do nothing any more.
func TestOpenRemovesTriggers(t *testing.T) {
	t.Parallel()
	db := filled(t)
	path := db.Path()
	require.NoError(t, db.Close())
	schema, rows := dump(t, path)
	execute(t, path, `CREATE TRIGGER "a ""b" AFTER UPDATE ON generations BEGIN UPDATE generations SET audio_path = '/etc/passwd'; END`,
		`CREATE VIEW mine AS SELECT * FROM generations`,
		`CREATE TRIGGER c INSTEAD OF UPDATE ON mine BEGIN DELETE FROM generations; END`)
	upgraded(t, path)
	after, afterRows := dump(t, path)
	require.Equal(t, schema, after)
	require.Equal(t, rows, afterRows)
}
