package sqlite

import (
	"context"
	"database/sql"
)

// Paces gives how fast a model was on this machine, in characters per second by chunks at once, for an engine that takes so
// many callers; empty before the first measurement.
func (db *DB) Paces(ctx context.Context, model string, callers int) (map[int]float64, error) {
	out := map[int]float64{}
	err := db.view(ctx, "read pace", func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, `SELECT width, rate FROM paces WHERE model = ? AND callers = ?`, model, callers)
		if err != nil {
			return err
		}
		defer func() { _ = rows.Close() }()
		for rows.Next() {
			var width int
			var rate float64
			if err := rows.Scan(&width, &rate); err != nil {
				return err
			}
			out[width] = rate
		}
		return rows.Err()
	})
	return out, err
}

// SetPace stores a measured rate of a model in place of an older one.
func (db *DB) SetPace(ctx context.Context, model string, callers, width int, rate float64) error {
	return db.update(ctx, "store pace", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx,
			`INSERT OR REPLACE INTO paces (model, callers, width, rate, measured_at) VALUES (?, ?, ?, ?, ?)`,
			model, callers, width, rate, millis(db.now()))
		return err
	})
}
