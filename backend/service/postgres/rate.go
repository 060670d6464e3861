package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/rows"
)

// window is the sliding window of an account's calls. Times are microseconds.
type window struct {
	now      int64  // the time of the server
	oldest   *int64 // nil where there are none
	newest   *int64
	blocking *int64 // the call that has to leave the window before the next one; nil where there is room
}

// queueWindow queues the statement that reads a window.
func queueWindow(b *pgx.Batch, w *window, account int64, limit int) {
	queue(b, w, scanWindow, windowOf, account, max(limit, 1)-1, service.RateWindow.Microseconds())
}

const windowOf = `WITH clock AS MATERIALIZED (SELECT service_micros() AS now)
	SELECT clock.now,
		(SELECT min(at) FROM rate_calls WHERE account = $1), (SELECT max(at) FROM rate_calls WHERE account = $1),
		(SELECT at FROM rate_calls WHERE account = $1 AND at > clock.now - $3 ORDER BY at DESC LIMIT 1 OFFSET $2)
	FROM clock`

func scanWindow(row rows.Scanner) (w window, err error) {
	err = row.Scan(&w.now, &w.oldest, &w.newest, &w.blocking)
	return w, err
}

// CountCall implements service.Ledger.
func (db *DB) CountCall(ctx context.Context, account int64, limit int) error {
	var over error
	err := db.update(ctx, "count call", func(ctx context.Context, tx *tx) error {
		var w window
		var id int64
		b := tx.batch()
		found := queue(b, &id, rows.One[int64], lockAccount, account)
		queueWindow(b, &w, account, limit)
		err := tx.send(ctx, b)
		if err == nil && !*found {
			err = service.ErrNotFound
		}
		if err != nil {
			return err
		}
		b = tx.batch()
		if over, err = countCall(ctx, tx, b, account, limit, w); err != nil {
			return err
		}
		return tx.send(ctx, b)
	})
	if err != nil {
		return err
	}
	return over
}

// countCall queues what counts a call, or returns over, a *service.RateError, when limit calls are in the window. A call of t is in the
// window before t + RateWindow.
func countCall(ctx context.Context, tx *tx, b *pgx.Batch, account int64, limit int, w window) (over, err error) {
	if w.newest != nil && *w.newest > w.now+rows.ClockSlack.Microseconds() {
		if w, err = pullBack(ctx, tx, account, limit, w.now); err != nil {
			return nil, err
		}
	}
	if w.oldest != nil && *w.oldest <= w.now-service.RateWindow.Microseconds() {
		b.Queue(`DELETE FROM rate_calls WHERE account = $1 AND at <= $2`, account, w.now-service.RateWindow.Microseconds())
	}
	if w.blocking != nil {
		return &service.RateError{RetryAfter: time.Duration(*w.blocking-w.now)*time.Microsecond + service.RateWindow}, nil
	}
	b.Queue(`INSERT INTO rate_calls (account, at, number)
		SELECT $1, $2, 1 + coalesce(max(number), 0) FROM rate_calls WHERE account = $1`, account, w.now)
	return nil, nil
}

// pullBack moves calls of the future to now after the clock went back, so that they leave the window a minute later.
func pullBack(ctx context.Context, tx *tx, account int64, limit int, now int64) (w window, err error) {
	b := tx.batch()
	b.Queue(`UPDATE rate_calls SET at = $2 WHERE account = $1 AND at > $3`, account, now, now+rows.ClockSlack.Microseconds())
	queueWindow(b, &w, account, limit)
	return w, tx.send(ctx, b)
}
