package postgres

import (
	"context"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/rows"
)

// Entries implements service.Ledger.
func (db *DB) Entries(ctx context.Context, account, before int64, limit int) (list []service.Entry, err error) {
	err = db.view(ctx, "list ledger", func(ctx context.Context, q querier) error {
		list, err = all(ctx, q, rows.ScanEntry, `SELECT `+rows.EntryColumns+`
			FROM ledger l LEFT JOIN calls c ON c.seq = l.call
			WHERE l.account = $1 AND l.id < $2 ORDER BY l.id DESC LIMIT $3`, account, before, limit)
		return err
	})
	return list, err
}

// Sums implements service.Ledger.
func (db *DB) Sums(ctx context.Context, account int64) (sums service.Sums, err error) {
	err = db.view(ctx, "sum ledger", func(ctx context.Context, q querier) error {
		sums, err = one(ctx, q, rows.ScanSums, `SELECT a.plan_credits, a.payg_credits, a.held_credits, coalesce(sum(l.plan), 0)::bigint,
				coalesce(sum(l.payg), 0)::bigint, coalesce(sum(l.held), 0)::bigint, count(l.id), coalesce(max(l.id), 0)
			FROM accounts a LEFT JOIN ledger l ON l.account = a.id
			WHERE a.id = $1 AND `+rows.Live+` GROUP BY a.id`, account)
		return err
	})
	return sums, err
}
