package sqlite

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/mailbox"
)

// accountColumns are the columns of scanAccount, of the table accounts as a.
const accountColumns = `a.id, coalesce(a.subject, ''), a.email, a.email_unverified, a.access_groups, a.invited <> '', a.plan,
	a.plan_expires, a.plan_credits, a.payg_credits, a.disabled, a.created_at, a.changed_by, a.changed_at,
	(SELECT count(*) FROM keys WHERE account = a.id AND revoked_at = 0),
	coalesce((SELECT payg_credits FROM calls WHERE account = a.id AND status = 'held'), 0), a.renews_until, a.plan_days`

// live holds for accounts, as a, that are not deleted.
const live = `(a.subject IS NOT NULL OR a.invited <> '')`

// scanAccount reads an account as it is now.
func scanAccount(row scanner, now time.Time) (service.Account, error) {
	var a service.Account
	var groups string
	var expires, created, changed, renews int64
	var days int
	err := row.Scan(&a.ID, &a.Subject, &a.Email, &a.EmailUnverified, &groups, &a.Invited, &a.Plan, &expires, &a.PlanCredits,
		&a.PaygCredits, &a.Disabled, &created, &a.ChangedBy, &changed, &a.ActiveKeys, &a.PaygHeld, &renews, &days)
	if err != nil {
		return service.Account{}, err
	}
	if groups != "" {
		err = json.Unmarshal([]byte(groups), &a.Groups)
	}
	a.PlanExpires, a.CreatedAt, a.ChangedAt = fromMillis(expires), fromMillis(created), fromMillis(changed)
	if a.ActivePlan = a.Plan; expires != 0 && expires <= millis(now) {
		a.ActivePlan = service.Free
	}
	if renews != 0 {
		a.RenewsUntil, a.RenewsBy = fromMillis(renews), days
		begins, _ := service.NextPeriod(a.PlanExpires, now, days)
		a.RenewalDue = a.Expired() && !a.Disabled && begins.Before(a.RenewsUntil)
	}
	return a, err
}

// groupsColumn returns groups as they are stored.
func groupsColumn(groups []string) (string, error) {
	if len(groups) == 0 {
		return "", nil
	}
	raw, err := json.Marshal(groups)
	return string(raw), err
}

// accountNow returns what reads accounts as they are now.
func accountNow(p preparer) func(scanner) (service.Account, error) {
	now := p.now()
	return func(row scanner) (service.Account, error) { return scanAccount(row, now) }
}

func accountBySubject(ctx context.Context, p preparer, subject string) (service.Account, error) {
	return one(ctx, p, accountNow(p), `SELECT `+accountColumns+` FROM accounts a WHERE a.subject = ?`, subject)
}

// accountByID returns an account that is not deleted.
func accountByID(ctx context.Context, p preparer, id int64) (service.Account, error) {
	return one(ctx, p, accountNow(p), `SELECT `+accountColumns+` FROM accounts a WHERE a.id = ? AND `+live, id)
}

// Account implements service.AccountStore.
func (db *DB) Account(ctx context.Context, subject string) (service.Account, error) {
	a, err := accountBySubject(ctx, db.read, subject)
	return a, fail("read account", err)
}

// AccountByID implements service.AccountStore.
func (db *DB) AccountByID(ctx context.Context, id int64) (service.Account, error) {
	a, err := accountByID(ctx, db.read, id)
	return a, fail("read account", err)
}

// AccountsByEmail implements service.AccountStore.
func (db *DB) AccountsByEmail(ctx context.Context, email string) ([]service.Account, error) {
	list, err := accountsByEmail(ctx, db.read, email)
	return list, fail("find accounts", err)
}

// address is the e-mail address of an account.
type address struct {
	id    int64
	email string
}

func scanAddress(row scanner) (found address, err error) {
	err = row.Scan(&found.id, &found.email)
	return found, err
}

