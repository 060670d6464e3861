package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"sync"
	"time"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/rows"
)

// preparer returns the prepared statement of a query; each query is prepared once.
type preparer interface {
	prepare(ctx context.Context, query string) (statement, error)
	now() time.Time // of the clock of the store
}

// statement is a *sql.Stmt, which stays open until its connection closes.
type statement interface {
	ExecContext(ctx context.Context, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, args ...any) *sql.Row
	Close() error
}

// one returns the first row of a query, which is found in microseconds: too soon to watch ctx, which would double its time.
// Error: service.ErrNotFound where there is none.
func one[T any](
	ctx context.Context, p preparer, scan func(rows.Scanner) (T, error), query string, args ...any,
) (item T, err error) {
	if err := ctx.Err(); err != nil {
		return item, err
	}
	ctx = context.WithoutCancel(ctx)
	stmt, err := p.prepare(ctx, query)
	if err != nil {
		return item, err
	}
	item, err = scan(stmt.QueryRowContext(ctx, args...))
	if errors.Is(err, sql.ErrNoRows) {
		err = service.ErrNotFound
	}
	return item, err
}

// all returns every row of a query.
func all[T any](
	ctx context.Context, p preparer, scan func(rows.Scanner) (T, error), query string, args ...any,
) ([]T, error) {
	stmt, err := p.prepare(ctx, query)
	if err != nil {
		return nil, err
	}
	found, err := stmt.QueryContext(ctx, args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = found.Close() }() // found.Err reports what matters
	items := []T{}
	for found.Next() {
		item, err := scan(found)
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	return items, found.Err()
}

// reader is the connections that read.
type reader struct {
	pool  *sql.DB
	clock func() time.Time
	mu    sync.RWMutex
	stmts map[string]statement
}

func openReader(path string, clock func() time.Time) (*reader, error) {
	pool, err := sql.Open("sqlite", dsn(path, pragmas(readBusy, "_pragma=query_only(1)")...))
	if err != nil {
		return nil, err
	}
	pool.SetMaxOpenConns(readers)
	pool.SetMaxIdleConns(readers)
	return &reader{pool: pool, clock: clock, stmts: map[string]statement{}}, nil
}

func (r *reader) now() time.Time { return r.clock() }

func (r *reader) prepare(ctx context.Context, query string) (statement, error) {
	r.mu.RLock()
	stmt := r.stmts[query]
	r.mu.RUnlock()
	if stmt != nil {
		return stmt, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if stmt := r.stmts[query]; stmt != nil {
		return stmt, nil
	}
	stmt, err := r.pool.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	r.stmts[query] = stmt
	return stmt, nil
}

func (r *reader) close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var errs []error
	for _, stmt := range r.stmts {
		errs = append(errs, stmt.Close())
	}
	clear(r.stmts)
	return errors.Join(append(errs, r.pool.Close())...)
}

// snapshot runs f on one state of the database.
func (r *reader) snapshot(ctx context.Context, f func(ctx context.Context, p preparer) error) error {
	tx, err := r.pool.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // it only reads
	return f(ctx, transaction{tx, r.clock})
}

// transaction prepares each time; its statements are closed when it ends.
type transaction struct {
	tx    *sql.Tx
	clock func() time.Time
}

func (t transaction) now() time.Time { return t.clock() }

func (t transaction) prepare(ctx context.Context, query string) (statement, error) {
	return t.tx.PrepareContext(ctx, query)
}
