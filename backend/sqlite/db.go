package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	_ "modernc.org/sqlite" // the driver "sqlite"
)

// readers is how many connections read at once; WAL lets them run beside the one that writes.
const readers = 4

// closeTime bounds the work of Close, which has no context of its own.
const closeTime = 30 * time.Second

// Options say which file is opened and where times and ids come from.
type Options struct {
	Path  string           // of voicewright.db; its folder must exist
	Now   func() time.Time // nil means time.Now
	NewID func() string    // nil means UUID version 7
}

// DB is an open library. All methods are safe for concurrent use.
type DB struct {
	path  string
	write *sql.DB
	read  *sql.DB
	now   func() time.Time
	newID func() string

	dictionary dictionary

	closing  sync.Once
	closeErr error
}

// Open opens the file, makes it (mode 0600) when it is missing, and brings its schema up to date; before an
// existing file is changed a copy is put beside it (see migrate). Errors: backend.CodeDatabaseCorrupt for a
// damaged or foreign file, CodeDatabaseNewer for one of a newer program, CodeNotPermitted, CodeInsufficientDisk,
// CodeDataDirLocked when another program keeps writing to it. A file that cannot be used is left as it is.
func Open(ctx context.Context, o Options) (*DB, error) {
	path, err := filepath.Abs(o.Path)
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	db := &DB{path: path, now: o.Now, newID: o.NewID}
	if db.now == nil {
		db.now = time.Now
	}
	if db.newID == nil {
		db.newID = func() string { return uuid.Must(uuid.NewV7()).String() }
	}
	if err := db.touch(); err != nil {
		return nil, db.fail("open database", err)
	}
	if err := db.ours(ctx); err != nil {
		return nil, db.fail("open database", err)
	}
	if err := db.connect(); err != nil {
		return nil, err
	}
	if err := db.prepare(ctx); err != nil {
		_ = db.disconnect() // why it could not be opened says more
		return nil, err
	}
	return db, nil
}

// connect makes the two pools; nothing is read yet.
func (db *DB) connect() error {
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

// prepare brings schema and search index up to the present program.
func (db *DB) prepare(ctx context.Context) error {
	if err := db.migrate(ctx); err != nil {
		return db.fail("open database", err)
	}
	return db.refold(ctx)
}

// header is how every database of SQLite starts. SQLite itself takes a very short file for an empty one.
const header = "SQLite format 3\x00"

// touch makes sure that the file exists and can be written, that only its owner can read it, and that it is
// new or starts like a database.
func (db *DB) touch() error {
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
		return db.corrupt(errors.New("the file is not a database"))
	}
	if len(start) == 0 && newestBackup(db.path) != "" {
		return db.corrupt(errors.New("the file is empty but has backups"))
	}
	if info.Mode().Perm()&0o077 != 0 {
		// A file system without modes, or another owner, is no reason not to open it.
		_ = os.Chmod(db.path, 0o600)
	}
	return nil
}

// dsn is the address of the file with options of the driver.
func dsn(path string, options ...string) string {
	p := filepath.ToSlash(path)
	if !strings.HasPrefix(p, "/") {
		p = "/" + p // a Windows drive
	}
	u := url.URL{Scheme: "file", Path: p}
	return u.String() + "?" + strings.Join(options, "&")
}

// pragmas are set for every connection; busy_timeout stands first because the ones after it may meet a lock. With
// synchronous=FULL each commit is synced, so that what was answered as done survives a power cut.
func pragmas(extra string) []string {
	return []string{
		"_pragma=busy_timeout(5000)", "_pragma=journal_mode(WAL)", "_pragma=synchronous(FULL)",
		"_pragma=foreign_keys(1)", "_pragma=temp_store(MEMORY)", extra,
	}
}

// Close writes the log of changes into the file and closes it. Later calls do nothing and give the same result.
func (db *DB) Close() error {
	db.closing.Do(func() {
		ctx, cancel := context.WithTimeout(context.Background(), closeTime)
		defer cancel()
		err := db.read.Close()
		_, optimizeErr := db.write.ExecContext(ctx, "PRAGMA optimize")
		_, checkpointErr := db.write.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
		db.closeErr = db.fail("close database", errors.Join(err, optimizeErr, checkpointErr, db.write.Close()))
	})
	return db.closeErr
}

// disconnect closes the pools of a database that could not be opened.
func (db *DB) disconnect() error { return errors.Join(db.read.Close(), db.write.Close()) }

// Path is the absolute path of the file.
func (db *DB) Path() string { return db.path }

// IntegrityCheck reads the whole file and gives backend.CodeDatabaseCorrupt when something in it does not fit
// together; `doctor` calls it. It takes about a second per 100 MB.
func (db *DB) IntegrityCheck(ctx context.Context) error {
	const op = "check database"
	return db.view(ctx, op, func(tx *sql.Tx) error {
		found, err := collect(ctx, tx, scanOne[string], "PRAGMA integrity_check(20)")
		if err != nil {
			return err
		}
		if len(found) != 1 || found[0] != "ok" {
			return db.corrupt(errors.New(strings.Join(found, "; ")))
		}
		return nil
	})
}

// update runs f in one transaction that writes; an error or a panic of f undoes everything.
func (db *DB) update(ctx context.Context, op string, f func(tx *sql.Tx) error) error {
	return db.fail(op, transact(ctx, db.write, f))
}

// view runs f on one state of the library; writers do not wait for it.
func (db *DB) view(ctx context.Context, op string, f func(tx *sql.Tx) error) error {
	return db.fail(op, transact(ctx, db.read, f))
}

func transact(ctx context.Context, pool *sql.DB, f func(tx *sql.Tx) error) error {
	tx, err := pool.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	// Also when f panics. After a commit it does nothing; elsewhere the first error says more.
	defer func() { _ = tx.Rollback() }()
	if err := f(tx); err != nil {
		return ended(ctx, err)
	}
	return ended(ctx, tx.Commit())
}

// ended gives the end of ctx for what database/sql says of a transaction that it ended for that reason.
func ended(ctx context.Context, err error) error {
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
	defer func() { _ = rows.Close() }() // rows.Err says what matters
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// collect gives what scan makes of every row of a query.
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

// millis is how times are kept.
func millis(t time.Time) int64 { return t.UnixMilli() }

// fromMillis is the time of a kept one.
func fromMillis(ms int64) time.Time { return time.UnixMilli(ms).UTC() }
