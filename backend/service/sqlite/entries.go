package sqlite

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
func (db *DB) Entries(ctx context.Context, account, before int64, limit int) ([]service.Entry, error) {
	list, err := all(ctx, db.read, scanEntry, `SELECT l.id, l.at, l.reason, coalesce(c.id, ''), l.plan, l.payg, l.held, l.granted,
			l.spent, l.expired, l.actor, l.note
		FROM ledger l LEFT JOIN calls c ON c.seq = l.call
		WHERE l.account = ? AND l.id < ? ORDER BY l.id DESC LIMIT ?`, account, before, limit)
	return list, fail("list ledger", err)
}

func scanSums(row scanner) (s service.Sums, err error) {
	err = row.Scan(&s.Balance.Plan, &s.Balance.Payg, &s.Balance.Held, &s.Rows.Plan, &s.Rows.Payg, &s.Rows.Held, &s.Count, &s.Last)
	return s, err
}

// Sums implements service.Ledger.
func (db *DB) Sums(ctx context.Context, account int64) (service.Sums, error) {
	sums, err := one(ctx, db.read, scanSums, `SELECT a.plan_credits, a.payg_credits, a.held_credits, coalesce(sum(l.plan), 0),
			coalesce(sum(l.payg), 0), coalesce(sum(l.held), 0), count(l.id), coalesce(max(l.id), 0)
		FROM accounts a LEFT JOIN ledger l ON l.account = a.id
		WHERE a.id = ? AND `+live+` GROUP BY a.id`, account)
	return sums, fail("sum ledger", err)
}
