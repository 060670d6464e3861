package postgres

import (
	"cmp"
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/rows"
)

// beginPeriod begins a period with its credits; those of the former one expire.
func beginPeriod(b *pgx.Batch, a service.Account, p rows.Period, c service.Change, now int64) {
	b.Queue(`UPDATE accounts SET plan_expires = $2, plan_number = plan_number + 1 WHERE id = $1`, a.ID, p.Ends)
	move(b, p.Begin(a, c), now)
}

// renewals is the part of a DB that renews plans.
type renewals struct{ *server }

var _ service.RenewalStore = (*renewals)(nil)

// Renew implements service.RenewalStore.
func (r *renewals) Renew(
	ctx context.Context, account int64, credits map[service.Plan]int64, days int, c service.Change,
) (service.Account, error) {
	return r.change(ctx, "renew plan", account, c, func(b *pgx.Batch, a service.Account, now int64) error {
		p, err := rows.Renew(a, now, credits, days)
		if err == nil {
			beginPeriod(b, a, p, c, now)
		}
		return err
	})
}

// RenewUntil implements service.RenewalStore.
func (r *renewals) RenewUntil(
	ctx context.Context, account int64, until time.Time, days int, c service.Change,
) (a service.Account, err error) {
	err = r.update(ctx, "set renewal", func(ctx context.Context, tx *tx) error {
		before, now, err := tx.lock(ctx, account)
		if err != nil {
			return err
		}
		given, err := one(ctx, tx, rows.One[int], `SELECT plan_days FROM accounts WHERE id = $1`, account)
		if err != nil {
			return err
		}
		by := cmp.Or(days, given)
		if err := rows.MayRenew(before, now, until, by); err != nil {
			return err
		}
		b := tx.batch()
		b.Queue(`UPDATE accounts SET renews_until = $2, plan_days = $3 WHERE id = $1`, account, rows.Millis(until), by)
		recordOperator(b, account, c, now)
		queue(b, &a, scanAccount, accountByID, account)
		return tx.send(ctx, b)
	})
	return a, err
}

// RenewDue implements service.RenewalStore.
func (r *renewals) RenewDue(ctx context.Context, account int64, credits map[service.Plan]int64) (service.Account, error) {
	var c service.Change
	return r.change(ctx, "renew plan", account, c, func(b *pgx.Batch, a service.Account, now int64) error {
		if a.RenewalDue { // else another call was faster
			beginPeriod(b, a, rows.RenewDue(a, now, credits), c, now)
		}
		return nil
	})
}

// renewalsDue selects the accounts whose renewal is due, by their ids. Most that renew themselves have not ended: an index finds those.
const renewalsDue = `WITH ended AS MATERIALIZED (
		SELECT id FROM accounts WHERE renews_until > 0 AND plan_expires BETWEEN 1 AND (SELECT service_millis()) AND id > $1
	) SELECT ` + accountColumns + ` FROM accounts a
	WHERE a.id IN (SELECT id FROM ended) AND a.renews_until > 0 AND a.disabled = 0 AND ` + rows.Live + `
		AND service_millis() - (service_millis() - a.plan_expires) % (a.plan_days * $3::bigint) < a.renews_until
	ORDER BY a.id LIMIT $2`

// RenewalsDue implements service.RenewalStore. Its condition is that of Account.RenewalDue.
func (r *renewals) RenewalsDue(ctx context.Context, after int64, limit int) (list []service.Account, err error) {
	err = r.patient().view(ctx, "list renewals", func(ctx context.Context, q querier) error {
		list, err = all(ctx, q, scanAccount, renewalsDue, after, limit, (24 * time.Hour).Milliseconds())
		return err
	})
	return list, err
}
