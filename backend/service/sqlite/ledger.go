package sqlite

import (
	"cmp"
	"context"
	"errors"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/rows"
)

// move writes a movement; the trigger of the table changes the balance, which the database does not let become negative.
func move(ctx context.Context, tx *tx, m rows.Movement) error {
	return tx.exec(ctx, rows.InsertMovement+` VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, m.Columns(rows.Millis(tx.now()))...)
}

// purse is what Reserve needs of an account.
type purse struct{ plan, payg, number int64 }

func scanPurse(row rows.Scanner) (p purse, err error) {
	err = row.Scan(&p.plan, &p.payg, &p.number)
	return p, err
}

// Reserve implements service.Ledger.
func (db *DB) Reserve(ctx context.Context, r service.Reserve) (service.Reservation, error) {
	var held service.Reservation
	var refused error // while the counted call is committed
	err := db.update(ctx, "reserve credits", func(ctx context.Context, tx *tx) (err error) {
		held, refused, err = reserve(ctx, tx, r)
		return err
	})
	if err == nil {
		err = refused
	}
	if err != nil {
		return service.Reservation{}, err
	}
	return held, nil
}

func reserve(ctx context.Context, tx *tx, r service.Reserve) (held service.Reservation, refused, err error) {
	if r.Credits <= 0 {
		return held, nil, errors.New("the price is not positive")
	}
	if held, known, err := reserved(ctx, tx, r); known || err != nil {
		return held, nil, err
	}
	p, err := one(ctx, tx, scanPurse,
		`SELECT plan_credits, payg_credits, plan_number FROM accounts WHERE id = ? AND subject IS NOT NULL`, r.Account)
	if err != nil {
		return held, nil, err
	}
	if used, err := keyUsed(ctx, tx, r.Account, r.Idempotency); used || err != nil {
		return held, nil, cmp.Or(err, service.ErrKeyUsed)
	}
	if refused, err = countCall(ctx, tx, r.Account, r.RateLimit); refused != nil || err != nil {
		return held, refused, err
	}
	others, err := one(ctx, tx, rows.One[int],
		`SELECT count(*) FROM calls WHERE account = ? AND status = 'held'`, r.Account)
	switch {
	case err != nil:
		return held, nil, err
	case others > 0:
		return held, service.ErrDuplicate, nil
	case p.plan+p.payg < r.Credits:
		return held, service.ErrNoCredits, nil
	}
	held = rows.Split(r, p.plan)
	return held, nil, hold(ctx, tx, r, held, p.number)
}

// reserved returns what is held for a request that was made before, where its answer was lost.
func reserved(ctx context.Context, tx *tx, r service.Reserve) (held service.Reservation, known bool, err error) {
	h, err := one(ctx, tx, rows.ScanHeld, rows.HeldCalls+` AND c.id = ? AND c.account = ?`, r.ID, r.Account)
	if errors.Is(err, service.ErrNotFound) || err == nil && h.Price() != r.Credits {
		return held, false, nil
	}
	return service.Reservation{ID: r.ID, PlanCredits: h.Plan, PaygCredits: h.Payg}, err == nil, err
}

// hold stores the call and moves its price out of the balance.
func hold(ctx context.Context, tx *tx, r service.Reserve, held service.Reservation, number int64) error {
	seq, err := tx.insert(ctx, `INSERT INTO calls
		(id, account, instance, status, kind, provider, model, characters, plan_credits, payg_credits, plan_number, at)
		VALUES (?, ?, ?, 'held', ?, ?, ?, ?, ?, ?, ?, ?)`,
		r.ID, r.Account, r.Instance, r.Kind, r.Provider, r.Model, r.Characters, held.PlanCredits, held.PaygCredits, number,
		rows.Millis(tx.now()))
	if err != nil {
		return err
	}
	if err := takeKey(ctx, tx, r.Account, seq, r.Idempotency); err != nil {
		return err
	}
	return move(ctx, tx, rows.Movement{
		Account: r.Account, Call: &seq, Reason: "reserve",
		Plan: -held.PlanCredits, Payg: -held.PaygCredits, Held: r.Credits,
	})
}

// Settle implements service.Ledger.
func (db *DB) Settle(
	ctx context.Context, id string, p service.Project, f service.NewFile,
) (a service.Account, err error) {
	err = db.update(ctx, "charge call", func(ctx context.Context, tx *tx) error {
		h, err := one(ctx, tx, rows.ScanHeld, rows.HeldCalls+` AND c.id = ?`, id)
		if errors.Is(err, service.ErrNotFound) {
			a, err = settled(ctx, tx, id, f.Name)
			return err
		}
		if err != nil {
			return err
		}
		if err := charge(ctx, tx, h, p, f); err != nil {
			return err
		}
		if a, err = accountByID(ctx, tx, h.Account); err != nil {
			return err
		}
		return keepAnswer(ctx, tx, h.Seq, a.Credits())
	})
	return a, err
}

// settled returns the account of a call that was charged with a file, where the answer was lost. Error: ErrReleased.
func settled(ctx context.Context, tx *tx, id, file string) (service.Account, error) {
	account, err := one(ctx, tx, rows.One[int64],
		`SELECT c.account FROM calls c JOIN files f ON f.call = c.seq WHERE c.id = ? AND c.status = 'charged' AND f.name = ?`, id, file)
	if err == nil {
		var a service.Account
		if a, err = accountByID(ctx, tx, account); err == nil {
			return a, nil
		}
	}
	if errors.Is(err, service.ErrNotFound) {
		err = service.ErrReleased
	}
	return service.Account{}, err
}

// charge spends a reservation and stores the project and the file.
func charge(ctx context.Context, tx *tx, h rows.Held, p service.Project, f service.NewFile) error {
	err := tx.exec(ctx, `UPDATE calls SET status = 'charged', title = ?, voice = ?, seconds = ? WHERE seq = ?`,
		p.Title, p.Voice, f.Seconds, h.Seq)
	if err != nil {
		return err
	}
	now := tx.now()
	err = tx.exec(ctx, `INSERT INTO files (call, name, format, bytes, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?)`,
		h.Seq, f.Name, f.Format, f.Bytes, rows.Millis(now), rows.Millis(now.Add(service.FileRetention)))
	if err != nil {
		return err
	}
	return move(ctx, tx, rows.Movement{Account: h.Account, Call: &h.Seq, Reason: "charge", Held: -h.Price(), Spent: h.Price()})
}

// Refund implements service.Ledger.
func (db *DB) Refund(ctx context.Context, id, reason string) error {
	return db.update(ctx, "refund call", func(ctx context.Context, tx *tx) error {
		h, err := one(ctx, tx, rows.ScanHeld, rows.HeldCalls+` AND c.id = ?`, id)
		if errors.Is(err, service.ErrNotFound) {
			return refundable(ctx, tx, id)
		}
		if err != nil {
			return err
		}
		return refund(ctx, tx, h, reason, service.Change{})
	})
}

// refundable returns why a call that is not held cannot be refunded: ErrCharged. There is nothing to refund of another one.
func refundable(ctx context.Context, tx *tx, id string) error {
	n, err := one(ctx, tx, rows.One[int], `SELECT count(*) FROM calls WHERE id = ? AND status = 'charged'`, id)
	if err == nil && n > 0 {
		return service.ErrCharged
	}
	return err
}

// refund returns a reservation to where it came from, and frees its key; the part of a plan that ended expires.
func refund(ctx context.Context, tx *tx, h rows.Held, reason string, c service.Change) error {
	if err := tx.exec(ctx, `UPDATE calls SET status = 'refunded' WHERE seq = ?`, h.Seq); err != nil {
		return err
	}
	if err := tx.exec(ctx, `DELETE FROM idempotency_keys WHERE call = ?`, h.Seq); err != nil {
		return err
	}
	return move(ctx, tx, h.Refund(reason, c))
}
