package sqlite

import (
	"cmp"
	"context"
	"time"

	"github.com/voicewright/voicewright/backend/service"
)

// period is a time for which an account has the credits of its plan.
type period struct {
	reason  string // in the ledger
	credits int64
	ends    time.Time
}

// beginPeriod begins a period with its credits; those of the former one expire.
func beginPeriod(ctx context.Context, tx *tx, a service.Account, p period, c service.Change) error {
	err := tx.exec(ctx, `UPDATE accounts SET plan_expires = ?, plan_number = plan_number + 1 WHERE id = ?`, millis(p.ends), a.ID)
	if err != nil {
		return err
	}
	return move(ctx, tx, movement{
		account: a.ID, reason: p.reason, change: c, plan: p.credits - a.PlanCredits, expired: a.PlanCredits, granted: -p.credits,
	})
}

// renewalDays returns by how many days a plan renews itself that was given a number of days: one that was given none could not.
func renewalDays(days int) int { return cmp.Or(max(days, 0), service.PlanDays) }

// renewedReason is what the ledger says of a renewal.
const renewedReason = "renewed"

// renewals is the part of a DB that renews plans.
type renewals struct{ db *DB }

var _ service.RenewalStore = (*renewals)(nil)

// Renew implements service.RenewalStore.
func (r *renewals) Renew(
	ctx context.Context, account int64, credits map[service.Plan]int64, days int, c service.Change,
) (service.Account, error) {
	return r.db.change(ctx, "renew plan", account, c, func(ctx context.Context, tx *tx, a service.Account) error {
		if a.Plan == service.Free {
			return service.ErrFreePlan
		}
		from := a.PlanExpires
		if a.Expired() {
			from = tx.now()
		}
		return beginPeriod(ctx, tx, a, period{renewedReason, credits[a.Plan], planEnd(from, a.Plan, days)}, c)
	})
}

// RenewUntil implements service.RenewalStore.
func (r *renewals) RenewUntil(
	ctx context.Context, account int64, until time.Time, days int, c service.Change,
) (service.Account, error) {
	return r.db.change(ctx, "set renewal", account, c, func(ctx context.Context, tx *tx, a service.Account) error {
		given, err := one(ctx, tx, scanOne[int], `SELECT plan_days FROM accounts WHERE id = ?`, a.ID)
		if err != nil {
			return err
		}
		by := cmp.Or(days, given)
		if !until.IsZero() {
			if a.Plan == service.Free {
				return service.ErrFreePlan
			}
			if begins, _ := service.NextPeriod(a.PlanExpires, tx.now(), by); !begins.Before(until) {
				return service.ErrNoRenewal
			}
		}
		return tx.exec(ctx, `UPDATE accounts SET renews_until = ?, plan_days = ? WHERE id = ?`, millis(until), by, a.ID)
	})
}

// RenewDue implements service.RenewalStore.
func (r *renewals) RenewDue(ctx context.Context, account int64, credits map[service.Plan]int64) (service.Account, error) {
	var c service.Change
	return r.db.change(ctx, "renew plan", account, c, func(ctx context.Context, tx *tx, a service.Account) error {
		if !a.RenewalDue { // another call was faster
			return nil
		}
		_, ends := service.NextPeriod(a.PlanExpires, tx.now(), a.RenewsBy)
		return beginPeriod(ctx, tx, a, period{renewedReason, credits[a.Plan], ends}, c)
	})
}

// RenewalsDue implements service.RenewalStore. Its condition is that of Account.RenewalDue.
func (r *renewals) RenewalsDue(ctx context.Context, after int64, limit int) ([]service.Account, error) {
	list, err := all(ctx, r.db.read, accountNow(r.db.read), `SELECT `+accountColumns+` FROM accounts a
		WHERE a.renews_until > 0 AND a.plan_expires BETWEEN 1 AND ?1 AND a.disabled = 0 AND a.id > ?2 AND `+live+`
			AND ?1 - (?1 - a.plan_expires) % (a.plan_days * ?3) < a.renews_until ORDER BY a.id LIMIT ?4`,
		millis(r.db.read.now()), after, (24 * time.Hour).Milliseconds(), limit)
	return list, fail("list renewals", err)
}
