package main_test

import (
	"bytes"
	"database/sql"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// withAccounts makes a database with accounts.
func (o *operator) withAccounts(names ...string) {
	o.t.Helper()
	require.Equal(o.t, exitDone, o.serve("--dev-idp").signal(syscall.SIGTERM))
	for _, name := range names {
		o.mustRun("account", "create", name+"@example.org")
	}
}

// accounts returns the e-mail addresses in a database.
func (o *operator) accounts(database string) (emails []string) {
	o.t.Helper()
	for _, a := range parseJSON(o.t, o.mustRun("account", "list", "--json", "--database", "sqlite:"+database))["accounts"].([]any) {
		emails = append(emails, a.(object)["email"].(string))
	}
	return emails
}

func (o *operator) path(name string) string { return filepath.Join(o.dir, name) }

// TestBackupWhileTheServiceRuns copies what is stored at that time, to a file that only its owner can read.
func TestBackupWhileTheServiceRuns(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	o.withAccounts("ann")
	r := o.serve("--dev-idp")
	o.mustRun("account", "create", "ben@example.org") // is in the WAL
	require.Equal(t, "Wrote "+o.path("a.db")+".\n", o.mustRun("backup", "a.db"))
	info, err := os.Stat(o.path("a.db"))
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o600), info.Mode().Perm())
	o.mustRun("account", "create", "cleo@example.org")
	o.mustFail(exitFailed, []string{"a.db exists", "--replace"}, "backup", "a.db")
	require.Equal(t, []string{"ann@example.org", "ben@example.org"}, o.accounts("a.db"))
	o.mustRun("backup", "a.db", "--replace")
	require.Len(t, o.accounts("a.db"), 3)
	o.mustFail(exitFailed, []string{"in use", "stop the service"}, "restore", "a.db")
	require.Equal(t, exitDone, r.signal(syscall.SIGTERM))

	own := filepath.Join(o.data, "service.db")
	o.mustFail(exitUsage, []string{"the database itself"}, "backup", own, "--replace")
	o.mustFail(exitUsage, []string{"the database itself"}, "restore", own)
	o.mustFail(exitNotFound, []string{"no database"}, "backup", "b.db", "--database", "sqlite:none.db")
	o.mustFail(exitNotFound, []string{"no file"}, "restore", "none.db")
	o.mustFail(exitUsage, []string{"FILE"}, "backup")
	o.mustFail(exitUsage, []string{"not a file"}, "restore", ".")
	require.Equal(t, exitFailed, o.run("backup", filepath.Join("none", "b.db")).code)
	left, err := filepath.Glob(o.path(".new-*"))
	require.NoError(t, err)
	require.Empty(t, left)
}

// TestBackupsOfEachDay keeps the newest files of a folder, and every other file.
func TestBackupsOfEachDay(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	o.withAccounts("ann")
	require.NoError(t, os.Mkdir(o.path("backups"), 0o700))
	for _, name := range []string{"service-20200101T000000Z.db", "service-20200102T000000Z.db", "service-20200103T000000Z.db", "service-mine.db", "other.txt"} {
		o.file(filepath.Join("backups", name), "x")
	}
	line := o.mustRun("backup", "backups", "--keep", "2")
	made := strings.TrimSuffix(strings.TrimPrefix(line, "Wrote "), ".\n")
	require.Regexp(t, `/backups/service-\d{8}T\d{6}Z\.db$`, made)
	var names []string
	entries, err := os.ReadDir(o.path("backups"))
	require.NoError(t, err)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	require.Equal(t, []string{"other.txt", "service-20200103T000000Z.db", filepath.Base(made), "service-mine.db"}, names)
	require.Equal(t, []string{"ann@example.org"}, o.accounts(made))
	require.Contains(t, o.mustRun("backup", "new", "--keep", "1"), o.path("new")+"/service-", "the folder is made")
	o.mustFail(exitUsage, []string{"--keep"}, "backup", "backups", "--keep", "0")
}

