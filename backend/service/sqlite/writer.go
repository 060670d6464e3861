package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend/service"
)

// writer is the connection that writes. Jobs that wait at the same time are committed together, which is one sync for all of
// them: whoever gets the turn runs all jobs that wait then.
type writer struct {
	pool  *sql.DB
	conn  *sql.Conn            // used by the one that has the turn
	stmts map[string]statement // likewise
	turn  chan struct{}        // has one token while a batch runs
	clock func() time.Time
	wait  time.Duration // of a write for its turn and for other processes, before service.ErrStoreBusy

	mu      sync.Mutex
	waiting []*job
}

// maxBatch is the number of jobs in one transaction, so that other processes get the lock in between.
const maxBatch = 100

// job is one write; its changes are committed when run returns nil, and rolled back when it returns an error or panics.
type job struct {
	run   func(ctx context.Context, tx *tx) error
	err   error
	panic any
	done  chan struct{} // closed when err and panic are final
}

// ended reports whether the job has run.
func (j *job) ended() bool {
	select {
	case <-j.done:
		return true
	default:
		return false
	}
}

// tx is the transaction of a job.
type tx struct{ w *writer }

func (t *tx) now() time.Time { return t.w.clock() }

func (t *tx) prepare(ctx context.Context, query string) (statement, error) {
	return t.w.prepare(ctx, query)
}

// exec executes a statement.
func (t *tx) exec(ctx context.Context, query string, args ...any) error {
	_, err := t.change(ctx, query, args...)
	return err
}

// change executes a statement and returns the number of rows that it changed.
func (t *tx) change(ctx context.Context, query string, args ...any) (int64, error) {
	result, err := t.run(ctx, query, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// insert executes a statement and returns the number of the row that it inserted.
func (t *tx) insert(ctx context.Context, query string, args ...any) (int64, error) {
	result, err := t.run(ctx, query, args...)
	if err != nil {
		return 0, err
	}
	return result.LastInsertId()
}

// run executes a statement and returns its result.
func (t *tx) run(ctx context.Context, query string, args ...any) (sql.Result, error) {
	stmt, err := t.prepare(ctx, query)
	if err != nil {
		return nil, err
	}
	return stmt.ExecContext(ctx, args...)
}

func openWriter(ctx context.Context, path string, o Options) (*writer, error) {
	parameters := pragmas(writeBusy, "_txlock=immediate")
	if o.alone {
		parameters = append([]string{"_pragma=locking_mode(EXCLUSIVE)"}, parameters...)
	}
	pool, err := sql.Open("sqlite", dsn(path, parameters...))
	if err != nil {
		return nil, err
	}
	pool.SetMaxOpenConns(1)
	prepare := migrate
	if o.Existing {
		prepare = checkVersion
	}
	if err := prepare(ctx, pool); err != nil {
		return nil, errors.Join(err, pool.Close())
	}
	conn, err := pool.Conn(ctx)
	if err != nil {
		return nil, errors.Join(err, pool.Close())
	}
	return &writer{pool: pool, conn: conn, stmts: map[string]statement{}, turn: make(chan struct{}, 1), clock: o.Now, wait: o.Wait}, nil
}

func (w *writer) prepare(ctx context.Context, query string) (statement, error) {
	if stmt := w.stmts[query]; stmt != nil {
		return stmt, nil
	}
	stmt, err := w.conn.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	w.stmts[query] = stmt
	return stmt, nil
}

// close waits for the batch that runs and closes the connection; jobs that come later fail.
func (w *writer) close() error {
	w.turn <- struct{}{}
	defer func() { <-w.turn }()
	var errs []error
	for _, stmt := range w.stmts {
		errs = append(errs, stmt.Close())
	}
	clear(w.stmts)
	return errors.Join(append(errs, w.conn.Close(), w.pool.Close())...)
}

// update runs f in a write transaction, which an error or a panic of f rolls back. It waits for other writers for up to lockWait, or
// until ctx ends; once f runs, update returns when its outcome is certain.
func (db *DB) update(ctx context.Context, op string, f func(ctx context.Context, tx *tx) error) error {
	j := &job{run: f, done: make(chan struct{})}
	if err := db.write.do(ctx, j); err != nil {
		return fail(op, err)
	}
	if j.panic != nil {
		panic(j.panic)
	}
	return fail(op, j.err)
}

// do returns when the job has run, or an error when it will not.
func (w *writer) do(ctx context.Context, j *job) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	wait, cancel := context.WithTimeout(ctx, w.wait)
	defer cancel()
	w.mu.Lock()
	w.waiting = append(w.waiting, j)
	w.mu.Unlock()
	for {
		select {
		case <-j.done: // in the batch of another caller
			return nil
		case w.turn <- struct{}{}:
			var err error
			if !j.ended() { // else it was in the batch before
				err = w.batch(wait)
			}
			<-w.turn
			if err != nil && w.withdraw(j) {
				return waited(ctx, wait, err)
			}
		case <-wait.Done():
			if w.withdraw(j) {
				return waited(ctx, wait, wait.Err())
			}
			<-j.done
			return nil
		}
	}
}

// waited returns the error of ctx, service.ErrStoreBusy when the time for waiting is over, or else err.
func waited(ctx, wait context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case wait.Err() != nil:
		return fmt.Errorf("%w: %w", service.ErrStoreBusy, errWaited)
	}
	return err
}

