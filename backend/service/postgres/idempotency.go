package postgres

import (
	"context"
	"time"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/rows"
)

// Earlier implements service.Ledger.
func (db *DB) Earlier(ctx context.Context, account int64, key [32]byte) (e service.Earlier, err error) {
	err = db.view(ctx, "find the call of a key", func(ctx context.Context, q querier) error {
		e, err = one(ctx, q, rows.ScanEarlier, `SELECT `+rows.EarlierColumns+`
			FROM idempotency_keys k LEFT JOIN files f ON f.call = k.call WHERE k.account = $1 AND k.hash = $2`, account, key[:])
		return err
	})
	return e, err
}

// forgetPage is the number of rows that are forgotten in one transaction.
const forgetPage = 1000

const (
	forgetKeys = `DELETE FROM idempotency_keys WHERE call IN (
		SELECT call FROM idempotency_keys WHERE answered_at > 0 AND answered_at <= (SELECT service_millis() - $1)
		ORDER BY answered_at LIMIT $2 FOR UPDATE SKIP LOCKED)`
	forgetCalls = `DELETE FROM rate_calls WHERE (account, at, number) IN (
		SELECT account, at, number FROM rate_calls WHERE at <= (SELECT service_micros() - $1)
		ORDER BY at LIMIT $2 FOR UPDATE SKIP LOCKED)`
)

// ForgetKeys implements service.Ledger.
func (db *DB) ForgetKeys(ctx context.Context, age time.Duration) error {
	err := db.forget(ctx, "forget idempotency keys", forgetKeys, age.Milliseconds())
	if err != nil {
		return err
	}
	return db.forget(ctx, "forget counted calls", forgetCalls, service.RateWindow.Microseconds())
}

// forget executes a statement that deletes a page of rows, until there are no more. Rows that are in use come next time.
func (s *server) forget(ctx context.Context, op, statement string, age int64) error {
	for {
		var forgotten int64
		err := s.patient().update(ctx, op, func(ctx context.Context, tx *tx) (err error) {
			forgotten, err = tx.change(ctx, statement, age, forgetPage)
			return err
		})
		if err != nil || forgotten < forgetPage {
			return err
		}
	}
}