// accountsByEmail reads every address, because SQLite knows lower case in ASCII only. Operators call it, not requests.
func accountsByEmail(ctx context.Context, p preparer, email string) ([]service.Account, error) {
	folded, ok := mailbox.Fold(email)
	if !ok {
		return nil, nil
	}
	addresses, err := all(ctx, p, scanAddress, `SELECT a.id, a.email FROM accounts a WHERE a.email <> '' AND `+live+` ORDER BY a.id`)
	if err != nil {
		return nil, err
	}
	var list []service.Account
	for _, known := range addresses {
		if other, ok := mailbox.Fold(known.email); !ok || other != folded {
			continue
		}
		a, err := accountByID(ctx, p, known.id)
		if errors.Is(err, service.ErrNotFound) { // it was deleted meanwhile
			continue
		}
		if err != nil {
			return nil, err
		}
		list = append(list, a)
	}
	return list, nil
}

// Accounts implements service.AccountStore.
func (db *DB) Accounts(ctx context.Context, after int64, limit int) ([]service.Account, error) {
	list, err := all(ctx, db.read, accountNow(db.read),
		`SELECT `+accountColumns+` FROM accounts a WHERE a.id > ? AND `+live+` ORDER BY a.id LIMIT ?`, after, limit)
	return list, fail("list accounts", err)
}

// SetPlan implements service.AccountStore.
func (db *DB) SetPlan(
	ctx context.Context, account int64, plan service.Plan, credits int64, days int, c service.Change,
) (service.Account, error) {
	return db.change(ctx, "set plan", account, c, func(ctx context.Context, tx *tx, a service.Account) error {
		return setPlan(ctx, tx, a, plan, credits, days, c)
	})
}

// planEnd returns when a plan that begins now ends: never for the free one.
func planEnd(now time.Time, plan service.Plan, days int) time.Time {
	if plan == service.Free {
		return time.Time{}
	}
	return now.Add(time.Duration(days) * 24 * time.Hour)
}

// setPlan begins a new plan, which does not renew itself.
func setPlan(
	ctx context.Context, tx *tx, a service.Account, plan service.Plan, credits int64, days int, c service.Change,
) error {
	err := tx.exec(ctx, `UPDATE accounts SET plan = ?, plan_days = ?, renews_until = 0 WHERE id = ?`, plan, renewalDays(days), a.ID)
	if err != nil {
		return err
	}
	return beginPeriod(ctx, tx, a, period{reason: "plan", credits: credits, ends: planEnd(tx.now(), plan, days)}, c)
}

// AddCredits implements service.AccountStore.
func (db *DB) AddCredits(ctx context.Context, account, n int64, c service.Change) (service.Account, error) {
	return db.change(ctx, "add credits", account, c, func(ctx context.Context, tx *tx, a service.Account) error {
		if n <= 0 {
			return errors.New("the number of credits is not positive")
		}
		return move(ctx, tx, movement{account: a.ID, reason: "payg", change: c, payg: n, granted: -n})
	})
}

// SetDisabled implements service.AccountStore.
func (db *DB) SetDisabled(
	ctx context.Context, account int64, disabled bool, c service.Change,
) (service.Account, error) {
	return db.change(ctx, "disable account", account, c, func(ctx context.Context, tx *tx, a service.Account) error {
		return tx.exec(ctx, `UPDATE accounts SET disabled = ? WHERE id = ?`, disabled, a.ID)
	})
}

// ResetExpired implements service.AccountStore.
func (db *DB) ResetExpired(
	ctx context.Context, account, baseline int64,
) (_ service.Account, reset bool, err error) {
	const op = "reset plan"
	a, err := accountByID(ctx, db.read, account)
	if err != nil || !a.Expired() || a.RenewalDue {
		return a, false, fail(op, err)
	}
	var c service.Change
	a, err = db.change(ctx, op, account, c, func(ctx context.Context, tx *tx, a service.Account) error {
		if reset = a.Expired() && !a.RenewalDue; !reset { // a purchase or another call was faster
			return nil
		}
		return setPlan(ctx, tx, a, service.Free, baseline, 0, c)
	})
	return a, reset && err == nil, err
}

