package postgres

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/mailbox"
)

// accountColumns are the columns of scanAccount, of the table accounts as a.
const accountColumns = `a.id, coalesce(a.subject, ''), a.email, a.email_unverified <> 0, a.access_groups, a.invited <> '', a.plan,
	CASE WHEN a.plan_expires > 0 AND a.plan_expires <= service_millis() THEN 'free' ELSE a.plan END,
	a.plan_expires, a.plan_credits, a.payg_credits, a.disabled <> 0, a.created_at, a.changed_by, a.changed_at,
	(SELECT count(*) FROM keys WHERE account = a.id AND revoked_at = 0),
	coalesce((SELECT payg_credits FROM calls WHERE account = a.id AND status = 'held'), 0),
	a.renews_until, CASE WHEN a.renews_until > 0 THEN a.plan_days ELSE 0 END, ` + renewalDue

// live holds for accounts, as a, that are not deleted.
const live = `(a.subject IS NOT NULL OR a.invited <> '')`

// lockAccount locks an account that is not deleted, for the rest of the transaction. What decides is read by the next statement, as this
// one may have waited.
const lockAccount = `SELECT a.id FROM accounts a WHERE a.id = $1 AND ` + live + ` FOR UPDATE`

// accountByID selects an account that is not deleted.
const accountByID = `SELECT ` + accountColumns + ` FROM accounts a WHERE a.id = $1 AND ` + live

func scanAccount(row scanner) (service.Account, error) {
	var r accountRow
	err := row.Scan(r.dest()...)
	if err != nil {
		return service.Account{}, err
	}
	return r.value()
}

// accountRow is a row of accountColumns.
type accountRow struct {
	account                           service.Account
	groups                            string
	expires, created, changed, renews int64
}

// dest returns where the columns go.
func (r *accountRow) dest() []any {
	a := &r.account
	return []any{
		&a.ID, &a.Subject, &a.Email, &a.EmailUnverified, &r.groups, &a.Invited, &a.Plan, &a.ActivePlan, &r.expires, &a.PlanCredits,
		&a.PaygCredits, &a.Disabled, &r.created, &a.ChangedBy, &r.changed, &a.ActiveKeys, &a.PaygHeld,
		&r.renews, &a.RenewsBy, &a.RenewalDue,
	}
}

