package sqlite

import (
	"context"
	"errors"
	"time"

	"github.com/voicewright/voicewright/backend/service"
)

// accountColumns are the columns of scanAccount, of the table accounts as a.
const accountColumns = `a.id, a.subject, a.email, a.plan, a.plan_expires, a.plan_credits, a.payg_credits, a.disabled,
	a.created_at, (SELECT count(*) FROM keys WHERE account = a.id AND revoked_at = 0),
	coalesce((SELECT payg_credits FROM calls WHERE account = a.id AND status = 'held'), 0)`

func scanAccount(row scanner) (service.Account, error) {
	var a service.Account
	var expires, created int64
	err := row.Scan(&a.ID, &a.Subject, &a.Email, &a.Plan, &expires, &a.PlanCredits, &a.PaygCredits, &a.Disabled, &created,
		&a.ActiveKeys, &a.PaygHeld)
	a.PlanExpires, a.CreatedAt = fromMillis(expires), fromMillis(created)
	return a, err
}

func accountBySubject(ctx context.Context, p preparer, subject string) (service.Account, error) {
	return one(ctx, p, scanAccount, `SELECT `+accountColumns+` FROM accounts a WHERE a.subject = ?`, subject)
}

// accountByID returns an account that is not deleted.
func accountByID(ctx context.Context, p preparer, id int64) (service.Account, error) {
	return one(ctx, p, scanAccount, `SELECT `+accountColumns+` FROM accounts a WHERE a.id = ? AND a.subject IS NOT NULL`, id)
}

// SignIn implements service.AccountStore.
func (db *DB) SignIn(
	ctx context.Context, subject, email string, baseline int64, now time.Time,
) (service.Account, error) {
	const op = "sign in"
	a, err := accountBySubject(ctx, db.read, subject)
	if err == nil && (email == "" || a.Email == email) {
		return a, nil
	}
	if err != nil && !errors.Is(err, service.ErrNotFound) {
		return service.Account{}, fail(op, err)
	}
	err = db.update(ctx, op, func(ctx context.Context, tx *tx) error {
		a, err = accountBySubject(ctx, tx, subject)
		switch {
		case errors.Is(err, service.ErrNotFound):
			err = createAccount(ctx, tx, subject, email, baseline, now)
		case err == nil && email != "":
			err = tx.exec(ctx, `UPDATE accounts SET email = ? WHERE id = ?`, email, a.ID)
		}
		if err != nil {
			return err
		}
		a, err = accountBySubject(ctx, tx, subject)
		return err
	})
	return a, err
}

func createAccount(ctx context.Context, tx *tx, subject, email string, baseline int64, now time.Time) error {
	result, err := tx.insert(ctx, `INSERT INTO accounts (subject, email, plan, created_at) VALUES (?, ?, ?, ?)`,
		subject, email, service.Free, millis(now))
	if err != nil {
		return err
	}
	id, err := result.LastInsertId()
	if err != nil {
		return err
	}
	return move(ctx, tx, movement{account: id, reason: "sign-in", at: now, plan: baseline, granted: -baseline})
}

// Account implements service.AccountStore.
func (db *DB) Account(ctx context.Context, subject string) (service.Account, error) {
	a, err := accountBySubject(ctx, db.read, subject)
	return a, fail("read account", err)
}

// Accounts implements service.AccountStore.
func (db *DB) Accounts(ctx context.Context, after string, limit int) ([]service.Account, error) {
	list, err := all(ctx, db.read, scanAccount,
		`SELECT `+accountColumns+` FROM accounts a WHERE a.subject > ? ORDER BY a.subject LIMIT ?`, after, limit)
	return list, fail("list accounts", err)
}

// SetPlan implements service.AccountStore.
func (db *DB) SetPlan(
	ctx context.Context, subject string, plan service.Plan, credits int64, expires, now time.Time,
) (service.Account, error) {
	return db.change(ctx, "set plan", subject, func(ctx context.Context, tx *tx, a service.Account) error {
		return setPlan(ctx, tx, a, plan, credits, expires, now)
	})
}

// setPlan begins a new plan: the credits of the former one expire.
func setPlan(
	ctx context.Context, tx *tx, a service.Account, plan service.Plan, credits int64, expires, now time.Time,
) error {
	err := tx.exec(ctx, `UPDATE accounts SET plan = ?, plan_expires = ?, plan_number = plan_number + 1 WHERE id = ?`,
		plan, millis(expires), a.ID)
	if err != nil {
		return err
	}
	return move(ctx, tx, movement{
		account: a.ID, reason: "plan", at: now, plan: credits - a.PlanCredits, expired: a.PlanCredits, granted: -credits,
	})
}

