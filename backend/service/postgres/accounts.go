package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/mailbox"
	"github.com/voicewright/voicewright/backend/service/rows"
)

// accountColumns are the columns of scanAccount, of the table accounts as a.
const accountColumns = rows.AccountColumns + `, service_millis()`

// lockAccount locks an account that is not deleted, for the rest of the transaction. What decides is read by the next statement, as this
// one may have waited.
const lockAccount = `SELECT a.id FROM accounts a WHERE a.id = $1 AND ` + rows.Live + ` FOR UPDATE`

// accountByID selects an account that is not deleted.
const accountByID = `SELECT ` + accountColumns + ` FROM accounts a WHERE a.id = $1 AND ` + rows.Live

// scanAccount reads an account as it is now.
func scanAccount(row rows.Scanner) (service.Account, error) {
	var r rows.Account
	var now int64
	if err := row.Scan(append(r.Dest(), &now)...); err != nil {
		return service.Account{}, err
	}
	return r.Value(now)
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
	err = db.patient().view(ctx, "find accounts", func(ctx context.Context, q querier) error {
		list, err = accountsByEmail(ctx, q, email)
		return err
	})
	return list, err
}

// addressesLike selects the addresses that may be the same as $1, which is folded. The server does not fold them as package mailbox does.
const addressesLike = `SELECT ` + rows.AddressColumns + ` FROM accounts a
	WHERE a.email <> '' AND service_email_key(a.email) IN ($1, '') AND ` + rows.Live

// accountsByEmail returns the accounts with an e-mail address.
func accountsByEmail(ctx context.Context, q querier, email string) ([]service.Account, error) {
	folded, ok := mailbox.Fold(email)
	if !ok {
		return nil, nil
	}
	addresses, err := all(ctx, q, rows.ScanAddress, addressesLike, folded)
	if err != nil {
		return nil, err
	}
	ids := rows.SameEmail(addresses, folded)
	if ids == nil {
		return nil, nil
	}
	return all(ctx, q, scanAccount, `SELECT `+accountColumns+` FROM accounts a WHERE a.id = ANY($1) AND `+rows.Live+` ORDER BY a.id`, ids)
}

// Accounts implements service.AccountStore.
func (db *DB) Accounts(ctx context.Context, after int64, limit int) (list []service.Account, err error) {
	err = db.patient().view(ctx, "list accounts", func(ctx context.Context, q querier) error {
		list, err = all(ctx, q, scanAccount,
			`SELECT `+accountColumns+` FROM accounts a WHERE a.id > $1 AND `+rows.Live+` ORDER BY a.id LIMIT $2`, after, limit)
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

// setPlan begins a new plan, which does not renew itself.
func setPlan(b *pgx.Batch, a service.Account, plan service.Plan, credits int64, days int, c service.Change, now int64) {
	b.Queue(`UPDATE accounts SET plan = $2, plan_days = $3, renews_until = 0 WHERE id = $1`, a.ID, plan, rows.RenewalDays(days))
	beginPeriod(b, a, rows.NewPlan(now, plan, credits, days), c, now)
}

// AddCredits implements service.AccountStore.
func (db *DB) AddCredits(ctx context.Context, account, n int64, c service.Change) (service.Account, error) {
	return db.change(ctx, "add credits", account, c, func(b *pgx.Batch, a service.Account, now int64) error {
		m, err := rows.Bought(a.ID, n, c)
		if err == nil {
			move(b, m, now)
		}
		return err
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
	if err != nil || !rows.ResetDue(a) {
		return a, false, err
	}
	a, err = db.change(ctx, "reset plan", account, service.Change{}, func(b *pgx.Batch, a service.Account, now int64) error {
		if reset = rows.ResetDue(a); reset { // else a purchase or another call was faster
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
	queue(b, &now, rows.One[int64], `SELECT service_millis()`)
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
	err = db.patient().update(ctx, "delete account", func(ctx context.Context, tx *tx) error {
		_, now, err := tx.lock(ctx, account)
		if err != nil {
			return err
		}
		held, err := all(ctx, tx, rows.ScanHeld, rows.HeldCalls+` AND c.account = $1`, account)
		if err != nil {
			return err
		}
		var a service.Account
		b := tx.batch()
		for _, h := range held {
			refund(b, h, rows.Deleted, c, now)
		}
		queue(b, &a, scanAccount, accountByID, account)
		if err := tx.send(ctx, b); err != nil {
			return err
		}
		files, err = all(ctx, tx, rows.One[string],
			`SELECT f.name FROM files f JOIN calls c ON c.seq = f.call WHERE c.account = $1 AND f.removed = 0`, account)
		if err != nil {
			return err
		}
		b = tx.batch()
		move(b, rows.Closed(a, c), now)
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
	b.Queue(`UPDATE files SET expires_at = $2
		WHERE expires_at > $2 AND removed = 0 AND call IN (SELECT seq FROM calls WHERE account = $1)`, account, now)
	for _, statement := range rows.Traces {
		b.Queue(statement+`$1`, account)
	}
}
