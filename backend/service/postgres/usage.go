package postgres

import (
	"context"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/rows"
)

// Usage implements service.Ledger. An invalid cursor is a *service.Error with status 400.
func (db *DB) Usage(ctx context.Context, account int64, cursor string, limit int) (list []service.Usage, next string, err error) {
	before, err := rows.ParseCursor(cursor)
	if err != nil {
		return nil, "", err
	}
	var found []rows.Usage
	err = db.view(ctx, "list usage", func(ctx context.Context, q querier) error {
		found, err = all(ctx, q, rows.ScanUsage, `SELECT c.seq, c.id, c.at, c.kind, c.provider, c.model, c.voice, c.title, c.characters,
				c.seconds,
				CASE c.status WHEN 'refunded' THEN 0 ELSE c.plan_credits + c.payg_credits END, c.status, coalesce(f.name, ''),
				coalesce(encode(k.hash, 'hex'), '')
			FROM calls c LEFT JOIN files f ON f.call = c.seq AND f.removed = 0 AND f.expires_at > service_millis()
				LEFT JOIN idempotency_keys k ON k.call = c.seq
			WHERE c.account = $1 AND c.seq < $2 ORDER BY c.seq DESC LIMIT $3`, account, before, limit+1)
		return err
	})
	if err != nil {
		return nil, "", err
	}
	list, next = rows.UsagePage(found, limit)
	return list, next, nil
}
