package sqlite_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/backendtest/schematest"
	"github.com/voicewright/voicewright/backend/sqlite"
	"github.com/voicewright/voicewright/backend/sqlite/sqlitetest"
)

// olderVersions calls test with a library of each earlier version of the schema; that of version 0 has no tables.
func olderVersions(t *testing.T, test func(t *testing.T, path string, version int64)) {
	t.Helper()
	for version := range sqlitetest.Versions(t, ".") {
		t.Run(fmt.Sprint("version ", version), func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "voicewright.db")
			sqlitetest.Old(t, ".", path, version)
			test(t, path, version)
		})
	}
}

// tableRows returns the rows of all tables as text, by table, with the columns of the tables in like only, where that is not nil. Left out
// are what a start of the program computes from the rest, and what a migration is known to remove.
func tableRows(t *testing.T, path string, like map[string][]string) (rows, tables map[string][]string) {
	t.Helper()
	db := sqlitetest.Raw(t, path)
	defer func() { require.NoError(t, db.Close()) }()
	if tables = like; tables == nil {
		tables = schematest.Columns(t, db, `SELECT l.name || '.' || c.name FROM pragma_table_list l, pragma_table_info(l.name) c
			WHERE l.schema = 'main' AND l.type = 'table' AND l.name NOT LIKE 'sqlite_%' AND l.name NOT LIKE '%_search%'
			AND l.name NOT IN ('goose_db_version', 'marks') AND c.name NOT IN ('sort_key', 'search_key')`)
	}
	return schematest.Rows(t, db, "quote", tables), tables
}

// TestUpgradeOfEveryVersion opens libraries of all earlier versions of the schema: each value of each row is as it was, but for the
// changes that migrations make, and all rows can be read and found.
func TestUpgradeOfEveryVersion(t *testing.T) {
	t.Parallel()
	olderVersions(t, func(t *testing.T, path string, version int64) {
		before, columns := tableRows(t, path, nil)
		delete(before, "paces") // dropped by 00009
		delete(columns, "paces")
		requireUpgrade(t, path, version)

		if version < 8 {
			delete(before, "voice_gains") // emptied by 00008
			delete(columns, "voice_gains")
		}
		for i, row := range before["profiles"] {
			before["profiles"][i] = strings.Replace(row, "'pt_BR'", "'pt-BR'", 1) // 00010
		}
		after, _ := tableRows(t, path, columns)
		require.Equal(t, before, after)
		copies, err := filepath.Glob(path + ".backup-*")
		require.NoError(t, err)
		require.Len(t, copies, int(min(version, 1)), "of what there was")
	})
}

// requireUpgrade opens a library of a version, which upgrades it, and requires that it is whole and that all rows can be read and found.
func requireUpgrade(t *testing.T, path string, version int64) {
	t.Helper()
	db, err := sqlite.Open(t.Context(), sqlite.Options{Path: path})
	require.NoError(t, err)
	require.NoError(t, db.IntegrityCheck(t.Context()))
	require.NoError(t, db.CheckNames(t.Context()))
	if version > 0 {
		require.NoError(t, db.CheckRows(t.Context()))
		requireFound(t, db, version)
	}
	require.NoError(t, db.Close())
}

// requireFound requires that the search finds the rows that there were in a version.
func requireFound(t *testing.T, db *sqlite.DB, version int64) {
	t.Helper()
	for search, since := range map[string]int64{
		"calisma": 1, "東京": 1, "strasse": 1, "שלום": 1, "axolotl": 12, "bezahlte": 13, "wombat": 16, "new quokka": 17, "nashorn": 20,
	} {
		found, err := db.Generations(t.Context(), backend.GenerationFilter{Search: search})
		require.NoError(t, err)
		require.Len(t, found.Items, bit(version >= since), search)
	}
	for search, since := range map[string]int64{"omer": 2, "grossmutter": 14, "جدتي": 1} {
		found, err := db.Profiles(t.Context(), backend.ProfileFilter{Search: search})
		require.NoError(t, err)
		require.Len(t, found.Items, bit(version >= since), search)
	}
	for search, since := range map[string]int64{"schone grusse": 11, "vortrag": 11, "platypus": 23, "echidna": 24} {
		require.Len(t, searchTranscripts(t, db, search), bit(version >= since), search)
	}
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TestUpgradeThatStops ends the upgrade of a library of the first version after each migration, as a kill or a full disk does: what was
// there is still there, and the next start goes on.
func TestUpgradeThatStops(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "voicewright.db")
	sqlitetest.Old(t, ".", path, 1)
	var want map[string][]string
	for next := int64(1); next <= sqlitetest.Versions(t, "."); next++ {
		require.NoError(t, sqlite.MigrateTo(t.Context(), path, next))
		content, err := os.ReadFile(path)
		require.NoError(t, err)
		stopped := fmt.Sprintf("%s.%d", path, next)
		require.NoError(t, os.WriteFile(stopped, content, 0o600))
		db, err := sqlite.Open(t.Context(), sqlite.Options{Path: stopped})
		require.NoError(t, err)
		requireFound(t, db, 1)
		require.NoError(t, db.Close())
		got, _ := tableRows(t, stopped, nil)
		if want == nil {
			want = got
		}
		require.Equal(t, want, got, "as an upgrade that goes through")
	}
}

