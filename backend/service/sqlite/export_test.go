package sqlite

import (
	"context"
	"fmt"
	"time"

	"github.com/voicewright/voicewright/backend/service/rows"
)

// DeadAfter is how long Repair waits for a heartbeat.
const DeadAfter = deadAfter

// Exec runs a statement of a test on the connection that writes.
func (db *DB) Exec(ctx context.Context, statement string) error {
	return db.update(ctx, "test", func(ctx context.Context, tx *tx) error { return tx.exec(ctx, statement) })
}

// Spoil grants an account credits and then panics with v.
func (db *DB) Spoil(ctx context.Context, account int64, v any) error {
	return db.update(ctx, "test", func(ctx context.Context, tx *tx) error {
		err := move(ctx, tx, rows.Movement{Account: account, Reason: "test", Payg: 1, Granted: -1})
		if err != nil {
			return err
		}
		panic(v)
	})
}

// SetLockWait sets how long a write waits.
func (db *DB) SetLockWait(d time.Duration) { db.write.wait = d }

// Waiting returns the number of writes that wait.
func (db *DB) Waiting() int {
	db.write.mu.Lock()
	defer db.write.mu.Unlock()
	return len(db.write.waiting)
}

// LimitPages lets the file grow by n more pages, like a disk that is nearly full; a negative n removes the limit.
func (db *DB) LimitPages(ctx context.Context, n int) error {
	return db.update(ctx, "test", func(ctx context.Context, _ *tx) error {
		var pages int
		if err := db.write.conn.QueryRowContext(ctx, `PRAGMA page_count`).Scan(&pages); err != nil {
			return err
		}
		if n < 0 {
			n = 1 << 30
		}
		_, err := db.write.conn.ExecContext(ctx, fmt.Sprintf(`PRAGMA max_page_count = %d`, pages+n))
		return err
	})
}

// Pragma returns a setting of the connection that writes.
func (db *DB) Pragma(ctx context.Context, name string) (value string, err error) {
	err = db.update(ctx, "test", func(ctx context.Context, tx *tx) error {
		value, err = one(ctx, tx, rows.One[string], `PRAGMA `+name)
		return err
	})
	return value, err
}
