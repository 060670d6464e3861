package database

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/files"
	"github.com/voicewright/voicewright/backend/service/sqlite"
)

// The names of backups in a folder, which sort by time.
const (
	backupPrefix = "service-"
	backupLayout = "20060102T150405Z"
	backupSuffix = ".db"
)

// isFile refuses a command that works on a SQLite file only.
func (d Database) isFile(command string) error {
	if d.path == "" {
		return usagef("%s is for SQLite databases; for PostgreSQL use pg_dump and pg_restore, or the archive of the server's log", command)
	}
	return nil
}

// Copying is how Backup names what it writes.
type Copying struct {
	To      string // a file, or a folder
	Keep    int    // of the backups in the folder; 0: all
	Replace bool   // a file that is there
}

// Backup copies the database to a file, or to a new file in a folder, and returns its path.
func (d Database) Backup(ctx context.Context, c Copying, waiting func()) (path string, err error) {
	if err := cmp.Or(d.isFile("backup"), d.check(optionDatabase)); err != nil {
		return "", err
	}
	to, err := filepath.Abs(c.To)
	if err != nil {
		return "", err
	}
	folder := ""
	if info, err := os.Stat(to); c.Keep > 0 || err == nil && info.IsDir() {
		folder, to = to, filepath.Join(to, backupPrefix+time.Now().UTC().Format(backupLayout)+backupSuffix)
		if err := makeFolder(folder); err != nil {
			return "", err
		}
	} else if err == nil && (!c.Replace || !info.Mode().IsRegular()) {
		return "", failedf("%s exists; choose another file, or replace it with --replace", to)
	}
	if sameFile(d.path, to) {
		return "", usagef("%s is the database itself; choose another file", to)
	}
	if err := d.Wait(ctx, waiting, func() error { return sqlite.Backup(ctx, d.path, to) }); err != nil {
		return "", fileError("write the backup", to, err)
	}
	if folder != "" && c.Keep > 0 {
		if err := removeBackups(folder, c.Keep); err != nil {
			return "", fmt.Errorf("wrote %s, but cannot remove old backups: %w", to, err)
		}
	}
	return to, nil
}

// fileError returns the error of writing a file for people; other errors stay as they are.
func fileError(op, path string, err error) error {
	var described *backend.Error
	var known *Error
	if errors.As(err, &described) || errors.As(err, &known) {
		return err
	}
	return backend.FileError(op, filepath.Dir(path), err)
}

// sameFile reports whether two paths lead to one file that exists.
func sameFile(a, b string) bool {
	one, errA := os.Stat(a)
	other, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(one, other)
}

// removeBackups removes all but the newest backups of a folder. Other files stay.
func removeBackups(folder string, keep int) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	var names []string
	for _, e := range entries {
		name := e.Name()
		_, err := time.Parse(backupPrefix+backupLayout+backupSuffix, name)
		if err == nil && e.Type().IsRegular() && strings.HasPrefix(name, backupPrefix) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, old := range names[:max(0, len(names)-keep)] {
		if err := os.Remove(filepath.Join(folder, old)); err != nil {
			return err
		}
	}
	return nil
}

// Restore replaces the database by a backup: a file, or in for -. It returns where the former one is, empty where there was none.
func (d Database) Restore(ctx context.Context, from string, in io.Reader) (former string, err error) {
	if err := d.isFile("restore"); err != nil {
		return "", err
	}
	backup, err := d.openBackup(from, in)
	if err != nil {
		return "", err
	}
	defer func() { _ = backup.Close() }()
	if err := makeFolder(d.Folder()); err != nil {
		return "", err
	}
	err = sqlite.Replace(ctx, d.path, func(temp string) error {
		_, _, err := files.Create(ctx, temp, 0o600, backup)
		return err
	})
	shown := from
	if from == "-" {
		shown = "standard input"
	}
	switch {
	case sqlite.IsLocked(err):
		return "", failedf("the database %s is in use; stop the service and other programs that use it (`fuser %s` names them), "+
			"then restore again", d.path, d.path)
	case backend.CodeOf(err) == backend.CodeDatabaseCorrupt:
		return "", failedf("%s is no complete backup of the service; nothing was changed, choose another one", shown)
	case backend.CodeOf(err) == backend.CodeDatabaseNewer:
		return "", failedf("%s was written by a newer program; nothing was changed, install the newest voicewright-service", shown)
	case err != nil:
		return "", fileError("restore the database", d.path, err)
	}
	former = sqlite.FormerName(d.path)
	if _, err := os.Stat(former); err != nil {
		former = ""
	}
	return former, nil
}

// openBackup opens a backup: a file other than the database, or in for -.
func (d Database) openBackup(from string, in io.Reader) (io.ReadCloser, error) {
	if from == "-" {
		return io.NopCloser(in), nil
	}
	info, err := os.Stat(from)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, notFoundf("there is no file %s", from)
	case err != nil:
		return nil, backend.FileError("open the backup", from, err)
	case !info.Mode().IsRegular():
		return nil, usagef("%s is not a file", from)
	case sameFile(d.path, from):
		return nil, usagef("%s is the database itself; choose a backup", from)
	}
	backup, err := os.Open(from)
	if err != nil {
		return nil, backend.FileError("open the backup", from, err)
	}
	return backup, nil
}
