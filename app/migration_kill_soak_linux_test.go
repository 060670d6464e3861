//go:build soak && whisper

package app_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/app/programtest"
	"github.com/voicewright/voicewright/backend/backendtest/schematest"
	"github.com/voicewright/voicewright/backend/sqlite/sqlitetest"
)

// TestSoakKillInAMigration kills the program at writes of the upgrade from each earlier version of the schema, at most of them from the
// first one: the next start completes it, and each row is as after an upgrade that nothing disturbed.
func TestSoakKillInAMigration(t *testing.T) {
	for version := int64(1); version < sqlitetest.Versions(t, storeFolder); version++ {
		t.Run(fmt.Sprint("version ", version), func(t *testing.T) { killMigrations(t, version) })
	}
}

func killMigrations(t *testing.T, version int64) {
	t.Helper()
	old := newUser(t)
	old.oldLibrary(version)
	columns := libraryColumns(t, old.library())
	whole := old.copied()
	whole.mustRun("profiles", "list")
	want := whole.libraryRows(columns)
	killed, versions := 0, map[string]bool{}
	for when := 1; ; when += 1 + when/(2+18/int(version)) {
		u := old.copied()
		fault := programtest.Fault{Calls: "pwrite64,write,ftruncate,fsync,fdatasync,unlink,unlinkat", Does: "signal=KILL", When: when}
		code, _, said, _ := u.terminal().Traced(t, fault, binary, []string{"profiles", "list"})
		if code == exitDone {
			break
		}
		require.Empty(t, said)
		killed++
		versions[u.libraryVersion()] = true
		u.mustRun("profiles", "list")
		requireWhole(t, u.library())
		require.Equal(t, want, u.libraryRows(columns), "killed at %d", when)
	}
	t.Logf("killed %d times, at versions %v", killed, slices.Sorted(maps.Keys(versions)))
	require.Positive(t, killed)
}

func (u *user) library() string { return filepath.Join(u.data, "voicewright.db") }

// copied returns a user with a copy of the data directory.
func (u *user) copied() *user {
	u.t.Helper()
	other := newUser(u.t)
	require.NoError(u.t, os.CopyFS(other.data, os.DirFS(u.data)))
	return other
}

// libraryColumns returns the columns of the tables of a library, without those that each start of the program sets.
func libraryColumns(t *testing.T, path string) map[string][]string {
	t.Helper()
	db := sqlitetest.Raw(t, path)
	defer func() { require.NoError(t, db.Close()) }()
	return schematest.Columns(t, db, `SELECT l.name || '.' || c.name FROM pragma_table_list l, pragma_table_info(l.name) c
		WHERE l.schema = 'main' AND l.type = 'table' AND l.name NOT LIKE 'sqlite_%' AND l.name NOT LIKE '%_search%'
		AND l.name NOT IN ('goose_db_version', 'marks', 'paces') AND c.name <> 'updated_at'`)
}

func (u *user) libraryRows(columns map[string][]string) map[string][]string {
	u.t.Helper()
	db := sqlitetest.Raw(u.t, u.library())
	defer func() { require.NoError(u.t, db.Close()) }()
	return schematest.Rows(u.t, db, "quote", columns)
}

// libraryVersion returns the version of the schema of a library that a program left, of a copy of it.
func (u *user) libraryVersion() string {
	u.t.Helper()
	left := u.copied()
	db := sqlitetest.Raw(u.t, left.library())
	defer func() { require.NoError(u.t, db.Close()) }()
	return schematest.Texts(u.t, db, `SELECT printf('%02d', max(version_id)) FROM goose_db_version`)[0]
}
