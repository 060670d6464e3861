package sqlite

import (
	"context"
	"errors"
	"time"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/rows"
)

// Earlier implements service.Ledger.
func (db *DB) Earlier(ctx context.Context, account int64, key [32]byte) (service.Earlier, error) {
	e, err := one(ctx, db.read, rows.ScanEarlier, `SELECT `+rows.EarlierColumns+`
		FROM idempotency_keys k LEFT JOIN files f ON f.call = k.call WHERE k.account = ? AND k.hash = ?`, account, key[:])
	return e, fail("find the call of a key", err)
}

// forgetPage is the number of rows that are forgotten in one transaction.
const forgetPage = 1000

// ForgetKeys implements service.Ledger.
func (db *DB) ForgetKeys(ctx context.Context, age time.Duration) error {
	err := db.forget(ctx, "forget idempotency keys", func(ctx context.Context, tx *tx) (int64, error) {
		return tx.change(ctx, `DELETE FROM idempotency_keys WHERE (account, hash) IN (SELECT account, hash FROM idempotency_keys
			WHERE answered_at > 0 AND answered_at <= ? LIMIT ?)`, rows.Millis(tx.now().Add(-age)), forgetPage)
	})
	if err != nil {
		return err
	}
	return db.forget(ctx, "forget counted calls", func(ctx context.Context, tx *tx) (int64, error) {
		return tx.change(ctx, `DELETE FROM rate_calls WHERE (account, at, number) IN (SELECT account, at, number FROM rate_calls
			WHERE at <= ? LIMIT ?)`, tx.now().Add(-service.RateWindow).UnixNano(), forgetPage)
	})
}

// forget deletes pages of rows until there are no more, and lets other writes run in between.
func (db *DB) forget(ctx context.Context, op string, page func(ctx context.Context, tx *tx) (int64, error)) error {
	for {
		var forgotten int64
		err := db.update(ctx, op, func(ctx context.Context, tx *tx) (err error) {
			forgotten, err = page(ctx, tx)
			return err
		})
		if err != nil || forgotten < forgetPage {
			return err
		}
	}
}

// keyUsed reports whether a call of the account has the key already.
func keyUsed(ctx context.Context, tx *tx, account int64, k *service.Idempotency) (bool, error) {
	if k == nil {
		return false, nil
	}
	_, err := one(ctx, tx, rows.One[int64], `SELECT call FROM idempotency_keys WHERE account = ? AND hash = ?`, account, k.Key[:])
	if errors.Is(err, service.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// takeKey makes a key that of a call.
func takeKey(ctx context.Context, tx *tx, account, call int64, k *service.Idempotency) error {
	if k == nil {
		return nil
	}
	return tx.exec(ctx, `INSERT INTO idempotency_keys (account, hash, request, call) VALUES (?, ?, ?, ?)`,
		account, k.Key[:], k.Request[:], call)
}

// keepAnswer stores what a repeat of a charged call is answered, where the call has a key.
func keepAnswer(ctx context.Context, tx *tx, call, creditsLeft int64) error {
	return tx.exec(ctx, `UPDATE idempotency_keys SET credits_left = ?, answered_at = ? WHERE call = ?`,
		creditsLeft, rows.Millis(tx.now()), call)
}