// withdraw removes a job that does not run yet, and reports whether it did.
func (w *writer) withdraw(j *job) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i, other := range w.waiting {
		if other == j {
			w.waiting = append(w.waiting[:i:i], w.waiting[i+1:]...)
			return true
		}
	}
	return false
}

// claim returns the jobs of the next batch; they can no longer be withdrawn.
func (w *writer) claim() []*job {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := min(len(w.waiting), maxBatch)
	jobs := w.waiting[:n:n]
	w.waiting = append([]*job{}, w.waiting[n:]...)
	return jobs
}

// batch runs jobs that wait in one transaction. An error means that it did not begin.
func (w *writer) batch(ctx context.Context) error {
	if err := w.begin(ctx); err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx) // from here on it takes milliseconds, and the outcome must be certain
	jobs := w.claim()
	err := w.runAll(ctx, jobs)
	if err == nil {
		err = w.exec(ctx, "COMMIT")
	}
	if err != nil {
		_ = w.exec(ctx, "ROLLBACK") // SQLite may have done it already
	}
	for _, j := range jobs {
		if err != nil {
			j.err = err
		}
		close(j.done)
	}
	return nil
}

// begin gets the write lock of the file. It tries until ctx ends.
func (w *writer) begin(ctx context.Context) error {
	for {
		err := w.exec(context.WithoutCancel(ctx), "BEGIN IMMEDIATE")
		if !isLocked(err) || ctx.Err() != nil {
			return err
		}
	}
}

// runAll runs each job in a savepoint, so that one that fails leaves the others. An error means that the transaction is lost.
func (w *writer) runAll(ctx context.Context, jobs []*job) error {
	for _, j := range jobs {
		if err := w.exec(ctx, "SAVEPOINT job"); err != nil {
			return err
		}
		j.try(ctx, &tx{w})
		if j.err != nil || j.panic != nil {
			if err := w.exec(ctx, "ROLLBACK TO job"); err != nil { // the error of the job has ended the transaction
				return errors.Join(j.err, err)
			}
		}
		if err := w.exec(ctx, "RELEASE job"); err != nil {
			return err
		}
	}
	return nil
}

// try runs the job and keeps its error or panic.
func (j *job) try(ctx context.Context, tx *tx) {
	defer func() { j.panic = recover() }()
	j.err = j.run(ctx, tx)
}

func (w *writer) exec(ctx context.Context, statement string) error {
	stmt, err := w.prepare(ctx, statement)
	if err != nil {
		return err
	}
	_, err = stmt.ExecContext(ctx)
	return err
}
