package sqlite

import (
	"context"
	"errors"
	"iter"
	"path/filepath"
	"time"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/rows"
)

// Source is a database that is moved to another store. Nobody else can open it until it is closed.
type Source struct {
	write  *writer
	unlock func()
}

// OpenSource opens the file at path, which has the schema of this program, where no other process uses it. Errors: those of Open with
// Existing, CodeDataDirLocked at once.
func OpenSource(ctx context.Context, path string) (*Source, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	s, err := openSource(ctx, path)
	if err != nil {
		return nil, openError(path, err)
	}
	return s, nil
}

func openSource(ctx context.Context, path string) (s *Source, err error) {
	unlock, err := lockFile(ctx, path)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			unlock()
		}
	}()
	if err := touch(path, true); err != nil {
		return nil, err
	}
	if _, err := checkOwn(ctx, path); err != nil {
		return nil, err
	}
	if err := takeAlone(ctx, path); err != nil {
		return nil, err
	}
	write, err := openWriter(ctx, path, Options{Wait: lockWait, Now: time.Now, Existing: true, alone: true})
	if err != nil {
		return nil, err
	}
	return &Source{write: write, unlock: unlock}, nil
}

// Close closes the database.
func (s *Source) Close() error {
	defer s.unlock()
	return fail("close source", s.write.close())
}

// update runs f in a transaction.
func (s *Source) update(ctx context.Context, op string, f func(ctx context.Context, tx *tx) error) error {
	return (&DB{write: s.write}).update(ctx, op, f)
}

// Refund refunds what is held: the processes that held it have ended. It returns how many calls.
func (s *Source) Refund(ctx context.Context) (refunded int, err error) {
	err = s.update(ctx, "refund held calls", func(ctx context.Context, tx *tx) error {
		refunded = 0
		held, err := all(ctx, tx, rows.ScanHeld, rows.HeldCalls)
		if err != nil {
			return err
		}
		for _, h := range held {
			if err := refund(ctx, tx, h, rows.Repair, service.Change{}); err != nil {
				return err
			}
			refunded++
		}
		return nil
	})
	return refunded, err
}

// Check is that of the store.
func (s *Source) Check(ctx context.Context) error {
	return s.update(ctx, "check ledger", func(ctx context.Context, tx *tx) error { return checkLedger(ctx, tx) })
}

// Figure returns the number that a query yields.
func (s *Source) Figure(ctx context.Context, query string) (n int64, err error) {
	err = s.update(ctx, "count", func(ctx context.Context, tx *tx) (err error) {
		n, err = one(ctx, tx, rows.One[int64], query)
		return err
	})
	return n, err
}

// Rows returns the rows of a query.
func (s *Source) Rows(ctx context.Context, query string) iter.Seq2[[]any, error] {
	return func(yield func([]any, error) bool) {
		if err := s.rows(ctx, query, func(row []any) bool { return yield(row, nil) }); err != nil {
			yield(nil, fail("read rows", err))
		}
	}
}

// rows calls use with each row of a query until it returns false.
func (s *Source) rows(ctx context.Context, query string, use func([]any) bool) (err error) {
	found, err := s.write.conn.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, found.Close()) }()
	columns, err := found.Columns()
	if err != nil {
		return err
	}
	for found.Next() {
		row, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range row {
			into[i] = &row[i]
		}
		if err := found.Scan(into...); err != nil {
			return err
		}
		if !use(row) {
			return nil
		}
	}
	return found.Err()
}
