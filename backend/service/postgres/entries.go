package postgres

import (
	"context"

	"github.com/voicewright/voicewright/backend/service"
)

func scanEntry(row scanner) (e service.Entry, err error) {
	var at int64
	err = row.Scan(&e.ID, &at, &e.Reason, &e.Call, &e.Plan, &e.Payg, &e.Held, &e.Granted, &e.Spent, &e.Expired, &e.Actor, &e.Note)
	e.At = fromMillis(at)
	return e, err
}

// Entries implements service.Ledger.
func (db *DB) Entries(ctx context.Context, account, before int64, limit int) (list []service.Entry, err error) {
	err = db.view(ctx, "list ledger", func(ctx context.Context, q querier) error {
		list, err = all(ctx, q, scanEntry, `SELECT l.id, l.at, l.reason, coalesce(c.id, ''), l.plan, l.payg, l.held, l.granted,
				l.spent, l.expired, l.actor, l.note
			FROM ledger l LEFT JOIN calls c ON c.seq = l.call
			WHERE l.account = $1 AND l.id < $2 ORDER BY l.id DESC LIMIT $3`, account, before, limit)
		return err
	})
	return list, err
}

func scanSums(row scanner) (s service.Sums, err error) {
	err = row.Scan(&s.Balance.Plan, &s.Balance.Payg, &s.Balance.Held, &s.Rows.Plan, &s.Rows.Payg, &s.Rows.Held, &s.Count, &s.Last)
	return s, err
}

// Sums implements service.Ledger.
func (db *DB) Sums(ctx context.Context, account int64) (sums service.Sums, err error) {
	err = db.view(ctx, "sum ledger", func(ctx context.Context, q querier) error {
		sums, err = one(ctx, q, scanSums, `SELECT a.plan_credits, a.payg_credits, a.held_credits, coalesce(sum(l.plan), 0)::bigint,
				coalesce(sum(l.payg), 0)::bigint, coalesce(sum(l.held), 0)::bigint, count(l.id), coalesce(max(l.id), 0)
			FROM accounts a LEFT JOIN ledger l ON l.account = a.id
			WHERE a.id = $1 AND `+live+` GROUP BY a.id`, account)
		return err
	})
	return sums, err
}
