package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/voicewright/voicewright/backend/service"
)

// scanner is a row.
type scanner interface{ Scan(dest ...any) error }

// querier runs a statement: a connection, or a transaction.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// scanOne reads the only column of a row.
func scanOne[T any](row scanner) (T, error) {
	var value T
	err := row.Scan(&value)
	return value, err
}

// one returns the first row of a query. Error: service.ErrNotFound where there is none.
func one[T any](ctx context.Context, q querier, scan func(scanner) (T, error), sql string, args ...any) (item T, err error) {
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
func all[T any](ctx context.Context, q querier, scan func(scanner) (T, error), sql string, args ...any) ([]T, error) {
	rows, err := q.Query(ctx, sql, args...)
	if err != nil {
		return nil, err
	}
	return collect(rows, scan)
}

func collect[T any](rows pgx.Rows, scan func(scanner) (T, error)) ([]T, error) {
	defer rows.Close()
	items := []T{}
	for rows.Next() {
		item, err := scan(rows)
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	return items, rows.Err()
}

// queue adds a query to a batch. Once that was sent, into has its first row, and found reports whether there is one.
func queue[T any](b *pgx.Batch, into *T, scan func(scanner) (T, error), sql string, args ...any) (found *bool) {
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
