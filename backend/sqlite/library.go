package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// readers is the number of connections that read; with WAL they run concurrently with the one that writes.
const readers = 4

// closeTime limits Close, which has no context.
const closeTime = 30 * time.Second

// library is the file of a library with its connections.
type library struct {
	path  string
	write *sql.DB
	read  *sql.DB
	now   func() time.Time
	newID func() string
	place func(string) string

	closing  sync.Once
	closeErr error
}

// connect creates the two connection pools; nothing is read yet.
func (db *library) connect() error {
	var err error
	if db.write, err = sql.Open("sqlite", dsn(db.path, pragmas("_txlock=immediate")...)); err != nil {
		return db.fail("open database", err)
	}
	db.write.SetMaxOpenConns(1)
	if db.read, err = sql.Open("sqlite", dsn(db.path, pragmas("_pragma=query_only(1)")...)); err != nil {
		return db.fail("open database", errors.Join(err, db.write.Close()))
	}
	db.read.SetMaxOpenConns(readers)
	db.read.SetMaxIdleConns(readers)
	return nil
}

// header starts every SQLite database. SQLite itself treats a very short file as an empty database.
const header = "SQLite format 3\x00"

// touch creates the file if needed, restricts it to its owner, and checks that it can be written and is empty or starts like a
// database.
func (db *library) touch() error {
	f, err := os.OpenFile(db.path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	start, readErr := io.ReadAll(io.LimitReader(f, int64(len(header))))
	info, statErr := f.Stat()
	if err := errors.Join(readErr, statErr, f.Close()); err != nil {
		return err
	}
	if len(start) > 0 && string(start) != header {
		return db.errCorrupt(errors.New("the file is not a database"))
	}
	if len(start) == 0 && newestBackup(db.path) != "" {
		return db.errCorrupt(errors.New("the file is empty but has backups"))
	}
	if info.Mode().Perm()&0o077 != 0 {
		// It may fail on a file system without modes or for another owner; the database can still be opened.
		_ = os.Chmod(db.path, 0o600)
	}
	return nil
}

// dsn returns the address of the file with options of the driver.
func dsn(path string, options ...string) string {
	p := filepath.ToSlash(path)
	if !strings.HasPrefix(p, "/") {
		p = "/" + p // a Windows drive
	}
	u := url.URL{Scheme: "file", Path: p}
	return u.String() + "?" + strings.Join(options, "&")
}

// pragmas returns the options of every connection. busy_timeout is first because the others may meet a lock. With
// synchronous=FULL each commit is synced, so that it survives a power cut. With secure_delete deleted rows are overwritten.
func pragmas(extra string) []string {
	return []string{
		"_pragma=busy_timeout(5000)", "_pragma=journal_mode(WAL)", "_pragma=synchronous(FULL)",
		"_pragma=foreign_keys(1)", "_pragma=temp_store(MEMORY)", "_pragma=secure_delete(1)", extra,
	}
}

// Close writes the WAL into the file and closes it. Later calls do nothing and return the same error.
func (db *library) Close() error {
	db.closing.Do(func() {
		ctx, cancel := context.WithTimeout(context.Background(), closeTime)
		defer cancel()
		err := db.read.Close()
		_, optimizeErr := db.write.ExecContext(ctx, "PRAGMA optimize")
		checkpointErr := db.emptyLog(ctx)
		db.closeErr = db.fail("close database", errors.Join(err, optimizeErr, checkpointErr, db.write.Close()))
	})
	return db.closeErr
}

// emptyLog writes the WAL into the file and empties it, unless another connection reads from it for long.
func (db *library) emptyLog(ctx context.Context) error {
	_, err := db.write.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
	return err
}

// erase runs an update that deletes what the user wants no trace of. The WAL would keep a copy until other writes replace it.
func (db *library) erase(ctx context.Context, op string, f func(tx *sql.Tx) error) error {
	if err := db.update(ctx, op, f); err != nil {
		return err
	}
	_ = db.emptyLog(context.WithoutCancel(ctx)) // the rows are deleted; the log is emptied at the end at the latest
	return nil
}

// disconnect closes the pools of a database that is not in use: one that could not be opened, or that was only filled.
func (db *library) disconnect() error { return errors.Join(db.read.Close(), db.write.Close()) }

// Path returns the absolute path of the file.
func (db *library) Path() string { return db.path }

// IntegrityCheck reads the complete file and returns backend.CodeDatabaseCorrupt if it is inconsistent; `doctor` calls it. It
// takes about a second per 100 MB.
func (db *library) IntegrityCheck(ctx context.Context) error {
	const op = "check database"
	return db.view(ctx, op, func(tx *sql.Tx) error {
		names, err := collect(ctx, tx, scanOne[string], "PRAGMA integrity_check(20)")
		if err != nil {
			return err
		}
		if len(names) != 1 || names[0] != "ok" {
			return db.errCorrupt(errors.New(strings.Join(names, "; ")))
		}
		return nil
	})
}

// update runs f in a write transaction, which an error or a panic of f rolls back.
func (db *library) update(ctx context.Context, op string, f func(tx *sql.Tx) error) error {
	return db.fail(op, transact(ctx, db.write, f))
}

// view runs f in a read transaction, on one state of the library. It does not block writers.
func (db *library) view(ctx context.Context, op string, f func(tx *sql.Tx) error) error {
	return db.fail(op, transact(ctx, db.read, f))
}

func transact(ctx context.Context, pool *sql.DB, f func(tx *sql.Tx) error) error {
	tx, err := pool.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	// Needed when f panics. After a commit it does nothing; otherwise the first error is more useful.
	defer func() { _ = tx.Rollback() }()
	if err := f(tx); err != nil {
		return errEnded(ctx, err)
	}
	return errEnded(ctx, tx.Commit())
}

// errEnded returns the error of ctx for sql.ErrTxDone, with which database/sql reports a transaction that ctx ended.
func errEnded(ctx context.Context, err error) error {
	if errors.Is(err, sql.ErrTxDone) && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// each calls scan on every row of a query.
func each(ctx context.Context, tx *sql.Tx, scan func(*sql.Rows) error, query string, args ...any) error {
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }() // rows.Err reports what matters
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// collect returns the result of scan for every row of a query.
func collect[T any](
	ctx context.Context, tx *sql.Tx, scan func(*sql.Rows) (T, error), query string, args ...any,
) ([]T, error) {
	items := []T{}
	err := each(ctx, tx, func(rows *sql.Rows) error {
		item, err := scan(rows)
		items = append(items, item)
		return err
	}, query, args...)
	return items, err
}

// scanOne reads the only column of a row.
func scanOne[T any](rows *sql.Rows) (T, error) {
	var value T
	err := rows.Scan(&value)
	return value, err
}

// millis returns a time as it is stored.
func millis(t time.Time) int64 { return t.UnixMilli() }

// fromMillis returns the time of a stored value.
func fromMillis(ms int64) time.Time { return time.UnixMilli(ms).UTC() }