// TestLibraryOfAKilledProgram opens a library that a program left while it wrote without a write-ahead log, as one does that makes it.
func TestLibraryOfAKilledProgram(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path, left := filepath.Join(dir, "whole.db"), filepath.Join(dir, "voicewright.db")
	sqlitetest.Old(t, ".", path, 1)
	raw := sqlitetest.Raw(t, path)
	schematest.Interrupted(t, raw, path, left)
	require.NoError(t, raw.Close())
	db, err := sqlite.Open(t.Context(), sqlite.Options{Path: left})
	require.NoError(t, err)
	require.NoError(t, db.IntegrityCheck(t.Context()))
	requireFound(t, db, 1)
	require.NoError(t, db.Close())
}

// TestKilledWriterOfAnotherFile refuses what another program, or a newer one, left while it wrote: the journal is theirs to roll back.
func TestKilledWriterOfAnotherFile(t *testing.T) {
	t.Parallel()
	schematest.KilledWriters(t, sqlitetest.Raw, func(t *testing.T, left string, code backend.Code) {
		t.Helper()
		_, err := sqlite.Open(t.Context(), sqlite.Options{Path: left})
		requireError(t, err, code, left)
	})
}

// TestUpgradeOnAFullDisk lets each upgrade fail for want of pages, at every size until it succeeds: the library stays one that the next
// start upgrades, and the copy of it is whole.
func TestUpgradeOnAFullDisk(t *testing.T) {
	t.Parallel()
	for _, version := range []int64{1, 10, 19} {
		t.Run(fmt.Sprint("version ", version), func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "voicewright.db")
			sqlitetest.Old(t, ".", path, version)
			want, _ := tableRows(t, path, nil)
			failures := 0
			for pages := 0; ; pages++ {
				err := sqlite.MigrateWithin(t.Context(), path, pages)
				if err == nil {
					break
				}
				requireError(t, err, backend.CodeInsufficientDisk, path)
				failures++
				require.Less(t, pages, 1000)
			}
			require.Positive(t, failures)
			db, err := sqlite.Open(t.Context(), sqlite.Options{Path: path})
			require.NoError(t, err)
			require.NoError(t, db.IntegrityCheck(t.Context()))
			requireFound(t, db, version)
			require.NoError(t, db.Close())
			got, _ := tableRows(t, path, nil)
			require.Len(t, got["generations"], len(want["generations"]))
		})
	}
}

// TestNewerLibraryIsLeftAlone refuses a library of a version that is not known yet and of one far away, and changes no byte of it.
func TestNewerLibraryIsLeftAlone(t *testing.T) {
	t.Parallel()
	newest := sqlitetest.Versions(t, ".")
	for _, version := range []int64{newest + 1, newest + 1000} {
		path := filepath.Join(t.TempDir(), "voicewright.db")
		sqlitetest.Old(t, ".", path, newest)
		upgraded(t, path)
		raw := sqlitetest.Raw(t, path)
		_, err := raw.ExecContext(t.Context(), `INSERT INTO goose_db_version (version_id, is_applied) VALUES (?, 1)`, version)
		require.NoError(t, errors.Join(err, raw.Close()))
		before, err := os.ReadFile(path)
		require.NoError(t, err)
		_, err = sqlite.Open(t.Context(), sqlite.Options{Path: path})
		requireError(t, err, backend.CodeDatabaseNewer, path)
		require.NotEmpty(t, backend.AsError(err).Remedy)
		requireError(t, sqlite.Rebuild(t.Context(), path, path+".rebuilt"), backend.CodeDatabaseNewer, path)
		after, err := os.ReadFile(path)
		require.NoError(t, err)
		require.True(t, slices.Equal(before, after))
		copies, err := filepath.Glob(path + ".backup-*")
		require.NoError(t, err)
		require.Empty(t, copies)
	}
}
