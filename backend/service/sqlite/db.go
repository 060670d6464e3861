package sqlite

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"time"

	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/rows"
)

const (
	readers  = 4               // connections that read; with WAL they run concurrently with the one that writes
	lockWait = 5 * time.Second // how long a write waits for other writers before service.ErrStoreBusy, where Options do not say
)

// Options are the options of Open.
type Options struct {
	Path string           // of the file; its folder must exist
	Wait time.Duration    // of a write for other writers, before service.ErrStoreBusy; 0 = 5 s
	Now  func() time.Time // the clock of the store; nil is that of the machine
	// Existing opens a file as it is: one that is missing is not made, one of an older program is not migrated (CodeNotMigrated).
	Existing bool

	alone bool // no other process can open it until it is closed
}

// DB is an open store. All methods are safe for concurrent use.
type DB struct {
	read  *reader
	write *writer
	renewals

	closing  sync.Once
	closeErr error
}

var _ service.Store = (*DB)(nil)

// Open opens the file, creates it (mode 0600) if it is missing, and applies the missing migrations under a lock beside it, so that
// several processes may start at once. Errors are *backend.Error: CodeDatabaseCorrupt for a damaged or foreign file,
// CodeDatabaseNewer for one of a newer program, CodeNotPermitted, CodeInsufficientDisk, CodeDataDirLocked. A file that cannot
// be used is not changed.
func Open(ctx context.Context, o Options) (*DB, error) {
	path, err := filepath.Abs(o.Path)
	if err != nil {
		return nil, err
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	o.Wait = cmp.Or(o.Wait, lockWait)
	db, err := open(ctx, path, o)
	if err != nil {
		return nil, openError(path, err)
	}
	return db, nil
}

func open(ctx context.Context, path string, o Options) (*DB, error) {
	unlock, err := lockFile(ctx, path)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if err := touch(path, o.Existing); err != nil {
		return nil, err
	}
	if _, err := checkOwn(ctx, path); err != nil {
		return nil, err
	}
	write, err := openWriter(ctx, path, o)
	if err != nil {
		return nil, err
	}
	read, err := openReader(path, o.Now)
	if err != nil {
		return nil, errors.Join(err, write.close())
	}
	db := &DB{read: read, write: write}
	db.db = db
	return db, nil
}

// The writer waits for a lock in steps of writeBusy, between which a cancelled call ends; readers meet a lock only while another
// process recovers the file.
const (
	writeBusy = "_pragma=busy_timeout(50)"
	readBusy  = "_pragma=busy_timeout(5000)"
)

// dsn returns the address of the file with options of the driver.
func dsn(path string, options ...string) string {
	p := filepath.ToSlash(path)
	if !strings.HasPrefix(p, "/") {
		p = "/" + p // a Windows drive
	}
	u := url.URL{Scheme: "file", Path: p}
	return u.String() + "?" + strings.Join(options, "&")
}

// pragmas returns the options of every connection. The time limit for locks is first because the others may meet a lock. With
// synchronous=FULL each commit is synced.
func pragmas(busy, extra string) []string {
	return []string{
		busy, "_pragma=journal_mode(WAL)", "_pragma=synchronous(FULL)", "_pragma=foreign_keys(1)",
		"_pragma=temp_store(MEMORY)", extra,
	}
}

// Ping returns nil when the store can be read and written.
func (db *DB) Ping(ctx context.Context) error {
	const op = "check store"
	if _, err := one(ctx, db.read, rows.One[int], `SELECT count(*) FROM goose_db_version`); err != nil {
		return fail(op, err)
	}
	return db.update(ctx, op, func(ctx context.Context, tx *tx) error {
		return tx.exec(ctx, `INSERT INTO instances (id, beat) VALUES ('', 0) ON CONFLICT (id) DO UPDATE SET beat = 0`)
	})
}

// Close waits for running writes, puts the WAL into the file and closes it. Later calls do nothing and return the same error.
func (db *DB) Close() error {
	db.closing.Do(func() {
		db.closeErr = fail("close store", errors.Join(db.read.close(), db.write.close()))
	})
	return db.closeErr
}
