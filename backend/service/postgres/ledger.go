package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/rows"
)

// move queues a movement; the trigger of the table changes the balance, which the database does not let become negative.
func move(b *pgx.Batch, m rows.Movement, now int64) {
	m.Change.Actor, m.Change.Note = text(m.Change.Actor), text(m.Change.Note)
	b.Queue(rows.InsertMovement+` VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`, m.Columns(now)...)
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

// purse is what decides whether a call may begin.
type purse struct {
	plan, payg, number int64
	keyUsed            bool
	others, same       bool  // a call runs; it is the one of the request
	heldPlan, heldPayg int64 // of the call that runs
}

// purseQuery selects purse of the account $1, for a call $2 with the idempotency key $3, which may be NULL.
const purseQuery = `SELECT a.plan_credits, a.payg_credits, a.plan_number,
		EXISTS (SELECT FROM idempotency_keys WHERE account = a.id AND hash = $3),
		c.seq IS NOT NULL, coalesce(c.id = $2, false), coalesce(c.plan_credits, 0), coalesce(c.payg_credits, 0)
	FROM accounts a LEFT JOIN calls c ON c.account = a.id AND c.status = 'held' WHERE a.id = $1 AND a.subject IS NOT NULL`

func scanPurse(row rows.Scanner) (p purse, err error) {
	err = row.Scan(&p.plan, &p.payg, &p.number, &p.keyUsed, &p.others, &p.same, &p.heldPlan, &p.heldPayg)
	return p, err
}

// reserve locks and reads all that decides, and then writes.
func reserve(ctx context.Context, tx *tx, r service.Reserve) (held service.Reservation, refused, err error) {
	if r.Credits <= 0 {
		return held, nil, errors.New("the price is not positive")
	}
	var key []byte
	if r.Idempotency != nil {
		key = r.Idempotency.Key[:]
	}
	var p purse
	var w window
	b := tx.batch()
	b.Queue(lockAccount, r.Account)
	found := queue(b, &p, scanPurse, purseQuery, r.Account, r.ID, key)
	queueWindow(b, &w, r.Account, r.RateLimit)
	if err := tx.send(ctx, b); err != nil {
		return held, nil, err
	}
	switch {
	case !*found:
		return held, nil, service.ErrNotFound
	case p.same && p.heldPlan+p.heldPayg == r.Credits: // its answer was lost
		return service.Reservation{ID: r.ID, PlanCredits: p.heldPlan, PaygCredits: p.heldPayg}, nil, nil
	case p.keyUsed:
		return held, nil, service.ErrKeyUsed
	}
	b = tx.batch()
	refused, err = countCall(ctx, tx, b, r.Account, r.RateLimit, w)
	switch {
	case err != nil:
		return held, nil, err
	case refused != nil:
	case p.others:
		refused = service.ErrDuplicate
	case p.plan+p.payg < r.Credits:
		refused = service.ErrNoCredits
	default:
		held = rows.Split(r, p.plan)
		hold(b, r, held, p.number, w.now/1000)
	}
	return held, refused, tx.send(ctx, b)
}

// hold queues what stores the call, its key, and the movement of its price out of the balance: one statement, as these are most of the
// work of a call.
func hold(b *pgx.Batch, r service.Reserve, held service.Reservation, number, now int64) {
	const call = `WITH call AS (
			INSERT INTO calls (id, account, instance, status, kind, provider, model, characters, plan_credits, payg_credits, plan_number, at)
			VALUES ($1, $2, $3, 'held', $4, $5, $6, $7, $8, $9, $10, $11) RETURNING seq
		)`
	const reserve = rows.InsertMovement + ` SELECT $11, $2, seq, 'reserve',
		-$8::bigint, -$9::bigint, $8::bigint + $9::bigint, 0, 0, 0, '', '' FROM call`
	const key = `, key AS (INSERT INTO idempotency_keys (account, hash, request, call) SELECT $2, $12, $13, seq FROM call)`
	args := []any{
		r.ID, r.Account, r.Instance, r.Kind, r.Provider, r.Model, r.Characters, held.PlanCredits, held.PaygCredits, number, now,
	}
	if r.Idempotency == nil {
		b.Queue(call+reserve, args...)
		return
	}
	b.Queue(call+key+reserve, append(args, r.Idempotency.Key[:], r.Idempotency.Request[:])...)
}

// lockCaller locks the account of a call, for the rest of the transaction.
const lockCaller = `SELECT a.id FROM accounts a WHERE a.id = (SELECT account FROM calls WHERE id = $1) FOR UPDATE`

// endedCall is a call that is to be charged, or was.
type endedCall struct {
	seq, account, plan, payg int64
	status, file             string // the file is that of a call that was charged
	keyed                    bool
	now                      int64
}

const endedCalls = `SELECT c.seq, c.account, c.plan_credits, c.payg_credits, c.status, coalesce(f.name, ''),
		EXISTS (SELECT FROM idempotency_keys WHERE call = c.seq), service_millis()
	FROM calls c LEFT JOIN files f ON f.call = c.seq WHERE c.id = $1`

func scanEndedCall(row rows.Scanner) (s endedCall, err error) {
	err = row.Scan(&s.seq, &s.account, &s.plan, &s.payg, &s.status, &s.file, &s.keyed, &s.now)
	return s, err
}

// Settle implements service.Ledger.
func (db *DB) Settle(ctx context.Context, id string, p service.Project, f service.NewFile) (a service.Account, err error) {
	if !storable(id) {
		return a, service.ErrReleased
	}
	err = db.update(ctx, "charge call", func(ctx context.Context, tx *tx) error {
		var s endedCall
		b := tx.batch()
		b.Queue(lockCaller, id)
		found := queue(b, &s, scanEndedCall, endedCalls, id)
		if err := tx.send(ctx, b); err != nil {
			return err
		}
		b = tx.batch()
		switch {
		case *found && s.status == "held":
			charge(b, s, p, f)
		case *found && s.status == "charged" && s.file == f.Name: // the answer was lost
		default:
			return service.ErrReleased
		}
		found = queue(b, &a, scanAccount, accountByID, s.account)
		if err := tx.send(ctx, b); err != nil {
			return err
		}
		if !*found {
			return service.ErrReleased
		}
		return nil
	})
	if err != nil {
		return service.Account{}, err
	}
	return a, nil
}

// changedOne returns an error for a statement that did not find the call held, which the lock of its account rules out.
func changedOne(tag pgconn.CommandTag) error {
	if tag.RowsAffected() != 1 {
		return errors.New("the call is no longer held")
	}
	return nil
}

// charge queues what spends a reservation, stores the project and the file, and keeps what a repeat of the call is answered.
func charge(b *pgx.Batch, s endedCall, p service.Project, f service.NewFile) {
	b.Queue(`WITH call AS (
			UPDATE calls SET status = 'charged', title = $2, voice = $3, seconds = $4 WHERE seq = $1 AND status = 'held'
			RETURNING seq, account, plan_credits + payg_credits AS price
		), file AS (
			INSERT INTO files (call, name, format, bytes, created_at, expires_at) SELECT seq, $5, $6, $7, $8, $9 FROM call
		)`+rows.InsertMovement+` SELECT $8, account, seq, 'charge', 0, 0, -price, 0, price, 0, '', '' FROM call`,
		s.seq, text(p.Title), text(p.Voice), f.Seconds, f.Name, f.Format, f.Bytes, s.now, s.now+service.FileRetention.Milliseconds(),
	).Exec(changedOne)
	if s.keyed {
		b.Queue(`UPDATE idempotency_keys k SET credits_left = a.plan_credits + a.payg_credits, answered_at = $2
			FROM accounts a WHERE k.call = $1 AND a.id = k.account`, s.seq, s.now)
	}
}

// Refund implements service.Ledger.
func (db *DB) Refund(ctx context.Context, id, reason string) error {
	if !storable(id) {
		return ctx.Err()
	}
	return db.update(ctx, "refund call", func(ctx context.Context, tx *tx) error {
		var h rows.Held
		var charged bool
		var now int64
		b := tx.batch()
		b.Queue(lockCaller, id)
		held := queue(b, &h, rows.ScanHeld, rows.HeldCalls+` AND c.id = $1`, id)
		queue(b, &charged, rows.One[bool], `SELECT EXISTS (SELECT FROM calls WHERE id = $1 AND status = 'charged')`, id)
		queue(b, &now, rows.One[int64], `SELECT service_millis()`)
		if err := tx.send(ctx, b); err != nil {
			return err
		}
		b = tx.batch()
		switch {
		case charged:
			return service.ErrCharged
		case *held:
			refund(b, h, reason, service.Change{}, now)
		}
		return tx.send(ctx, b)
	})
}

// refund queues what returns a reservation to where it came from, and frees its key; the part of a plan that ended expires.
func refund(b *pgx.Batch, h rows.Held, reason string, c service.Change, now int64) {
	b.Queue(`UPDATE calls SET status = 'refunded' WHERE seq = $1 AND status = 'held'`, h.Seq).Exec(changedOne)
	b.Queue(`DELETE FROM idempotency_keys WHERE call = $1`, h.Seq)
	move(b, h.Refund(reason, c), now)
}
