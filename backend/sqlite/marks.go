package sqlite

import (
	"context"
	"database/sql"
	"errors"
)

// mark returns a value that the store keeps for itself, empty if it was never set.
func mark(ctx context.Context, tx *sql.Tx, key string) (string, error) {
	var value string
	err := tx.QueryRowContext(ctx, `SELECT value FROM marks WHERE key = ?`, key).Scan(&value)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return value, err
}

func setMark(ctx context.Context, tx *sql.Tx, key, value string) error {
	_, err := tx.ExecContext(ctx, `INSERT OR REPLACE INTO marks (key, value) VALUES (?, ?)`, key, value)
	return err
}