func (r *accountRow) value() (a service.Account, err error) {
	a = r.account
	if r.groups != "" {
		err = json.Unmarshal([]byte(r.groups), &a.Groups)
	}
	a.PlanExpires, a.CreatedAt, a.ChangedAt = fromMillis(r.expires), fromMillis(r.created), fromMillis(r.changed)
	a.RenewsUntil = fromMillis(r.renews)
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

// Account implements service.AccountStore.
func (db *DB) Account(ctx context.Context, subject string) (a service.Account, err error) {
	err = db.view(ctx, "read account", func(ctx context.Context, q querier) error {
		a, err = accountBySubject(ctx, q, subject)
		return err
	})
	return a, err
}

func accountBySubject(ctx context.Context, q querier, subject string) (service.Account, error) {
	if !storable(subject) {
		return service.Account{}, service.ErrNotFound
	}
	return one(ctx, q, scanAccount, `SELECT `+accountColumns+` FROM accounts a WHERE a.subject = $1`, subject)
}

// AccountByID implements service.AccountStore.
func (db *DB) AccountByID(ctx context.Context, id int64) (a service.Account, err error) {
	err = db.view(ctx, "read account", func(ctx context.Context, q querier) error {
		a, err = one(ctx, q, scanAccount, accountByID, id)
		return err
	})
	return a, err
}

// AccountsByEmail implements service.AccountStore.
func (db *DB) AccountsByEmail(ctx context.Context, email string) (list []service.Account, err error) {
	err = db.view(ctx, "find accounts", func(ctx context.Context, q querier) error {
		list, err = accountsByEmail(ctx, q, email)
		return err
	})
	return list, err
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

// accountsByEmail reads every address, because the server does not fold them as mailbox does. Operators call it, not requests.
func accountsByEmail(ctx context.Context, q querier, email string) ([]service.Account, error) {
	folded, ok := mailbox.Fold(email)
	if !ok {
		return nil, nil
	}
	addresses, err := all(ctx, q, scanAddress, `SELECT a.id, a.email FROM accounts a WHERE a.email <> '' AND `+live)
	if err != nil {
		return nil, err
	}
	var ids []int64
	for _, known := range addresses {
		if other, ok := mailbox.Fold(known.email); ok && other == folded {
			ids = append(ids, known.id)
		}
	}
	if ids == nil {
		return nil, nil
	}
	return all(ctx, q, scanAccount, `SELECT `+accountColumns+` FROM accounts a WHERE a.id = ANY($1) AND `+live+` ORDER BY a.id`, ids)
}

// Accounts implements service.AccountStore.
func (db *DB) Accounts(ctx context.Context, after int64, limit int) (list []service.Account, err error) {
	err = db.view(ctx, "list accounts", func(ctx context.Context, q querier) error {
		list, err = all(ctx, q, scanAccount,
			`SELECT `+accountColumns+` FROM accounts a WHERE a.id > $1 AND `+live+` ORDER BY a.id LIMIT $2`, after, limit)
		return err
	})
	return list, err
}

// SetPlan implements service.AccountStore.
func (db *DB) SetPlan(
	ctx context.Context, account int64, plan service.Plan, credits int64, days int, c service.Change,
) (service.Account, error) {
	return db.change(ctx, "set plan", account, c, func(b *pgx.Batch, a service.Account, now int64) error {
		setPlan(b, a, plan, credits, days, c, now)
		return nil
	})
}

// expiry returns when a plan ends that begins now.
func expiry(plan service.Plan, days int, now int64) int64 {
	if plan == service.Free {
		return 0
	}
	return millis(fromMillis(now).AddDate(0, 0, days))
}

// setPlan begins a new plan, which does not renew itself.
func setPlan(b *pgx.Batch, a service.Account, plan service.Plan, credits int64, days int, c service.Change, now int64) {
	b.Queue(`UPDATE accounts SET plan = $2, plan_days = $3, renews_until = 0 WHERE id = $1`, a.ID, plan, renewalDays(days))
	beginPeriod(b, a, period{reason: "plan", credits: credits, ends: expiry(plan, days, now)}, c, now)
}

// AddCredits implements service.AccountStore.
func (db *DB) AddCredits(ctx context.Context, account, n int64, c service.Change) (service.Account, error) {
	return db.change(ctx, "add credits", account, c, func(b *pgx.Batch, a service.Account, now int64) error {
		if n <= 0 {
			return errors.New("the number of credits is not positive")
		}
		move(b, movement{at: now, account: a.ID, reason: "payg", change: c, payg: n, granted: -n})
		return nil
	})
}

// SetDisabled implements service.AccountStore.
func (db *DB) SetDisabled(ctx context.Context, account int64, disabled bool, c service.Change) (service.Account, error) {
	return db.change(ctx, "disable account", account, c, func(b *pgx.Batch, a service.Account, _ int64) error {
		b.Queue(`UPDATE accounts SET disabled = $2::boolean::int WHERE id = $1`, a.ID, disabled)
		return nil
	})
}

// ResetExpired implements service.AccountStore.
func (db *DB) ResetExpired(ctx context.Context, account, baseline int64) (_ service.Account, reset bool, err error) {
	a, err := db.AccountByID(ctx, account)
	if err != nil || !a.Expired() || a.RenewalDue {
		return a, false, err
	}
	a, err = db.change(ctx, "reset plan", account, service.Change{}, func(b *pgx.Batch, a service.Account, now int64) error {
		if reset = a.Expired() && !a.RenewalDue; reset { // else a purchase or another call was faster
			setPlan(b, a, service.Free, baseline, 0, service.Change{}, now)
		}
		return nil
	})
	return a, reset && err == nil, err
}

// change locks an account, sends the statements that f queues, and returns the account as it is then. It writes which operator changed
// it; what users and the service do has no operator.
func (s *server) change(
	ctx context.Context, op string, account int64, c service.Change, f func(b *pgx.Batch, a service.Account, now int64) error,
) (a service.Account, err error) {
	err = s.update(ctx, op, func(ctx context.Context, tx *tx) error {
		before, now, err := tx.lock(ctx, account)
		if err != nil {
			return err
		}
		b := tx.batch()
		if err := f(b, before, now); err != nil {
			return err
		}
		recordOperator(b, account, c, now)
		queue(b, &a, scanAccount, accountByID, account)
		return tx.send(ctx, b)
	})
	return a, err
}

// lock locks an account and returns it with the time of the server.
func (t *tx) lock(ctx context.Context, account int64) (a service.Account, now int64, err error) {
	b := t.batch()
	b.Queue(lockAccount, account)
	found := queue(b, &a, scanAccount, accountByID, account)
	queue(b, &now, scanOne[int64], `SELECT service_millis()`)
	if err := t.send(ctx, b); err != nil {
		return a, 0, err
	}
	if !*found {
		return a, 0, service.ErrNotFound
	}
	return a, now, nil
}

func recordOperator(b *pgx.Batch, account int64, c service.Change, now int64) {
	if c.Actor != "" {
		b.Queue(`UPDATE accounts SET changed_by = $2, changed_at = $3 WHERE id = $1`, account, text(c.Actor), now)
	}
}

// DeleteAccount implements service.AccountStore. A reservation that is held is refunded, and what is left of the balance
// expires. The index entries of its files stay and are expired, so that the sweeper removes what the caller does not.
func (db *DB) DeleteAccount(ctx context.Context, account int64, c service.Change) (files []string, err error) {
	err = db.update(ctx, "delete account", func(ctx context.Context, tx *tx) error {
		_, now, err := tx.lock(ctx, account)
		if err != nil {
			return err
		}
		held, err := all(ctx, tx, scanHeld, heldCalls+` AND c.account = $1`, account)
		if err != nil {
			return err
		}
		var a service.Account
		b := tx.batch()
		for _, h := range held {
			refund(b, h, "account deleted", c, now)
		}
		queue(b, &a, scanAccount, accountByID, account)
		if err := tx.send(ctx, b); err != nil {
			return err
		}
		files, err = all(ctx, tx, scanOne[string],
			`SELECT f.name FROM files f JOIN calls c ON c.seq = f.call WHERE c.account = $1 AND f.removed = 0`, account)
		if err != nil {
			return err
		}
		b = tx.batch()
		move(b, movement{
			at: now, account: a.ID, reason: "account deleted", change: c, plan: -a.PlanCredits, payg: -a.PaygCredits, expired: a.Credits(),
		})
		removeTraces(b, account, now)
		recordOperator(b, account, c, now)
		return tx.send(ctx, b)
	})
	if err != nil {
		return nil, err
	}
	return files, nil
}

// removeTraces removes what is known of an account beside its sums.
func removeTraces(b *pgx.Batch, account, now int64) {
	b.Queue(`UPDATE files SET expires_at = least(expires_at, $2) WHERE call IN (SELECT seq FROM calls WHERE account = $1)`, account, now)
	for _, statement := range []string{
		`DELETE FROM keys WHERE account = $1`,
		`DELETE FROM idempotency_keys WHERE account = $1`,
		`DELETE FROM favourites WHERE account = $1`,
		`DELETE FROM rate_calls WHERE account = $1`,
		`UPDATE calls SET title = '', voice = '' WHERE account = $1`,
		`UPDATE ledger SET note = '' WHERE account = $1 AND note <> ''`,
		`UPDATE accounts SET subject = NULL, email = '', email_unverified = 0, access_groups = '', invited = '', plan = 'free',
			plan_expires = 0, plan_number = plan_number + 1, renews_until = 0 WHERE id = $1`,
	} {
		b.Queue(statement, account)
	}
}
