package sqlite

import (
	"context"
	"time"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/rows"
)

// CountCall implements service.Ledger.
func (db *DB) CountCall(ctx context.Context, account int64, limit int) error {
	var over error
	err := db.update(ctx, "count call", func(ctx context.Context, tx *tx) (err error) {
		if _, err := accountByID(ctx, tx, account); err != nil {
			return err
		}
		over, err = countCall(ctx, tx, account, limit)
		return err
	})
	if err != nil {
		return err
	}
	return over
}

// countCall counts a call, or returns over, a *service.RateError, when limit calls are in the window. A call of t is in the
// window before t + RateWindow.
func countCall(ctx context.Context, tx *tx, account int64, limit int) (over, err error) {
	now := tx.now()
	at := now.UnixNano()
	err = tx.exec(ctx, `DELETE FROM rate_calls WHERE account = ? AND at <= ?`, account, at-int64(service.RateWindow))
	if err != nil {
		return nil, err
	}
	if err := pullBack(ctx, tx, account, now); err != nil {
		return nil, err
	}
	// A new call is allowed when the limit-th newest leaves the window.
	blocking, err := all(ctx, tx, rows.One[int64],
		`SELECT at FROM rate_calls WHERE account = ? ORDER BY at DESC LIMIT 1 OFFSET ?`, account, max(limit, 1)-1)
	if err != nil {
		return nil, err
	}
	if len(blocking) > 0 {
		return &service.RateError{RetryAfter: time.Duration(blocking[0]-at) + service.RateWindow}, nil
	}
	return nil, tx.exec(ctx, `INSERT INTO rate_calls (account, at, number)
		SELECT ?1, ?2, 1 + coalesce(max(number), 0) FROM rate_calls WHERE account = ?1`, account, at)
}

// pullBack moves calls of the future to now after the clock went back, so that they leave the window a minute later.
func pullBack(ctx context.Context, tx *tx, account int64, now time.Time) error {
	return tx.exec(ctx, `UPDATE rate_calls SET at = ? WHERE account = ? AND at > ?`,
		now.UnixNano(), account, now.Add(rows.ClockSlack).UnixNano())
}
