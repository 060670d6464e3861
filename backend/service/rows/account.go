package rows

import (
	"encoding/json"

	"github.com/voicewright/voicewright/backend/service"
)

// Live holds for accounts, as a, that are not deleted.
const Live = `(a.subject IS NOT NULL OR a.invited <> '')`

// AccountColumns are the columns of Account, of the table accounts as a.
const AccountColumns = `a.id, coalesce(a.subject, ''), a.email, a.email_unverified <> 0, a.access_groups, a.invited <> '', a.plan,
	a.plan_expires, a.plan_credits, a.payg_credits, a.disabled <> 0, a.created_at, a.changed_by, a.changed_at,
	(SELECT count(*) FROM keys WHERE account = a.id AND revoked_at = 0),
	coalesce((SELECT payg_credits FROM calls WHERE account = a.id AND status = 'held'), 0), a.renews_until, a.plan_days`

// Account is a row of AccountColumns.
type Account struct {
	account                           service.Account
	groups                            string
	expires, created, changed, renews int64
	days                              int
}

// Dest returns where the columns go.
func (r *Account) Dest() []any {
	a := &r.account
	return []any{
		&a.ID, &a.Subject, &a.Email, &a.EmailUnverified, &r.groups, &a.Invited, &a.Plan, &r.expires, &a.PlanCredits, &a.PaygCredits,
		&a.Disabled, &r.created, &a.ChangedBy, &r.changed, &a.ActiveKeys, &a.PaygHeld, &r.renews, &r.days,
	}
}

// Value returns the account as it is at a time.
func (r *Account) Value(now int64) (a service.Account, err error) {
	a = r.account
	if r.groups != "" {
		err = json.Unmarshal([]byte(r.groups), &a.Groups)
	}
	a.PlanExpires, a.CreatedAt, a.ChangedAt = Time(r.expires), Time(r.created), Time(r.changed)
	if a.ActivePlan = a.Plan; r.expires != 0 && r.expires <= now {
		a.ActivePlan = service.Free
	}
	if r.renews != 0 {
		a.RenewsUntil, a.RenewsBy = Time(r.renews), r.days
		begins, _ := service.NextPeriod(a.PlanExpires, Time(now), r.days)
		a.RenewalDue = a.Expired() && !a.Disabled && begins.Before(a.RenewsUntil)
	}
	return a, err
}

// Groups returns the column of an account's groups.
func Groups(groups []string) (string, error) {
	if len(groups) == 0 {
		return "", nil
	}
	raw, err := json.Marshal(groups)
	return string(raw), err
}

// Traces are the statements that remove what is known of an account beside its sums. Each ends before the parameter of its ID.
var Traces = []string{
	`DELETE FROM keys WHERE account = `,
	`DELETE FROM idempotency_keys WHERE account = `,
	`DELETE FROM favourites WHERE account = `,
	`DELETE FROM rate_calls WHERE account = `,
	`UPDATE calls SET title = '', voice = '' WHERE (title <> '' OR voice <> '') AND account = `,
	`UPDATE ledger SET note = '' WHERE note <> '' AND account = `,
	`UPDATE accounts SET subject = NULL, email = '', email_unverified = 0, access_groups = '', invited = '', plan = 'free',
		plan_expires = 0, plan_number = plan_number + 1, renews_until = 0 WHERE id = `,
}
