package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/voicewright/voicewright/backend/service"
)

// flaws are queries for what must not be: each row is the sentence of one flaw.
var flaws = []string{
	`SELECT format('movement %s sums to %s', id, plan + payg + held + granted + spent + expired) FROM ledger
	 WHERE plan + payg + held + granted + spent + expired <> 0`,

	`SELECT format('account %s has (%s, %s, %s), its rows sum to (%s, %s, %s)', a.id,
	               plan_credits, payg_credits, held_credits, coalesce(l.plan, 0), coalesce(l.payg, 0), coalesce(l.held, 0))
	 FROM accounts a LEFT JOIN (
	     SELECT account, sum(plan) AS plan, sum(payg) AS payg, sum(held) AS held FROM ledger GROUP BY account
	 ) l ON l.account = a.id
	 WHERE (plan_credits, payg_credits, held_credits) <> (coalesce(l.plan, 0), coalesce(l.payg, 0), coalesce(l.held, 0))`,

	`SELECT format('account %s has a negative balance', id) FROM accounts
	 WHERE plan_credits < 0 OR payg_credits < 0 OR held_credits < 0`,

	`SELECT format('account %s holds %s credits for %s of calls', a.id, held_credits, coalesce(sum(c.plan_credits + c.payg_credits), 0))
	 FROM accounts a LEFT JOIN calls c ON c.account = a.id AND c.status = 'held'
	 GROUP BY a.id HAVING held_credits <> coalesce(sum(c.plan_credits + c.payg_credits), 0)`,

	`SELECT format('call %s has the status %s, its rows hold %s and spent %s', c.seq, c.status, sum(l.held), sum(l.spent))
	 FROM calls c LEFT JOIN ledger l ON l.call = c.seq GROUP BY c.seq
	 HAVING (coalesce(sum(l.held), -1), coalesce(sum(l.spent), -1)) <>
	        (CASE c.status WHEN 'held' THEN c.plan_credits + c.payg_credits ELSE 0 END,
	         CASE c.status WHEN 'charged' THEN c.plan_credits + c.payg_credits ELSE 0 END)`,

	`SELECT format('call %s has the status %s, its idempotency key was answered at %s', c.seq, c.status, k.answered_at)
	 FROM idempotency_keys k JOIN calls c ON c.seq = k.call
	 WHERE c.account <> k.account OR c.status <> CASE k.answered_at WHEN 0 THEN 'held' ELSE 'charged' END`,
}

// Check implements service.Ledger. It reads one state of the database, and its time grows with the ledger.
func (db *DB) Check(ctx context.Context) error {
	const op = "check ledger"
	conn, err := db.connect(ctx)
	if err != nil {
		return fail(ctx, op, err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }() // it only reads
	wrong, err := check(ctx, conn)
	switch {
	case err != nil:
		return fail(ctx, op, ended(conn, err))
	case len(wrong.Flaws) > 0:
		return fmt.Errorf("%s: %w", op, &wrong)
	}
	return nil
}

// check returns the flaws of a ledger.
func check(ctx context.Context, conn *pgx.Conn) (wrong service.LedgerError, err error) {
	if _, err := conn.Exec(ctx, `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`); err != nil {
		return wrong, err
	}
	return findFlaws(ctx, conn)
}

// findFlaws returns the flaws that a connection sees.
func findFlaws(ctx context.Context, conn *pgx.Conn) (wrong service.LedgerError, err error) {
	for _, query := range flaws {
		found, err := all(ctx, conn, scanOne[string], query+` LIMIT 20`)
		if err != nil {
			return wrong, err
		}
		wrong.Flaws = append(wrong.Flaws, found...)
	}
	return wrong, nil
}
