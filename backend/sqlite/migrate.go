package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/pressly/goose/v3"

	"github.com/voicewright/voicewright/backend/files"
)

//go:embed migrations/*.sql
var migrations embed.FS

// keepBackups is how many copies of the time before a migration stay beside the file.
const keepBackups = 3

// backupTime is the layout of the time in the name of a copy; it sorts as text.
const backupTime = "20060102T150405.000Z"

// backupName tells the copies that we made from everything else: version and time.
var backupName = regexp.MustCompile(`\.backup-\d+-(\d{8}T\d{6}\.\d{3}Z)$`)

// migrate applies the migrations that the file lacks. A file that holds something is copied first; when there
// is no room for the copy nothing is changed.
func (db *DB) migrate(ctx context.Context) error {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	provider, err := goose.NewProvider(goose.DialectSQLite3, db.write, files, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	have, know, err := provider.GetVersions(ctx)
	if err != nil {
		return fmt.Errorf("read schema version: %w", err)
	}
	switch {
	case have > know:
		return db.newer(have, know)
	case have == know:
		return nil
	case have > 0:
		if err := db.backup(ctx, have); err != nil {
			return err
		}
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	return nil
}

// ours refuses a file that another program made: not a database, or one with tables but none of ours. It looks
// without a lock and before the pragmas of our connections could change anything.
func (db *DB) ours(ctx context.Context) (err error) {
	look, err := sql.Open("sqlite", dsn(db.path, "mode=ro", "_pragma=busy_timeout(5000)"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, look.Close()) }()
	var tables, versions int
	err = look.QueryRowContext(ctx,
		`SELECT count(*), count(*) FILTER (WHERE name = 'goose_db_version') FROM sqlite_schema`).Scan(&tables, &versions)
	if err != nil {
		return fmt.Errorf("read schema: %w", err)
	}
	if tables > 0 && versions == 0 {
		return db.corrupt(errors.New("the database holds tables of another program"))
	}
	return nil
}

// backup copies the file as it is at schema version have and drops copies over keepBackups.
func (db *DB) backup(ctx context.Context, have int64) error {
	name := fmt.Sprintf("%s.backup-%d-%s", db.path, have, db.now().UTC().Format(backupTime))
	if err := db.BackupTo(ctx, name); err != nil {
		return err
	}
	backups := listBackups(db.path)
	for _, old := range backups[:max(0, len(backups)-keepBackups)] {
		if err := os.Remove(old); err != nil {
			return fmt.Errorf("remove old backup: %w", err)
		}
	}
	return nil
}

// BackupTo writes a complete and consistent copy of the library to path (mode 0600) while others go on working.
// A file there is replaced once the copy is complete and on disk.
func (db *DB) BackupTo(ctx context.Context, path string) error {
	err := files.Place(path, func(temp string) error {
		// VACUUM INTO takes an empty file, which is how the copy gets its mode before it gets its content.
		if err := os.WriteFile(temp, nil, 0o600); err != nil {
			return err
		}
		_, err := db.write.ExecContext(ctx, "VACUUM INTO ?", temp)
		return err
	})
	return db.fail("copy database", err)
}

// listBackups gives our copies beside the file, oldest first.
func listBackups(path string) []string {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return nil // the error that brought us here says the same
	}
	stamp := func(name string) string { return backupName.FindStringSubmatch(name)[1] }
	var names []string
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), filepath.Base(path)+".") && backupName.MatchString(entry.Name()) {
			names = append(names, filepath.Join(filepath.Dir(path), entry.Name()))
		}
	}
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(stamp(a), stamp(b)) })
	return names
}

// newestBackup is the path of the newest copy, empty without one.
func newestBackup(path string) string {
	if names := listBackups(path); len(names) > 0 {
		return names[len(names)-1]
	}
	return ""
}

// mark reads what the store itself remembers; empty when there is nothing.
func mark(ctx context.Context, tx *sql.Tx, key string) (string, error) {
	var value string
	err := tx.QueryRowContext(ctx, `SELECT value FROM marks WHERE key = ?`, key).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return value, err
}

func setMark(ctx context.Context, tx *sql.Tx, key, value string) error {
	_, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO marks (key, value) VALUES (?, ?)`, key, value)
	return err
}
