package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/mailbox"
	"github.com/voicewright/voicewright/backend/service/rows"
)

// SignIn implements service.AccountStore.
func (db *DB) SignIn(ctx context.Context, in service.SignIn) (a service.Account, err error) {
	const op = "sign in"
	if !storable(in.Subject) {
		return a, errors.New("sign in: the subject cannot be stored")
	}
	in.Email = text(in.Email)
	known := false
	err = db.view(ctx, op, func(ctx context.Context, q querier) error {
		a, err = accountBySubject(ctx, q, in.Subject)
		_, differs := rows.Describe(a, in.Identity)
		if known = err == nil && !differs; known || !errors.Is(err, service.ErrNotFound) || in.Admitted {
			return ignoreNotFound(err)
		}
		// Whoever has no access costs no write, however often.
		_, err := one(ctx, q, rows.One[int64], waiting+` AND $1 <> ''`, rows.WaitingFor(in.Identity))
		return rows.NotAdmitted(err)
	})
	if known || err != nil {
		return a, err
	}
	err = db.unique(ctx, op, func(ctx context.Context, tx *tx) error {
		if err := lockEmail(ctx, tx, in.Email); err != nil {
			return err
		}
		a, err = one(ctx, tx, scanAccount, `SELECT `+accountColumns+` FROM accounts a WHERE a.subject = $1 FOR UPDATE`, in.Subject)
		if errors.Is(err, service.ErrNotFound) {
			a, err = firstSignIn(ctx, tx, in)
		}
		described, differs := rows.Describe(a, in.Identity)
		if err != nil || !differs {
			return err
		}
		a, err = describe(ctx, tx, described)
		return err
	})
	if err != nil {
		return service.Account{}, err
	}
	return a, nil
}

// unique is update where another process may insert the same at the same time: then the transaction runs once more, and finds it.
func (s *server) unique(ctx context.Context, op string, f func(ctx context.Context, tx *tx) error) (err error) {
	for range 3 {
		if err = s.update(ctx, op, f); sqlState(err) != uniqueViolation {
			break
		}
	}
	return err
}

func ignoreNotFound(err error) error {
	if errors.Is(err, service.ErrNotFound) {
		return nil
	}
	return err
}

// lockEmail makes accounts of one e-mail address wait for each other until the transaction ends.
func lockEmail(ctx context.Context, tx *tx, email string) error {
	folded, ok := mailbox.Fold(email)
	if !ok {
		return nil
	}
	return tx.exec(ctx, `SELECT pg_advisory_xact_lock($1, hashtext($2))`, emailLock, folded)
}

// describe stores what a token said of the user of an account.
func describe(ctx context.Context, tx *tx, a service.Account) (service.Account, error) {
	groups, err := rows.Groups(a.Groups)
	if err != nil {
		return a, err
	}
	b := tx.batch()
	b.Queue(`UPDATE accounts SET email = $2, email_unverified = $3::boolean::int, access_groups = $4 WHERE id = $1`,
		a.ID, a.Email, a.EmailUnverified, groups)
	queue(b, &a, scanAccount, accountByID, a.ID)
	return a, tx.send(ctx, b)
}

// firstSignIn returns the account that waits for the user, else a new one.
func firstSignIn(ctx context.Context, tx *tx, in service.SignIn) (a service.Account, err error) {
	id, err := one(ctx, tx, rows.One[int64], waiting+` AND $1 <> '' FOR UPDATE`, rows.WaitingFor(in.Identity))
	b := tx.batch()
	switch {
	case err == nil:
		b.Queue(`UPDATE accounts SET subject = $2, invited = $3 WHERE id = $1`, id, in.Subject, rows.Taken)
	case !in.Admitted:
		return a, rows.NotAdmitted(err)
	case errors.Is(err, service.ErrNotFound):
		id, err = createFree(ctx, tx, b, in)
	}
	if err != nil {
		return a, err
	}
	queue(b, &a, scanAccount, accountByID, id)
	return a, tx.send(ctx, b)
}

// waiting selects the id of the account that was made for a folded e-mail address.
const waiting = `SELECT id FROM accounts WHERE invited = $1 AND subject IS NULL`

// made is an account that was inserted, and when.
type made struct{ id, at int64 }

func scanMade(row rows.Scanner) (m made, err error) {
	err = row.Scan(&m.id, &m.at)
	return m, err
}

// createFree makes the account of a user who signs in for the first time.
func createFree(ctx context.Context, tx *tx, b *pgx.Batch, in service.SignIn) (int64, error) {
	m, err := one(ctx, tx, scanMade, `INSERT INTO accounts (subject, plan, created_at) VALUES ($1, $2, service_millis())
		RETURNING id, created_at`, in.Subject, service.Free)
	if err != nil {
		return 0, err
	}
	move(b, rows.SignedUp(m.id, in.Baseline), m.at)
	return m.id, nil
}

// CreateAccount implements service.AccountStore.
func (db *DB) CreateAccount(ctx context.Context, n service.NewAccount, c service.Change) (a service.Account, err error) {
	err = db.patient().unique(ctx, "create account", func(ctx context.Context, tx *tx) error {
		folded, ok := mailbox.Fold(n.Email)
		if !ok || !storable(folded) {
			return errors.New("the e-mail address is not valid")
		}
		if err := lockEmail(ctx, tx, folded); err != nil {
			return err
		}
		others, err := accountsByEmail(ctx, tx, folded)
		if err != nil {
			return err
		}
		if err := rows.EmailTaken(others); err != nil {
			return err
		}
		a, err = insertInvited(ctx, tx, n, folded, c)
		return err
	})
	return a, err
}

// insertInvited makes an account that waits for the user with an e-mail address.
func insertInvited(ctx context.Context, tx *tx, n service.NewAccount, folded string, c service.Change) (a service.Account, err error) {
	m, err := one(ctx, tx, scanMade, `INSERT INTO accounts (email, invited, plan, created_at) VALUES ($1, $2, $3, service_millis())
		RETURNING id, created_at`, n.Email, folded, n.Plan)
	if err != nil {
		return a, err
	}
	b := tx.batch()
	b.Queue(`UPDATE accounts SET plan_expires = $2, plan_days = $3 WHERE id = $1`,
		m.id, rows.PlanEnd(m.at, n.Plan, n.Days), rows.RenewalDays(n.Days))
	recordOperator(b, m.id, c, m.at)
	move(b, rows.Created(m.id, n, c), m.at)
	queue(b, &a, scanAccount, accountByID, m.id)
	return a, tx.send(ctx, b)
}