// change runs f on an account, writes which operator changed it, and returns it as it is then.
func (db *DB) change(
	ctx context.Context, op string, account int64, c service.Change, f func(ctx context.Context, tx *tx, a service.Account) error,
) (a service.Account, err error) {
	err = db.update(ctx, op, func(ctx context.Context, tx *tx) error {
		a, err = accountByID(ctx, tx, account)
		if err != nil {
			return err
		}
		if err := f(ctx, tx, a); err != nil {
			return err
		}
		if err := recordOperator(ctx, tx, account, c); err != nil {
			return err
		}
		a, err = accountByID(ctx, tx, account)
		return err
	})
	return a, err
}

// recordOperator writes which operator changed an account, and when. What users and the service do has no operator.
func recordOperator(ctx context.Context, tx *tx, account int64, c service.Change) error {
	if c.Actor == "" {
		return nil
	}
	return tx.exec(ctx, `UPDATE accounts SET changed_by = ?, changed_at = ? WHERE id = ?`, c.Actor, millis(tx.now()), account)
}

// DeleteAccount implements service.AccountStore. A reservation that is held is refunded, and what is left of the balance
// expires. The index entries of its files stay and are expired, so that the sweeper removes what the caller does not.
func (db *DB) DeleteAccount(ctx context.Context, account int64, c service.Change) (files []string, err error) {
	err = db.update(ctx, "delete account", func(ctx context.Context, tx *tx) error {
		if _, err := accountByID(ctx, tx, account); err != nil {
			return err
		}
		held, err := all(ctx, tx, scanHeld, heldCalls+` AND c.account = ?`, account)
		if err != nil {
			return err
		}
		for _, h := range held {
			if err := refund(ctx, tx, h, "account deleted", c); err != nil {
				return err
			}
		}
		a, err := accountByID(ctx, tx, account)
		if err != nil {
			return err
		}
		err = move(ctx, tx, movement{
			account: a.ID, reason: "account deleted", change: c, plan: -a.PlanCredits, payg: -a.PaygCredits, expired: a.Credits(),
		})
		if err != nil {
			return err
		}
		files, err = all(ctx, tx, scanOne[string],
			`SELECT f.name FROM files f JOIN calls c ON c.seq = f.call WHERE c.account = ? AND f.removed = 0`, account)
		if err != nil {
			return err
		}
		if err := removeTraces(ctx, tx, account); err != nil {
			return err
		}
		return recordOperator(ctx, tx, account, c)
	})
	return files, err
}

// removeTraces removes what is known of an account beside its sums.
func removeTraces(ctx context.Context, tx *tx, account int64) error {
	err := tx.exec(ctx, `UPDATE files SET expires_at = min(expires_at, ?)
		WHERE call IN (SELECT seq FROM calls WHERE account = ?)`, millis(tx.now()), account)
	if err != nil {
		return err
	}
	for _, statement := range []string{
		`DELETE FROM keys WHERE account = ?`,
		`DELETE FROM idempotency_keys WHERE account = ?`,
		`DELETE FROM favourites WHERE account = ?`,
		`DELETE FROM rate_calls WHERE account = ?`,
		`UPDATE calls SET title = '', voice = '' WHERE account = ?`,
		`UPDATE ledger SET note = '' WHERE account = ? AND note <> ''`,
		`UPDATE accounts SET subject = NULL, email = '', email_unverified = 0, access_groups = '', invited = '', plan = 'free',
			plan_expires = 0, plan_number = plan_number + 1, renews_until = 0 WHERE id = ?`,
	} {
		if err := tx.exec(ctx, statement, account); err != nil {
			return err
		}
	}
	return nil
}
