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

// touch creates the file if needed, restricts it to its owner, and checks that it can be written and is empty or starts like a
// database.
func touch(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
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

// checkOwn returns an error for a database of another program. It reads before the pragmas of our connections could change
// anything.
func checkOwn(ctx context.Context, path string) (err error) {
	look, err := sql.Open("sqlite", dsn(path, "mode=ro", writeBusy))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, look.Close()) }()
	var tables, ours int
	err = look.QueryRowContext(ctx,
		`SELECT count(*), count(*) FILTER (WHERE name IN ('goose_db_version', 'ledger')) FROM sqlite_schema`).Scan(&tables, &ours)
	if err != nil {
		return fmt.Errorf("read schema: %w", err)
	}
	if tables > 0 && ours != 2 {
		return errForeign
	}
	return nil
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
		return &newerError{have, want}
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("migrate: %w", err)
	}
	return nil
}
