package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"

	"github.com/voicewright/voicewright/backend/dbfault"
)

//go:embed migrations/*.sql
var migrations embed.FS

// migrate applies the missing migrations. A file with data is copied first; if there is no space for the copy, nothing is
// changed.
func (db *library) migrate(ctx context.Context) error {
	provider, err := db.provider()
	if err != nil {
		return err
	}
	have, know, err := provider.GetVersions(ctx)
	if err != nil {
		return fmt.Errorf("read schema version: %w", err)
	}
	switch {
	case have > know:
		return db.errNewer(have, know)
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

// provider returns what applies migrations.
func (db *library) provider() (*goose.Provider, error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	provider, err := goose.NewProvider(goose.DialectSQLite3, db.write, files, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return nil, fmt.Errorf("read migrations: %w", err)
	}
	return provider, nil
}

// disarm removes triggers and views, of which no migration makes any: a restore by an older program kept those of a forged backup,
// which change rows behind the back of this one.
func (db *library) disarm(ctx context.Context) error {
	const found = `SELECT type || ' IF EXISTS "' || replace(name, '"', '""') || '"' FROM sqlite_schema WHERE type IN ('trigger', 'view')`
	var foreign []string
	list := func(tx *sql.Tx) (err error) {
		foreign, err = collect(ctx, tx, scanOne[string], found)
		return err
	}
	if err := transact(ctx, db.read, list); err != nil || len(foreign) == 0 {
		return err
	}
	return transact(ctx, db.write, func(tx *sql.Tx) error {
		for _, object := range foreign {
			if _, err := tx.ExecContext(ctx, `DROP `+object); err != nil {
				return err
			}
		}
		return nil
	})
}

// checkOwn returns an error for a file of another program, not a database or one with tables but none of ours, or of a newer one. It
// reads before the pragmas of our connections could change anything.
func (db *library) checkOwn(ctx context.Context) error {
	address := func(options string) string { return dsn(db.path, options, "_pragma=busy_timeout(5000)") }
	return dbfault.Inspect(address, func(look *sql.DB) error {
		var tables, versions, have int64
		err := look.QueryRowContext(ctx,
			`SELECT count(*), count(*) FILTER (WHERE name = 'goose_db_version') FROM sqlite_schema`).Scan(&tables, &versions)
		if err == nil && versions > 0 {
			err = look.QueryRowContext(ctx, `SELECT ifnull(max(version_id), 0) FROM goose_db_version WHERE is_applied`).Scan(&have)
		}
		known, _ := migrations.ReadDir("migrations") // it is in the program
		switch know := int64(len(known)); {
		case err != nil:
			return fmt.Errorf("read schema: %w", err)
		case tables > 0 && versions == 0:
			return db.errCorrupt(errors.New("the database holds tables of another program"))
		case have > know:
			return db.errNewer(have, know)
		}
		return nil
	})
}
