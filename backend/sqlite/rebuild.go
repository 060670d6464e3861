package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/voicewright/voicewright/backend"
)

// Rebuild writes the rows of the library file from, which is not trusted, to a new library file at to, and brings it up to date.
// The new schema is that of the migrations alone: triggers, views and whatever else from has are not copied. from is not changed,
// and nothing that it defines is run. Errors: database_corrupt for a damaged or foreign file and for rows or tables that no version
// of this program wrote, database_newer, insufficient_disk, cancelled; then a file at to may be left.
func Rebuild(ctx context.Context, from, to string) error {
	source := &library{path: from}
	version, err := source.foreignVersion(ctx)
	if err != nil {
		return source.rejectedError(ctx, "read the library", err)
	}
	db := &library{path: to}
	if err := db.touch(); err != nil {
		return db.fail("open database", err)
	}
	if err := db.connect(); err != nil {
		return err
	}
	err = db.fill(ctx, source, version)
	if err == nil { // closing would leave in the log what does not fit on the disk, without an error
		err = db.fail("write the library", db.emptyLog(ctx))
	}
	return errors.Join(err, db.fail("close database", db.disconnect()))
}

// rejectedError returns an error of reading a library that is not trusted: what cannot be read is damaged.
func (db *library) rejectedError(ctx context.Context, op string, err error) error {
	err = db.fail(op, err)
	if err == nil || ctx.Err() != nil || backend.CodeOf(err) != backend.CodeInternal {
		return err
	}
	return db.errCorrupt(err)
}

// foreignOptions are those under which a library that is not trusted is read: it can have no effects but its rows.
func foreignOptions() []string {
	return []string{"mode=ro", "immutable=1", "_pragma=trusted_schema(0)", "_pragma=query_only(1)", "_pragma=cell_size_check(1)"}
}

// foreignVersion returns the schema version of a library that is not trusted, whose content must be whole.
func (db *library) foreignVersion(ctx context.Context) (version int64, err error) {
	if err := db.checkHeader(); err != nil {
		return 0, err
	}
	pool, err := sql.Open("sqlite", dsn(db.path, foreignOptions()...))
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, pool.Close()) }()
	tx, err := pool.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return 0, err
	}
	defer func() { _ = tx.Rollback() }() // it only reads
	tables, err := collect(ctx, tx, scanOne[string], `PRAGMA integrity_check(1)`)
	if err != nil {
		return 0, err
	}
	if len(tables) != 1 || tables[0] != "ok" {
		return 0, db.errCorrupt(errors.New(strings.Join(tables, "; ")))
	}
	if err := requireTable(ctx, tx, "main", "goose_db_version"); err != nil {
		return 0, err
	}
	err = tx.QueryRowContext(ctx, `SELECT max(version_id) FROM goose_db_version WHERE is_applied`).Scan(&version)
	if err == nil && version <= 0 {
		err = errors.New("the library has no version")
	}
	return version, err
}

// requireTable returns an error unless a schema has an ordinary table of this name: a view or a virtual table computes its rows.
func requireTable(ctx context.Context, tx *sql.Tx, schema, table string) error {
	var statement string
	err := tx.QueryRowContext(ctx, `SELECT sql FROM `+schema+`.sqlite_schema WHERE type = 'table' AND rootpage > 0 AND name = ?`,
		table).Scan(&statement)
	if err != nil {
		return fmt.Errorf("find the table %s: %w", table, err)
	}
	if !strings.HasPrefix(strings.ToUpper(statement), "CREATE TABLE ") {
		return fmt.Errorf("%s is not a table", table)
	}
	return nil
}

// fill makes the schema of a version, copies the rows of source into it, and migrates them to the present version.
func (db *library) fill(ctx context.Context, source *library, version int64) error {
	provider, err := db.provider()
	if err != nil {
		return err
	}
	_, know, err := provider.GetVersions(ctx)
	if err != nil {
		return db.fail("read schema version", err)
	}
	if version > know {
		return source.errNewer(version, know)
	}
	if _, err := provider.UpTo(ctx, version); err != nil {
		return db.fail("make the tables", err)
	}
	if err := db.copyRows(ctx, source); err != nil {
		return source.rejectedError(ctx, "copy the library", err)
	}
	if _, err := provider.Up(ctx); err != nil {
		return source.rejectedError(ctx, "migrate", err)
	}
	return nil
}

// copyRows copies the rows of all tables of a library that is not trusted. The search index is left out: the next Open fills it.
func (db *library) copyRows(ctx context.Context, source *library) error {
	conn, err := db.write.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	for _, statement := range []string{`PRAGMA trusted_schema = OFF`, `PRAGMA cell_size_check = ON`, `PRAGMA foreign_keys = OFF`} {
		if _, err := conn.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	if _, err := conn.ExecContext(ctx, `ATTACH ? AS source`, dsn(source.path, "mode=ro", "immutable=1")); err != nil {
		return err
	}
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // does nothing after a commit
	tables, err := ownTables(ctx, tx)
	if err != nil {
		return err
	}
	for _, table := range tables {
		if err := copyTable(ctx, tx, table); err != nil {
			return fmt.Errorf("copy %s: %w", table, err)
		}
	}
	if err := checkCopy(ctx, tx); err != nil {
		return err
	}
	return tx.Commit()
}

// ownTables returns the names of the tables that hold what the user has.
func ownTables(ctx context.Context, tx *sql.Tx) ([]string, error) {
	return collect(ctx, tx, scanOne[string], `SELECT name FROM pragma_table_list
		WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'goose_db_version' ORDER BY name`)
}

// copyTable copies the rows of a table, whose columns must be those of the migrations.
func copyTable(ctx context.Context, tx *sql.Tx, table string) error {
	if err := requireTable(ctx, tx, "source", table); err != nil {
		return err
	}
	const columns = `SELECT name || iif(hidden, ' hidden', '') FROM pragma_table_xinfo(?, ?) ORDER BY name`
	want, err := collect(ctx, tx, scanOne[string], columns, table, "main")
	if err != nil {
		return err
	}
	have, err := collect(ctx, tx, scanOne[string], columns, table, "source")
	if err != nil {
		return err
	}
	if !slices.Equal(want, have) {
		return fmt.Errorf("its columns are %s", strings.Join(have, ", "))
	}
	list := strings.Join(want, ", ") // of the migrations, which need no quotes
	_, err = tx.ExecContext(ctx, `INSERT INTO main.`+table+` (`+list+`) SELECT `+list+` FROM source.`+table+` NOT INDEXED`)
	return err
}

// checkCopy checks the references between the rows that were copied, and has the search index filled again.
func checkCopy(ctx context.Context, tx *sql.Tx) error {
	lost, err := collect(ctx, tx, func(rows *sql.Rows) (table string, err error) {
		var row sql.NullInt64
		var parent, key any
		return table, rows.Scan(&table, &row, &parent, &key)
	}, `PRAGMA main.foreign_key_check`)
	if err != nil {
		return err
	}
	if len(lost) > 0 {
		return fmt.Errorf("%d rows of %s belong to rows that do not exist", len(lost), lost[0])
	}
	_, err = tx.ExecContext(ctx, `DELETE FROM main.marks WHERE key = 'fold_version'`)
	return err
}

// checkHeader returns an error unless the file starts like a database. Error: database_corrupt.
func (db *library) checkHeader() error {
	f, err := os.Open(db.path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	start := make([]byte, len(header))
	if _, err := io.ReadFull(f, start); err != nil || string(start) != header {
		return db.errCorrupt(errors.Join(errors.New("the file is not a database"), err))
	}
	return nil
}
