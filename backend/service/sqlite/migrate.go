package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/gofrs/flock"
	"github.com/pressly/goose/v3"

	"github.com/voicewright/voicewright/backend/dbfault"
)

//go:embed migrations/*.sql
var migrations embed.FS

// header starts every SQLite database. SQLite itself treats a very short file as an empty database.
const header = "SQLite format 3\x00"

const (
	migrationWait = 30 * time.Second // for another process that migrates
	lockPoll      = 20 * time.Millisecond
)

// lockFile locks a file beside the database, which stays there, until unlock is called.
func lockFile(ctx context.Context, path string) (unlock func(), err error) {
	wait, cancel := context.WithTimeout(ctx, migrationWait)
	defer cancel()
	lock := flock.New(path+".lock", flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(wait, lockPoll); err != nil {
		if ctx.Err() == nil && wait.Err() != nil {
			err = errLocked
		}
		return nil, err
	}
	return func() { _ = lock.Unlock() }, nil
}

// touch creates the file if needed and not existing, restricts it to its owner, and checks that it can be written and is empty or starts
// like a database.
func touch(path string, existing bool) error {
	create := os.O_CREATE
	if existing {
		create = 0
	}
	f, err := os.OpenFile(path, os.O_RDWR|create, 0o600)
	if err != nil {
		return err
	}
	start, readErr := io.ReadAll(io.LimitReader(f, int64(len(header))))
	info, statErr := f.Stat()
	if err := errors.Join(readErr, statErr, f.Close()); err != nil {
		return err
	}
	if len(start) > 0 && string(start) != header {
		return errForeign
	}
	if info.Mode().Perm()&0o077 != 0 {
		// It may fail on a file system without modes or for another owner; the database can still be opened.
		_ = os.Chmod(path, 0o600)
	}
	return nil
}

// checkOwn returns the version of the schema of a file, and an error for a database of another program or a newer one. It reads before
// the pragmas of our connections could change anything.
func checkOwn(ctx context.Context, path string) (version int64, err error) {
	newest, err := newestVersion()
	if err != nil {
		return 0, err
	}
	address := func(options string) string { return dsn(path, options, writeBusy) }
	err = dbfault.Inspect(address, func(look *sql.DB) error {
		var tables, ours int
		err := look.QueryRowContext(ctx,
			`SELECT count(*), count(*) FILTER (WHERE name IN ('goose_db_version', 'ledger')) FROM sqlite_schema`).Scan(&tables, &ours)
		if err == nil && tables > 0 && ours != 2 {
			return errForeign
		}
		if err == nil {
			version, err = storedVersion(ctx, look)
		}
		if err != nil {
			return fmt.Errorf("read schema: %w", err)
		}
		if version > newest {
			return &versionError{version, newest}
		}
		return nil
	})
	return version, err
}

// newProvider returns what migrates a database.
func newProvider(pool *sql.DB) (*goose.Provider, error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	provider, err := goose.NewProvider(goose.DialectSQLite3, pool, files, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return nil, fmt.Errorf("read migrations: %w", err)
	}
	return provider, nil
}

// migrate applies the missing migrations.
func migrate(ctx context.Context, pool *sql.DB) error {
	provider, err := newProvider(pool)
	if err != nil {
		return err
	}
	have, want, err := provider.GetVersions(ctx)
	if err != nil {
		return fmt.Errorf("read schema version: %w", err)
	}
	if have > want {
		return &versionError{have, want}
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	return nil
}

// checkVersion returns an error unless a database has the schema of this program.
func checkVersion(ctx context.Context, pool *sql.DB) error {
	have, err := storedVersion(ctx, pool)
	if err != nil {
		return err
	}
	want, err := newestVersion()
	if err == nil && have != want {
		err = &versionError{have, want}
	}
	return err
}

// storedVersion returns the version of the schema of a database, 0 for an empty file.
func storedVersion(ctx context.Context, pool *sql.DB) (version int64, err error) {
	var migrated bool
	err = pool.QueryRowContext(ctx, `SELECT count(*) > 0 FROM sqlite_schema WHERE name = 'goose_db_version'`).Scan(&migrated)
	if err == nil && migrated {
		err = pool.QueryRowContext(ctx, `SELECT ifnull(max(version_id), 0) FROM goose_db_version WHERE is_applied`).Scan(&version)
	}
	return version, err
}

// Migrate makes the file if it is missing, or brings it up to date, as Open does, and returns the versions of the schema before and
// after. Errors are those of Open.
func Migrate(ctx context.Context, o Options) (before, after int64, err error) {
	if info, statErr := os.Stat(o.Path); statErr == nil && info.Size() > 0 {
		if before, err = checkOwn(ctx, o.Path); err != nil {
			return 0, 0, openError(o.Path, err)
		}
	}
	o.Existing = false
	db, err := Open(ctx, o)
	if err != nil {
		return 0, 0, err
	}
	if after, err = newestVersion(); err != nil {
		return 0, 0, errors.Join(err, db.Close())
	}
	return before, after, db.Close()
}
