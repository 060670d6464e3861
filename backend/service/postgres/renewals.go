package postgres

import (
	"cmp"
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/voicewright/voicewright/backend/service"
)

// renewalDue holds for accounts, as a, whose plan has ended and renews itself: the period that contains now, as service.NextPeriod
// returns it, begins before the last day.
const renewalDue = `(a.renews_until > 0 AND a.plan_expires BETWEEN 1 AND service_millis() AND a.disabled = 0 AND
	service_millis() - (service_millis() - a.plan_expires) % (a.plan_days * 86400000) < a.renews_until)`

// period is a time for which an account has the credits of its plan.
type period struct {
	reason        string // in the ledger
	credits, ends int64
}

// beginPeriod begins a period with its credits; those of the former one expire.
func beginPeriod(b *pgx.Batch, a service.Account, p period, c service.Change, now int64) {
	b.Queue(`UPDATE accounts SET plan_expires = $2, plan_number = plan_number + 1 WHERE id = $1`, a.ID, p.ends)
	move(b, movement{
		at: now, account: a.ID, reason: p.reason, change: c, plan: p.credits - a.PlanCredits, expired: a.PlanCredits, granted: -p.credits,
	})
}

// renewalDays returns by how many days a plan renews itself that was given a number of days: one that was given none could not.
func renewalDays(days int) int { return cmp.Or(max(days, 0), service.PlanDays) }

// renewedReason is what the ledger says of a renewal.
const renewedReason = "renewed"

// renewals is the part of a DB that renews plans.
type renewals struct{ *server }

var _ service.RenewalStore = (*renewals)(nil)

// Renew implements service.RenewalStore.
func (r *renewals) Renew(
	ctx context.Context, account int64, credits map[service.Plan]int64, days int, c service.Change,
) (service.Account, error) {
	return r.change(ctx, "renew plan", account, c, func(b *pgx.Batch, a service.Account, now int64) error {
		if a.Plan == service.Free {
			return service.ErrFreePlan
		}
		from := millis(a.PlanExpires)
		if a.Expired() {
			from = now
		}
		beginPeriod(b, a, period{renewedReason, credits[a.Plan], expiry(a.Plan, days, from)}, c, now)
		return nil
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
		given, err := one(ctx, tx, scanOne[int], `SELECT plan_days FROM accounts WHERE id = $1`, account)
		if err != nil {
			return err
		}
		by := cmp.Or(days, given)
		if !until.IsZero() {
			if before.Plan == service.Free {
				return service.ErrFreePlan
			}
			if begins, _ := service.NextPeriod(before.PlanExpires, fromMillis(now), by); !begins.Before(until) {
				return service.ErrNoRenewal
			}
		}
		b := tx.batch()
		b.Queue(`UPDATE accounts SET renews_until = $2, plan_days = $3 WHERE id = $1`, account, millis(until), by)
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
			_, ends := service.NextPeriod(a.PlanExpires, fromMillis(now), a.RenewsBy)
			beginPeriod(b, a, period{renewedReason, credits[a.Plan], millis(ends)}, c, now)
		}
		return nil
	})
}

// RenewalsDue implements service.RenewalStore.
func (r *renewals) RenewalsDue(ctx context.Context, after int64, limit int) (list []service.Account, err error) {
	err = r.view(ctx, "list renewals", func(ctx context.Context, q querier) error {
		list, err = all(ctx, q, scanAccount, `SELECT `+accountColumns+` FROM accounts a
			WHERE `+renewalDue+` AND a.id > $1 AND `+live+` ORDER BY a.id LIMIT $2`, after, limit)
		return err
	})
	return list, err
}
