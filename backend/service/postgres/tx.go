package postgres

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/voicewright/voicewright/backend/service"
)

// The pauses before work is tried again begin with this one and double.
const (
	firstPause = 2 * time.Millisecond
	lastPause  = 200 * time.Millisecond
)

const begin = `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE`

// connection is one of the pool.
type connection = pgxpool.Conn

// tx is a transaction, which begins with its first statements.
type tx struct {
	conn  *pgx.Conn
	wait  time.Duration // for the answer to COMMIT
	begun bool

	standby bool // the server does not write
}

// batch returns a batch of statements that are sent together.
func (t *tx) batch() *pgx.Batch {
	b := &pgx.Batch{}
	if !t.begun {
		b.Queue(begin).Fn = func(results pgx.BatchResults) error {
			_, err := results.Exec()
			return t.begins(err)
		}
	}
	return b
}

// begins returns the error of BEGIN. A server that is a standby refuses it: then the connection is closed, so that the next one goes to
// the server that writes.
func (t *tx) begins(err error) error {
	if state := sqlState(err); state != notSupported && state != readOnly {
		return err
	}
	t.standby = true
	return &standbyError{err}
}

// send runs a batch.
func (t *tx) send(ctx context.Context, b *pgx.Batch) error {
	if b.Len() == 0 {
		return nil
	}
	t.begun = true
	return t.conn.SendBatch(ctx, b).Close()
}

// exec executes a statement.
func (t *tx) exec(ctx context.Context, sql string, args ...any) error {
	b := t.batch()
	b.Queue(sql, args...)
	return t.send(ctx, b)
}

// change executes a statement and returns the number of rows that it changed.
func (t *tx) change(ctx context.Context, sql string, args ...any) (changed int64, err error) {
	b := t.batch()
	b.Queue(sql, args...).Exec(func(tag pgconn.CommandTag) error {
		changed = tag.RowsAffected()
		return nil
	})
	return changed, t.send(ctx, b)
}

// Query implements querier.
func (t *tx) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	if err := t.begin(ctx); err != nil {
		return nil, err
	}
	return t.conn.Query(ctx, sql, args...)
}

// begin begins the transaction, if no statement has.
func (t *tx) begin(ctx context.Context) error {
	if t.begun {
		return nil
	}
	t.begun = true
	_, err := t.conn.Exec(ctx, begin)
	return t.begins(err)
}

// update runs f in a transaction, which an error or a panic of f rolls back. What failed before COMMIT was sent has done nothing: it is
// tried again where that can help, until the time to wait is over or ctx ends. f may run several times.
func (s *server) update(ctx context.Context, op string, f func(ctx context.Context, tx *tx) error) error {
	return fail(ctx, op, s.again(ctx, func(ctx context.Context, conn *connection) error {
		return write(ctx, &tx{conn: conn.Conn(), wait: min(s.wait, service.CommitWait)}, f)
	}))
}

// view runs f on a connection, which reads. It is tried again as update is.
func (s *server) view(ctx context.Context, op string, f func(ctx context.Context, q querier) error) error {
	return fail(ctx, op, s.again(ctx, func(ctx context.Context, conn *connection) error {
		return ended(conn.Conn(), f(ctx, conn))
	}))
}

// again runs f until it succeeds, or fails in a way that no repetition mends.
func (s *server) again(ctx context.Context, f func(ctx context.Context, conn *connection) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	wait, cancel := context.WithTimeout(ctx, s.wait)
	defer cancel()
	work, cancelWork := context.WithTimeout(ctx, max(s.wait, s.work))
	defer cancelWork()
	var last error
	pause := firstPause
	for {
		err := s.once(wait, work, f)
		if !repeatable(err) {
			return err
		}
		if last != nil && wait.Err() != nil && sqlState(err) == "" {
			return last // a try that the end of the wait cut off says less than the one before
		}
		last = err
		timer := time.NewTimer(pause/2 + rand.N(pause))
		select {
		case <-wait.Done():
			timer.Stop()
			return err
		case <-timer.C:
		}
		pause = min(2*pause, lastPause)
	}
}

// repeatable reports whether to try again at once. Who waited for a lock for as long as a call may wait does not wait once more.
func repeatable(err error) bool {
	return err != nil && !IsUnknown(err) && temporary(err) && sqlState(err) != lockTimeout && !refuses(err)
}

// refuses reports whether no connection can be made for a reason that does not pass within the time to wait: the server refuses it, or the
// file with the password cannot be read.
func refuses(err error) bool {
	var password *passwordError
	if errors.As(err, &password) {
		return true
	}
	state := sqlState(err)
	return isConnect(err) && (state == "" || !passes(state)) && isTLS(err) || isConnect(err) && state != "" && !passes(state)
}

// once runs f, until work ends, on a connection of the pool, for which it waits until wait ends.
func (s *server) once(wait, work context.Context, f func(ctx context.Context, conn *connection) error) error {
	conn, err := s.pool.Acquire(wait)
	if err != nil {
		return err
	}
	defer conn.Release() // closes it where a transaction is open
	return f(work, conn)
}

// write runs f in a transaction and commits it.
func write(ctx context.Context, t *tx, f func(ctx context.Context, tx *tx) error) error {
	err := f(ctx, t)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		err = ended(t.conn, err)
		t.rollback(ctx)
		return err
	}
	return t.commit(ctx)
}

// ended marks the error of a connection that has ended.
func ended(conn *pgx.Conn, err error) error {
	if err != nil && conn.IsClosed() && sqlState(err) == "" {
		return &lostError{err}
	}
	return err
}

// rollback ends the transaction. The pool closes a connection on which that fails.
func (t *tx) rollback(ctx context.Context) {
	if !t.begun || t.conn.IsClosed() {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	if t.standby {
		_ = t.conn.Close(ctx) // it has done nothing
		return
	}
	_, _ = t.conn.Exec(ctx, "ROLLBACK")
}

// commit commits. It waits for the answer although ctx may end, as only that tells what was done. An error of the server is sure, one
// of the connection is not, also where a pooler between says so, and neither is one with which the server ends the connection: it may
// come after the commit.
func (t *tx) commit(ctx context.Context) error {
	if !t.begun {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), t.wait)
	defer cancel()
	tag, err := t.conn.Exec(ctx, "COMMIT")
	var answer *pgconn.PgError
	switch {
	case err == nil && tag.String() == "ROLLBACK":
		return errors.New("the transaction was rolled back")
	case err == nil, errors.As(err, &answer) && answer.SeverityUnlocalized == "ERROR" && !strings.HasPrefix(answer.Code, "08"):
		return err
	case pgconn.SafeToRetry(err): // the connection had ended already
		return &lostError{err}
	}
	return &unknownError{err}
}
