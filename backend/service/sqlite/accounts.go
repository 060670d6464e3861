package sqlite

import (
	"context"
	"errors"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/mailbox"
	"github.com/voicewright/voicewright/backend/service/rows"
)

// scanAccount reads an account as it is at a time.
func scanAccount(row rows.Scanner, now int64) (service.Account, error) {
	var r rows.Account
	if err := row.Scan(r.Dest()...); err != nil {
		return service.Account{}, err
	}
	return r.Value(now)
}

// accountNow returns what reads accounts as they are now.
func accountNow(p preparer) func(rows.Scanner) (service.Account, error) {
	now := rows.Millis(p.now())
	return func(row rows.Scanner) (service.Account, error) { return scanAccount(row, now) }
}

func accountBySubject(ctx context.Context, p preparer, subject string) (service.Account, error) {
	return one(ctx, p, accountNow(p), `SELECT `+rows.AccountColumns+` FROM accounts a WHERE a.subject = ?`, subject)
}

// accountByID returns an account that is not deleted.
func accountByID(ctx context.Context, p preparer, id int64) (service.Account, error) {
	return one(ctx, p, accountNow(p), `SELECT `+rows.AccountColumns+` FROM accounts a WHERE a.id = ? AND `+rows.Live, id)
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

// accountsByEmail reads every address, see rows.SameEmail. Operators call it, not requests.
func accountsByEmail(ctx context.Context, p preparer, email string) ([]service.Account, error) {
	folded, ok := mailbox.Fold(email)
	if !ok {
		return nil, nil
	}
	addresses, err := all(ctx, p, rows.ScanAddress,
		`SELECT `+rows.AddressColumns+` FROM accounts a WHERE a.email <> '' AND `+rows.Live+` ORDER BY a.id`)
	if err != nil {
		return nil, err
	}
	var list []service.Account
	for _, id := range rows.SameEmail(addresses, folded) {
		a, err := accountByID(ctx, p, id)
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
		`SELECT `+rows.AccountColumns+` FROM accounts a WHERE a.id > ? AND `+rows.Live+` ORDER BY a.id LIMIT ?`, after, limit)
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

// setPlan begins a new plan, which does not renew itself.
func setPlan(
	ctx context.Context, tx *tx, a service.Account, plan service.Plan, credits int64, days int, c service.Change,
) error {
	err := tx.exec(ctx, `UPDATE accounts SET plan = ?, plan_days = ?, renews_until = 0 WHERE id = ?`, plan, rows.RenewalDays(days), a.ID)
	if err != nil {
		return err
	}
	return beginPeriod(ctx, tx, a, rows.NewPlan(rows.Millis(tx.now()), plan, credits, days), c)
}

// AddCredits implements service.AccountStore.
func (db *DB) AddCredits(ctx context.Context, account, n int64, c service.Change) (service.Account, error) {
	return db.change(ctx, "add credits", account, c, func(ctx context.Context, tx *tx, a service.Account) error {
		m, err := rows.Bought(a.ID, n, c)
		if err != nil {
			return err
		}
		return move(ctx, tx, m)
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
	if err != nil || !rows.ResetDue(a) {
		return a, false, fail(op, err)
	}
	var c service.Change
	a, err = db.change(ctx, op, account, c, func(ctx context.Context, tx *tx, a service.Account) error {
		if reset = rows.ResetDue(a); !reset { // a purchase or another call was faster
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
	return tx.exec(ctx, `UPDATE accounts SET changed_by = ?, changed_at = ? WHERE id = ?`, c.Actor, rows.Millis(tx.now()), account)
}

// DeleteAccount implements service.AccountStore. A reservation that is held is refunded, and what is left of the balance
// expires. The index entries of its files stay and are expired, so that the sweeper removes what the caller does not.
func (db *DB) DeleteAccount(ctx context.Context, account int64, c service.Change) (files []string, err error) {
	err = db.update(ctx, "delete account", func(ctx context.Context, tx *tx) error {
		if _, err := accountByID(ctx, tx, account); err != nil {
			return err
		}
		held, err := all(ctx, tx, rows.ScanHeld, rows.HeldCalls+` AND c.account = ?`, account)
		if err != nil {
			return err
		}
		for _, h := range held {
			if err := refund(ctx, tx, h, rows.Deleted, c); err != nil {
				return err
			}
		}
		a, err := accountByID(ctx, tx, account)
		if err != nil {
			return err
		}
		if err := move(ctx, tx, rows.Closed(a, c)); err != nil {
			return err
		}
		files, err = all(ctx, tx, rows.One[string],
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
		WHERE call IN (SELECT seq FROM calls WHERE account = ?)`, rows.Millis(tx.now()), account)
	if err != nil {
		return err
	}
	for _, statement := range rows.Traces {
		if err := tx.exec(ctx, statement+`?`, account); err != nil {
			return err
		}
	}
	return nil
}
