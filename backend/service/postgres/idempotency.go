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

// ForgetKeys implements service.Ledger.
func (db *DB) ForgetKeys(ctx context.Context, age time.Duration) error {
	return db.update(ctx, "forget idempotency keys", func(ctx context.Context, tx *tx) error {
		return tx.exec(ctx, `DELETE FROM idempotency_keys WHERE answered_at > 0 AND answered_at <= (SELECT service_millis() - $1)`,
			age.Milliseconds())
	})
}
