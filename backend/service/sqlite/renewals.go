package sqlite

import (
	"cmp"
	"context"
	"time"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/rows"
)

// beginPeriod begins a period with its credits; those of the former one expire.
func beginPeriod(ctx context.Context, tx *tx, a service.Account, p rows.Period, c service.Change) error {
	err := tx.exec(ctx, `UPDATE accounts SET plan_expires = ?, plan_number = plan_number + 1 WHERE id = ?`, p.Ends, a.ID)
	if err != nil {
		return err
	}
	return move(ctx, tx, p.Begin(a, c))
}

// renewals is the part of a DB that renews plans.
type renewals struct{ db *DB }

var _ service.RenewalStore = (*renewals)(nil)

// Renew implements service.RenewalStore.
func (r *renewals) Renew(
	ctx context.Context, account int64, credits map[service.Plan]int64, days int, c service.Change,
) (service.Account, error) {
	return r.db.change(ctx, "renew plan", account, c, func(ctx context.Context, tx *tx, a service.Account) error {
		p, err := rows.Renew(a, rows.Millis(tx.now()), credits, days)
		if err != nil {
			return err
		}
		return beginPeriod(ctx, tx, a, p, c)
	})
}

// RenewUntil implements service.RenewalStore.
func (r *renewals) RenewUntil(
	ctx context.Context, account int64, until time.Time, days int, c service.Change,
) (service.Account, error) {
	return r.db.change(ctx, "set renewal", account, c, func(ctx context.Context, tx *tx, a service.Account) error {
		given, err := one(ctx, tx, rows.One[int], `SELECT plan_days FROM accounts WHERE id = ?`, a.ID)
		if err != nil {
			return err
		}
		by := cmp.Or(days, given)
		if err := rows.MayRenew(a, rows.Millis(tx.now()), until, by); err != nil {
			return err
		}
		return tx.exec(ctx, `UPDATE accounts SET renews_until = ?, plan_days = ? WHERE id = ?`, rows.Millis(until), by, a.ID)
	})
}

// RenewDue implements service.RenewalStore.
func (r *renewals) RenewDue(ctx context.Context, account int64, credits map[service.Plan]int64) (service.Account, error) {
	var c service.Change
	return r.db.change(ctx, "renew plan", account, c, func(ctx context.Context, tx *tx, a service.Account) error {
		if !a.RenewalDue { // another call was faster
			return nil
		}
		return beginPeriod(ctx, tx, a, rows.RenewDue(a, rows.Millis(tx.now()), credits), c)
	})
}

// RenewalsDue implements service.RenewalStore. Its condition is that of Account.RenewalDue.
func (r *renewals) RenewalsDue(ctx context.Context, after int64, limit int) ([]service.Account, error) {
	list, err := all(ctx, r.db.read, accountNow(r.db.read), `SELECT `+rows.AccountColumns+` FROM accounts a
		WHERE a.renews_until > 0 AND a.plan_expires BETWEEN 1 AND ?1 AND a.disabled = 0 AND a.id > ?2 AND `+rows.Live+`
			AND ?1 - (?1 - a.plan_expires) % (a.plan_days * ?3) < a.renews_until ORDER BY a.id LIMIT ?4`,
		rows.Millis(r.db.read.now()), after, (24 * time.Hour).Milliseconds(), limit)
	return list, fail("list renewals", err)
}
