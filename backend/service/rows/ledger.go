package rows

import (
	"errors"

	"github.com/voicewright/voicewright/backend/service"
)

// EntryColumns are the columns of ScanEntry, of the table ledger as l and calls as c.
const EntryColumns = `l.id, l.at, l.reason, coalesce(c.id, ''), l.plan, l.payg, l.held, l.granted, l.spent, l.expired, l.actor, l.note`

// ScanEntry reads a row of the ledger.
func ScanEntry(row Scanner) (e service.Entry, err error) {
	var at int64
	err = row.Scan(&e.ID, &at, &e.Reason, &e.Call, &e.Plan, &e.Payg, &e.Held, &e.Granted, &e.Spent, &e.Expired, &e.Actor, &e.Note)
	e.At = Time(at)
	return e, err
}

// ScanSums reads the parts of a balance, the sums of its rows, their number, and the newest of them.
func ScanSums(row Scanner) (s service.Sums, err error) {
	err = row.Scan(&s.Balance.Plan, &s.Balance.Payg, &s.Balance.Held, &s.Rows.Plan, &s.Rows.Payg, &s.Rows.Held, &s.Count, &s.Last)
	return s, err
}

// EarlierColumns are the columns of ScanEarlier, of the tables idempotency_keys as k and files as f.
const EarlierColumns = `k.request, k.answered_at = 0, coalesce(f.name, ''), k.credits_left`

// ScanEarlier reads the call that has an idempotency key.
func ScanEarlier(row Scanner) (e service.Earlier, err error) {
	var request []byte
	err = row.Scan(&request, &e.Running, &e.File, &e.RemainingCredits)
	copy(e.Request[:], request)
	return e, err
}

// Held is a reservation with what is needed to end it.
type Held struct {
	Seq, Account, Plan, Payg int64
	current                  bool // the account still has the plan from which it was paid
}

// HeldCalls selects the calls of ScanHeld, as c.
const HeldCalls = `SELECT c.seq, c.account, c.plan_credits, c.payg_credits, c.plan_number = a.plan_number
	FROM calls c JOIN accounts a ON a.id = c.account WHERE c.status = 'held'`

// ScanHeld reads a reservation.
func ScanHeld(row Scanner) (h Held, err error) {
	err = row.Scan(&h.Seq, &h.Account, &h.Plan, &h.Payg, &h.current)
	return h, err
}

// Price returns what is held.
func (h Held) Price() int64 { return h.Plan + h.Payg }

// InsertMovement begins the statement that writes a movement; its columns are those of Columns.
const InsertMovement = `INSERT INTO ledger (at, account, call, reason, plan, payg, held, granted, spent, expired, actor, note)`

// Movement is one row of the ledger: amounts that sum to zero.
type Movement struct {
	Account                                   int64
	Call                                      *int64 // its number, nil where none is involved
	Reason                                    string
	Change                                    service.Change
	Plan, Payg, Held, Granted, Spent, Expired int64
}

// Columns returns the values of InsertMovement, of a movement at a time.
func (m Movement) Columns(at int64) []any {
	return []any{
		at, m.Account, m.Call, m.Reason, m.Plan, m.Payg, m.Held, m.Granted, m.Spent, m.Expired, m.Change.Actor, m.Change.Note,
	}
}

// Reasons of movements that are written in several places.
const (
	Deleted = "account deleted"
	Repair  = "repair" // of reservations whose process is dead
	Renewed = "renewed"
)

// SignedUp returns the movement of an account that is made when its user signs in.
func SignedUp(account, baseline int64) Movement {
	return Movement{Account: account, Reason: "sign-in", Plan: baseline, Granted: -baseline}
}

// Created returns the movement of an account that is made in advance.
func Created(account int64, n service.NewAccount, c service.Change) Movement {
	return Movement{Account: account, Reason: "created", Change: c, Plan: n.Credits, Granted: -n.Credits}
}

// Bought returns the movement of pay-as-you-go credits that are added.
func Bought(account, n int64, c service.Change) (Movement, error) {
	if n <= 0 {
		return Movement{}, errors.New("the number of credits is not positive")
	}
	return Movement{Account: account, Reason: "payg", Change: c, Payg: n, Granted: -n}, nil
}

// Closed returns the movement of an account that is deleted: what is left of its balance expires.
func Closed(a service.Account, c service.Change) Movement {
	return Movement{Account: a.ID, Reason: Deleted, Change: c, Plan: -a.PlanCredits, Payg: -a.PaygCredits, Expired: a.Credits()}
}

// Refund returns the movement that returns a reservation to where it came from; the part of a plan that ended expires.
func (h Held) Refund(reason string, c service.Change) Movement {
	m := Movement{Account: h.Account, Call: &h.Seq, Reason: reason, Change: c, Payg: h.Payg, Held: -h.Price()}
	if h.current {
		m.Plan = h.Plan
	} else {
		m.Expired = h.Plan
	}
	return m
}

// Split returns what a request takes of a balance that suffices: plan credits first.
func Split(r service.Reserve, plan int64) service.Reservation {
	fromPlan := min(plan, r.Credits)
	return service.Reservation{ID: r.ID, PlanCredits: fromPlan, PaygCredits: r.Credits - fromPlan}
}
