package sqlite

import (
	"context"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/rows"
)

// Usage implements service.Ledger. An invalid cursor is a *service.Error with status 400.
func (db *DB) Usage(ctx context.Context, account int64, cursor string, limit int) ([]service.Usage, string, error) {
	before, err := rows.ParseCursor(cursor)
	if err != nil {
		return nil, "", err
	}
	found, err := all(ctx, db.read, rows.ScanUsage, `SELECT seq, id, at, kind, provider, model, voice, title, characters, seconds,
			iif(status = 'refunded', 0, plan_credits + payg_credits), status, coalesce(f.name, ''),
			coalesce(lower(hex(k.hash)), '')
		FROM calls c LEFT JOIN files f ON f.call = seq AND f.removed = 0 AND f.expires_at > ? LEFT JOIN idempotency_keys k ON k.call = seq
		WHERE c.account = ? AND seq < ? ORDER BY seq DESC LIMIT ?`, rows.Millis(db.read.now()), account, before, limit+1)
	if err != nil {
		return nil, "", fail("list usage", err)
	}
	list, next := rows.UsagePage(found, limit)
	return list, next, nil
}
