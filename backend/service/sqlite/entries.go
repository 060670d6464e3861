package sqlite

import (
	"context"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/rows"
)

// Entries implements service.Ledger.
func (db *DB) Entries(ctx context.Context, account, before int64, limit int) ([]service.Entry, error) {
	list, err := all(ctx, db.read, rows.ScanEntry, `SELECT `+rows.EntryColumns+`
		FROM ledger l LEFT JOIN calls c ON c.seq = l.call
		WHERE l.account = ? AND l.id < ? ORDER BY l.id DESC LIMIT ?`, account, before, limit)
	return list, fail("list ledger", err)
}

// Sums implements service.Ledger.
func (db *DB) Sums(ctx context.Context, account int64) (service.Sums, error) {
	sums, err := one(ctx, db.read, rows.ScanSums, `SELECT a.plan_credits, a.payg_credits, a.held_credits, coalesce(sum(l.plan), 0),
			coalesce(sum(l.payg), 0), coalesce(sum(l.held), 0), count(l.id), coalesce(max(l.id), 0)
		FROM accounts a LEFT JOIN ledger l ON l.account = a.id
		WHERE a.id = ? AND `+rows.Live+` GROUP BY a.id`, account)
	return sums, fail("sum ledger", err)
}
