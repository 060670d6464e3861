package sqlite

import (
	"context"
	"errors"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/mailbox"
	"github.com/voicewright/voicewright/backend/service/rows"
)

// SignIn implements service.AccountStore.
func (db *DB) SignIn(ctx context.Context, in service.SignIn) (service.Account, error) {
	const op = "sign in"
	a, err := accountBySubject(ctx, db.read, in.Subject)
	if _, differs := rows.Describe(a, in.Identity); err == nil && !differs {
		return a, nil
	}
	if errors.Is(err, service.ErrNotFound) && !in.Admitted {
		// Whoever has no access costs no write, however often.
		if _, err := waiting(ctx, db.read, in.Identity); err != nil {
			return service.Account{}, fail(op, rows.NotAdmitted(err))
		}
	} else if err != nil && !errors.Is(err, service.ErrNotFound) {
		return service.Account{}, fail(op, err)
	}
	err = db.update(ctx, op, func(ctx context.Context, tx *tx) error {
		a, err = accountBySubject(ctx, tx, in.Subject)
		if errors.Is(err, service.ErrNotFound) {
			a, err = firstSignIn(ctx, tx, in)
		}
		described, differs := rows.Describe(a, in.Identity)
		if err != nil || !differs {
			return err
		}
		if err := describe(ctx, tx, described); err != nil {
			return err
		}
		a, err = accountByID(ctx, tx, a.ID)
		return err
	})
	return a, err
}

// describe stores what a token said of the user of an account.
func describe(ctx context.Context, tx *tx, a service.Account) error {
	groups, err := rows.Groups(a.Groups)
	if err != nil {
		return err
	}
	return tx.exec(ctx, `UPDATE accounts SET email = ?, email_unverified = ?, access_groups = ? WHERE id = ?`,
		a.Email, a.EmailUnverified, groups, a.ID)
}

// firstSignIn returns the account that waits for the user, else a new one.
func firstSignIn(ctx context.Context, tx *tx, in service.SignIn) (service.Account, error) {
	id, err := waiting(ctx, tx, in.Identity)
	switch {
	case err == nil:
		err = tx.exec(ctx, `UPDATE accounts SET subject = ?, invited = ? WHERE id = ?`, in.Subject, rows.Taken, id)
	case !in.Admitted:
		err = rows.NotAdmitted(err)
	case errors.Is(err, service.ErrNotFound):
		id, err = createFree(ctx, tx, in)
	}
	if err != nil {
		return service.Account{}, err
	}
	return accountByID(ctx, tx, id)
}

// waiting returns the id of the account that was made for the verified e-mail address of a user. Error: service.ErrNotFound where
// none waits.
func waiting(ctx context.Context, p preparer, who service.Identity) (int64, error) {
	email := rows.WaitingFor(who)
	if email == "" {
		return 0, service.ErrNotFound
	}
	return one(ctx, p, rows.One[int64], `SELECT id FROM accounts WHERE invited = ? AND subject IS NULL`, email)
}

// createFree makes the account of a user who signs in for the first time.
func createFree(ctx context.Context, tx *tx, in service.SignIn) (int64, error) {
	id, err := tx.insert(ctx, `INSERT INTO accounts (subject, plan, created_at) VALUES (?, ?, ?)`,
		in.Subject, service.Free, rows.Millis(tx.now()))
	if err != nil {
		return 0, err
	}
	return id, move(ctx, tx, rows.SignedUp(id, in.Baseline))
}

// CreateAccount implements service.AccountStore.
func (db *DB) CreateAccount(ctx context.Context, n service.NewAccount, c service.Change) (a service.Account, err error) {
	err = db.update(ctx, "create account", func(ctx context.Context, tx *tx) error {
		folded, ok := mailbox.Fold(n.Email)
		if !ok {
			return errors.New("the e-mail address is not valid")
		}
		others, err := accountsByEmail(ctx, tx, folded)
		if err != nil {
			return err
		}
		if err := rows.EmailTaken(others); err != nil {
			return err
		}
		id, err := insertInvited(ctx, tx, n, folded, c)
		if err != nil {
			return err
		}
		a, err = accountByID(ctx, tx, id)
		return err
	})
	return a, err
}

// insertInvited makes an account that waits for the user with an e-mail address.
func insertInvited(ctx context.Context, tx *tx, n service.NewAccount, folded string, c service.Change) (int64, error) {
	now := rows.Millis(tx.now())
	id, err := tx.insert(ctx, `INSERT INTO accounts (email, invited, plan, plan_expires, plan_days, created_at)
		VALUES (?, ?, ?, ?, ?, ?)`,
		n.Email, folded, n.Plan, rows.PlanEnd(now, n.Plan, n.Days), rows.RenewalDays(n.Days), now)
	if err != nil {
		return 0, err
	}
	if err := recordOperator(ctx, tx, id, c); err != nil {
		return 0, err
	}
	return id, move(ctx, tx, rows.Created(id, n, c))
}