// AddCredits implements service.AccountStore.
func (db *DB) AddCredits(ctx context.Context, subject string, n int64, now time.Time) (service.Account, error) {
	return db.change(ctx, "add credits", subject, func(ctx context.Context, tx *tx, a service.Account) error {
		if n <= 0 {
			return errors.New("the number of credits is not positive")
		}
		return move(ctx, tx, movement{account: a.ID, reason: "payg", at: now, payg: n, granted: -n})
	})
}

// SetDisabled implements service.AccountStore.
func (db *DB) SetDisabled(
	ctx context.Context, subject string, disabled bool, _ time.Time,
) (service.Account, error) {
	return db.change(ctx, "disable account", subject, func(ctx context.Context, tx *tx, a service.Account) error {
		return tx.exec(ctx, `UPDATE accounts SET disabled = ? WHERE id = ?`, disabled, a.ID)
	})
}

// ResetExpired implements service.AccountStore.
func (db *DB) ResetExpired(
	ctx context.Context, subject string, baseline int64, now time.Time,
) (_ service.Account, reset bool, err error) {
	const op = "reset plan"
	a, err := accountBySubject(ctx, db.read, subject)
	if err != nil || !a.Expired(now) {
		return a, false, fail(op, err)
	}
	a, err = db.change(ctx, op, subject, func(ctx context.Context, tx *tx, a service.Account) error {
		if reset = a.Expired(now); !reset { // a purchase or another call was faster
			return nil
		}
		return setPlan(ctx, tx, a, service.Free, baseline, time.Time{}, now)
	})
	return a, reset && err == nil, err
}

// change runs f on an account and returns it as it is then.
func (db *DB) change(
	ctx context.Context, op, subject string, f func(ctx context.Context, tx *tx, a service.Account) error,
) (a service.Account, err error) {
	err = db.update(ctx, op, func(ctx context.Context, tx *tx) error {
		a, err = accountBySubject(ctx, tx, subject)
		if err != nil {
			return err
		}
		if err := f(ctx, tx, a); err != nil {
			return err
		}
		a, err = accountBySubject(ctx, tx, subject)
		return err
	})
	return a, err
}

// DeleteAccount implements service.AccountStore. A reservation that is held is refunded, and what is left of the balance
// expires. The index entries of its files stay and are expired, so that the sweeper removes what the caller does not.
func (db *DB) DeleteAccount(ctx context.Context, subject string, now time.Time) (files []string, err error) {
	err = db.update(ctx, "delete account", func(ctx context.Context, tx *tx) error {
		a, err := accountBySubject(ctx, tx, subject)
		if err != nil {
			return err
		}
		held, err := all(ctx, tx, scanHeld, heldCalls+` AND c.account = ?`, a.ID)
		if err != nil {
			return err
		}
		for _, h := range held {
			if err := refund(ctx, tx, h, "account deleted", now); err != nil {
				return err
			}
		}
		if a, err = accountBySubject(ctx, tx, subject); err != nil {
			return err
		}
		err = move(ctx, tx, movement{
			account: a.ID, reason: "account deleted", at: now, plan: -a.PlanCredits, payg: -a.PaygCredits, expired: a.Credits(),
		})
		if err != nil {
			return err
		}
		files, err = all(ctx, tx, scanOne[string],
			`SELECT f.name FROM files f JOIN calls c ON c.seq = f.call WHERE c.account = ? AND f.removed = 0`, a.ID)
		if err != nil {
			return err
		}
		return removeTraces(ctx, tx, a.ID, now)
	})
	return files, err
}

// removeTraces removes what is known of an account beside its sums.
func removeTraces(ctx context.Context, tx *tx, account int64, now time.Time) error {
	err := tx.exec(ctx, `UPDATE files SET expires_at = min(expires_at, ?)
		WHERE call IN (SELECT seq FROM calls WHERE account = ?)`, millis(now), account)
	if err != nil {
		return err
	}
	for _, statement := range []string{
		`DELETE FROM keys WHERE account = ?`,
		`DELETE FROM favourites WHERE account = ?`,
		`DELETE FROM rate_calls WHERE account = ?`,
		`UPDATE calls SET title = '', voice = '' WHERE account = ?`,
		`UPDATE accounts SET subject = NULL, email = '', plan = 'free', plan_expires = 0, plan_number = plan_number + 1 WHERE id = ?`,
	} {
		if err := tx.exec(ctx, statement, account); err != nil {
			return err
		}
	}
	return nil
}