// TestRestore replaces the database, leaves nothing of the former one beside it, and keeps that one.
func TestRestore(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	o.withAccounts("ann")
	o.mustRun("backup", "a.db")
	o.mustRun("account", "create", "ben@example.org")
	own := filepath.Join(o.data, "service.db")
	line := o.mustRun("restore", "a.db")
	require.Contains(t, line, "Restored "+own+" from a.db. The former database is "+own+".before-restore.")
	for _, end := range []string{"-wal", "-shm"} {
		require.NoFileExists(t, own+end)
	}
	info, err := os.Stat(own)
	require.NoError(t, err)
	require.Equal(t, fs.FileMode(0o600), info.Mode().Perm())
	require.Equal(t, []string{"ann@example.org"}, o.accounts(own))
	require.Equal(t, []string{"ann@example.org", "ben@example.org"}, o.accounts(own+".before-restore"))

	raw, err := os.ReadFile(o.path("a.db"))
	require.NoError(t, err)
	cmd := o.command(t.Context(), binary, []string{"restore", "-", "--database", "sqlite:new/service.db"})
	cmd.Stdin = bytes.NewReader(raw)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	require.Equal(t, []string{"ann@example.org"}, o.accounts("new/service.db"))
	require.Equal(t, exitDone, o.serve("--dev-idp", "--database", "sqlite:new/service.db").signal(syscall.SIGTERM))

	o.newer(own)
	o.mustFail(exitFailed, []string{"The database file " + own + " was written by a newer program"}, "backup", "new.db")
	require.NoFileExists(t, o.path("new.db"))
	require.Contains(t, o.mustRun("restore", "a.db"), "The former database is "+own+".before-restore.")
	require.Equal(t, []string{"ann@example.org"}, o.accounts(own), "in the place of a newer one")
	require.NoError(t, os.WriteFile(own, []byte("damaged"), 0o600))
	require.Contains(t, o.mustRun("restore", "a.db"), "The former database is "+own+".before-restore.")
	require.Equal(t, []string{"ann@example.org"}, o.accounts(own), "in the place of a damaged one")
}

// newer makes a database that of a newer program.
func (o *operator) newer(path string) {
	o.t.Helper()
	db, err := sql.Open("sqlite", path)
	require.NoError(o.t, err)
	_, err = db.ExecContext(o.t.Context(), "INSERT INTO goose_db_version (version_id, is_applied) VALUES (999, 1)")
	require.NoError(o.t, err)
	require.NoError(o.t, db.Close())
}

// TestRestoreRefuses what is no backup: the database stays as it is.
func TestRestoreRefuses(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	o.withAccounts("ann")
	o.mustRun("backup", "a.db")
	raw, err := os.ReadFile(o.path("a.db"))
	require.NoError(t, err)
	changed := func(name string, statements ...string) {
		require.NoError(t, os.WriteFile(o.path(name), raw, 0o600))
		db, err := sql.Open("sqlite", o.path(name))
		require.NoError(t, err)
		for _, s := range statements {
			_, err := db.ExecContext(t.Context(), s)
			require.NoError(t, err, s)
		}
		require.NoError(t, db.Close())
	}
	o.file("empty.db", "")
	o.file("text.db", "no database")
	o.file("zeros.db", "SQLite format 3\x00"+strings.Repeat("\x00", 4096))
	require.NoError(t, os.WriteFile(o.path("short.db"), raw[:len(raw)/2], 0o600))
	torn := bytes.Clone(raw)
	const page = 4096 // in whose middle there may be nothing
	for i := range 2000 {
		torn[len(torn)/2/page*page+i] = 0xff
	}
	require.NoError(t, os.WriteFile(o.path("torn.db"), torn, 0o600))
	changed("tables.db", "DROP TABLE ledger")
	changed("version.db", "DELETE FROM goose_db_version WHERE version_id > 0")
	changed("newer.db", "INSERT INTO goose_db_version (version_id, is_applied) VALUES (999, 1)")
	before, err := os.ReadFile(filepath.Join(o.data, "service.db"))
	require.NoError(t, err)
	for _, name := range []string{"empty", "text", "zeros", "short", "torn", "tables", "version"} {
		o.mustFail(exitFailed, []string{name + ".db is no complete backup", "nothing was changed"}, "restore", name+".db")
	}
	o.mustFail(exitFailed, []string{"newer.db was written by a newer program"}, "restore", "newer.db")
	after, err := os.ReadFile(filepath.Join(o.data, "service.db"))
	require.NoError(t, err)
	require.Equal(t, before, after)
	entries, err := os.ReadDir(o.data)
	require.NoError(t, err)
	for _, e := range entries {
		require.NotContains(t, fmt.Sprint(e.Name()), ".new-")
		require.NotContains(t, e.Name(), "before-restore")
	}
	o.mustFail(exitFailed, []string{"damaged or is not a database"}, "backup", "b.db", "--database", "sqlite:torn.db")
	require.NoFileExists(t, o.path("b.db"))
}
