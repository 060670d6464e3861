package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/rows"
)

// querier runs a statement: a connection, or a transaction.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// one returns the first row of a query. Error: service.ErrNotFound where there is none.
func one[T any](ctx context.Context, q querier, scan func(rows.Scanner) (T, error), sql string, args ...any) (item T, err error) {
	items, err := all(ctx, q, scan, sql, args...)
	if err == nil && len(items) == 0 {
		err = service.ErrNotFound
	}
	if err != nil {
		return item, err
	}
	return items[0], nil
}

// all returns every row of a query.
func all[T any](ctx context.Context, q querier, scan func(rows.Scanner) (T, error), sql string, args ...any) ([]T, error) {
	found, err := q.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	return collect(found, scan)
}

func collect[T any](found pgx.Rows, scan func(rows.Scanner) (T, error)) ([]T, error) {
	defer found.Close()
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

// queue adds a query to a batch. Once that was sent, into has its first row, and found reports whether there is one.
func queue[T any](b *pgx.Batch, into *T, scan func(rows.Scanner) (T, error), sql string, args ...any) (found *bool) {
	found = new(bool)
	b.Queue(sql, args...).QueryRow(func(row pgx.Row) error {
		item, err := scan(row)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		*into, *found = item, err == nil
		return err
	})
	return found
}
