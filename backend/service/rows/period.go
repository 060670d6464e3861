package rows

import (
	"cmp"
	"time"

	"github.com/voicewright/voicewright/backend/service"
)

// Period is a time for which an account has the credits of its plan.
type Period struct {
	Reason        string // in the ledger
	Credits, Ends int64
}

// Begin returns the movement with which a period begins; the credits of the former one expire.
func (p Period) Begin(a service.Account, c service.Change) Movement {
	return Movement{
		Account: a.ID, Reason: p.Reason, Change: c, Plan: p.Credits - a.PlanCredits, Expired: a.PlanCredits, Granted: -p.Credits,
	}
}

// PlanEnd returns when a plan ends that begins at a time: never the free one.
func PlanEnd(begins int64, plan service.Plan, days int) int64 {
	if plan == service.Free {
		return 0
	}
	return begins + int64(days)*(24*time.Hour).Milliseconds()
}

// RenewalDays returns by how many days a plan renews itself that was given a number of days: one that was given none could not.
func RenewalDays(days int) int { return cmp.Or(max(days, 0), service.PlanDays) }

// ResetDue reports whether an account moves to the free plan: its plan has ended, and does not renew itself.
func ResetDue(a service.Account) bool { return a.Expired() && !a.RenewalDue }

// NewPlan returns the first period of a plan that an account is given.
func NewPlan(now int64, plan service.Plan, credits int64, days int) Period {
	return Period{Reason: "plan", Credits: credits, Ends: PlanEnd(now, plan, days)}
}

// Renew returns the period with which a plan is renewed once: from its end, from now where that has passed. Error: service.ErrFreePlan.
func Renew(a service.Account, now int64, credits map[service.Plan]int64, days int) (Period, error) {
	if a.Plan == service.Free {
		return Period{}, service.ErrFreePlan
	}
	from := Millis(a.PlanExpires)
	if a.Expired() {
		from = now
	}
	return Period{Reason: Renewed, Credits: credits[a.Plan], Ends: PlanEnd(from, a.Plan, days)}, nil
}

// RenewDue returns the period to which a plan renews itself: the one that contains now.
func RenewDue(a service.Account, now int64, credits map[service.Plan]int64) Period {
	_, ends := service.NextPeriod(a.PlanExpires, Time(now), a.RenewsBy)
	return Period{Reason: Renewed, Credits: credits[a.Plan], Ends: Millis(ends)}
}

// MayRenew returns whether a plan may renew itself by days until a time, zero for never. Errors: service.ErrFreePlan;
// service.ErrNoRenewal where no period begins before then.
func MayRenew(a service.Account, now int64, until time.Time, days int) error {
	if until.IsZero() {
		return nil
	}
	if a.Plan == service.Free {
		return service.ErrFreePlan
	}
	if begins, _ := service.NextPeriod(a.PlanExpires, Time(now), days); !begins.Before(until) {
		return service.ErrNoRenewal
	}
	return nil
}
