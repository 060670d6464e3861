package postgres

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
)

//go:embed migrations/*.sql
var migrations embed.FS

// lockPoll is the pause between two tries to get the lock of another migration.
const lockPoll = 100 * time.Millisecond

// newest returns the version of the schema that this program has.
func newest() (int64, error) {
	files, err := fs.ReadDir(migrations, "migrations")
	if err != nil {
		return 0, err
	}
	number, _, _ := strings.Cut(files[len(files)-1].Name(), "_")
	return strconv.ParseInt(number, 10, 64)
}

// borne returns nil for a schema with which this program works: its own, and the next one, so that the programs of several machines can
// be replaced one after another.
func borne(have, want int64) error {
	if have == want || have == want+1 {
		return nil
	}
	return &schemaError{have, want}
}

// checkSchema returns an error where the schema is missing, older, more than one version ahead, or of another program.
func (s *server) checkSchema(ctx context.Context) error {
	want, err := newest()
	if err != nil {
		return err
	}
	var have int64
	err = s.again(ctx, func(ctx context.Context, conn *connection) (err error) {
		have, err = version(func(query string, dest ...any) error { return conn.QueryRow(ctx, query).Scan(dest...) })
		return ended(conn.Conn(), err)
	})
	if err != nil {
		return err
	}
	return borne(have, want)
}

// version returns the version of the schema of a database, 0 where it has none. Error: errForeign.
func version(row func(query string, dest ...any) error) (have int64, err error) {
	var migrated, ours bool
	err = row(`SELECT to_regclass('goose_db_version') IS NOT NULL, to_regclass('ledger') IS NOT NULL`, &migrated, &ours)
	switch {
	case err != nil || !migrated && !ours:
		return 0, err
	case migrated:
		err = row(`SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied`, &have)
	}
	if err == nil && (have > 0) != ours {
		err = errForeign
	}
	return have, err
}

// Migrate makes the schema, or brings it up to date, under a lock: of two at once the second finds nothing left to do. It returns the
// versions before and after; one that is one ahead of this program is left as it is. Errors are as of Open.
func Migrate(ctx context.Context, o Options) (before, after int64, err error) {
	config, err := o.config()
	if err != nil {
		return 0, 0, err
	}
	pool := stdlib.OpenDB(*config.ConnConfig, stdlib.OptionBeforeConnect(config.BeforeConnect))
	defer func() { err = errors.Join(err, pool.Close()) }()
	before, after, err = migrate(ctx, pool)
	if err != nil {
		return 0, 0, o.openError(config.ConnConfig, err)
	}
	return before, after, nil
}

func migrate(ctx context.Context, pool *sql.DB) (before, after int64, err error) {
	unlock, err := lockMigrations(ctx, pool)
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	have, err := version(func(query string, dest ...any) error { return pool.QueryRowContext(ctx, query).Scan(dest...) })
	if err != nil {
		return 0, 0, err
	}
	want, err := newest()
	if err != nil {
		return 0, 0, err
	}
	if have > want {
		return have, have, borne(have, want)
	}
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return 0, 0, err
	}
	provider, err := goose.NewProvider(goose.DialectPostgres, pool, files, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return 0, 0, fmt.Errorf("read migrations: %w", err)
	}
	if _, err := provider.Up(ctx); err != nil {
		return 0, 0, fmt.Errorf("migrate: %w", err)
	}
	return have, want, nil
}

// lockMigrations waits for another migration. The server frees the lock when the connection ends.
func lockMigrations(ctx context.Context, pool *sql.DB) (unlock func() error, err error) {
	conn, err := pool.Conn(ctx)
	if err != nil {
		return nil, err
	}
	for {
		var locked bool
		err := conn.QueryRowContext(ctx, `SELECT pg_try_advisory_lock($1)`, migrateLock).Scan(&locked)
		switch {
		case err != nil:
			return nil, errors.Join(err, conn.Close())
		case locked:
			return func() error {
				_, err := conn.ExecContext(context.WithoutCancel(ctx), `SELECT pg_advisory_unlock($1)`, migrateLock)
				return errors.Join(err, conn.Close())
			}, nil
		}
		timer := time.NewTimer(lockPoll)
		select {
		case <-ctx.Done():
			timer.Stop()
			return nil, errors.Join(ctx.Err(), conn.Close())
		case <-timer.C:
		}
	}
}
