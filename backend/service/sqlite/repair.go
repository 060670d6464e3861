package sqlite

import (
	"context"
	"errors"
	"time"

	"github.com/voicewright/voicewright/backend/service"
)

// deadAfter is how long Repair waits for the heartbeat of a process. All of them are on one machine.
const deadAfter = 4 * time.Second

// Heartbeat implements service.Ledger.
func (db *DB) Heartbeat(ctx context.Context, instance string) error {
	return db.update(ctx, "write heartbeat", func(ctx context.Context, tx *tx) error {
		return tx.exec(ctx, `INSERT INTO instances (id, beat, resumed) VALUES (?1, ?2, ?2) ON CONFLICT (id) DO UPDATE
			SET resumed = iif(abs(excluded.beat - beat) > ?3 OR resumed > excluded.beat, excluded.beat, resumed), beat = excluded.beat`,
			instance, millis(tx.now()), service.BeatGap.Milliseconds())
	})
}

// Held implements service.Ledger.
func (db *DB) Held(ctx context.Context, instance string) ([]string, error) {
	list, err := all(ctx, db.read, scanOne[string], `SELECT id FROM calls WHERE status = 'held' AND instance = ?`, instance)
	return list, fail("list held calls", err)
}

// Repair implements service.Ledger. While the file was locked, or the machine slept, nobody gave heartbeats: so it waits until the process
// that calls it has been there for deadAfter without a gap.
func (db *DB) Repair(ctx context.Context, instance string) (refunded int, err error) {
	err = db.update(ctx, "repair reservations", func(ctx context.Context, tx *tx) error {
		refunded = 0
		now := tx.now()
		oldest, newest := millis(now.Add(-deadAfter)), millis(now.Add(clockSlack))
		_, err := one(ctx, tx, scanOne[int64], `SELECT beat FROM instances WHERE id = ?1 AND abs(?2 - beat) <= ?3 AND resumed <= ?4`,
			instance, millis(now), service.BeatGap.Milliseconds(), oldest)
		if errors.Is(err, service.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		// A heartbeat from before the clock went back would keep a dead process alive until then.
		err = tx.exec(ctx, `UPDATE instances SET beat = ? WHERE beat > ?`, millis(now), newest)
		if err != nil {
			return err
		}
		if err := tx.exec(ctx, `DELETE FROM instances WHERE beat < ? AND id <> ''`, oldest); err != nil {
			return err
		}
		// A process that was away for so long has no heartbeat before the next one, but calls: so these are as old, or of a time from
		// which the clock went back.
		dead, err := all(ctx, tx, scanHeld, heldCalls+` AND c.instance NOT IN (SELECT id FROM instances) AND (c.at < ? OR c.at > ?)`,
			oldest, newest)
		if err != nil {
			return err
		}
		for _, h := range dead {
			if err := refund(ctx, tx, h, "repair", service.Change{}); err != nil {
				return err
			}
			refunded++
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return refunded, nil
}

// flaws are queries for what must not be: each row is the sentence of one flaw.
var flaws = []string{
	`SELECT format('movement %d sums to %d', id, plan + payg + held + granted + spent + expired) FROM ledger
	 WHERE plan + payg + held + granted + spent + expired <> 0`,

	`SELECT format('account %d has (%d, %d, %d), its rows sum to (%d, %d, %d)', a.id,
	               plan_credits, payg_credits, held_credits, coalesce(l.plan, 0), coalesce(l.payg, 0), coalesce(l.held, 0))
	 FROM accounts a LEFT JOIN (
	     SELECT account, sum(plan) AS plan, sum(payg) AS payg, sum(held) AS held FROM ledger GROUP BY account
	 ) l ON l.account = a.id
	 WHERE (plan_credits, payg_credits, held_credits) <> (coalesce(l.plan, 0), coalesce(l.payg, 0), coalesce(l.held, 0))`,

	`SELECT format('account %d has a negative balance', id) FROM accounts
	 WHERE plan_credits < 0 OR payg_credits < 0 OR held_credits < 0`,

	`SELECT format('account %d holds %d credits for %d of calls', a.id, held_credits, coalesce(sum(c.plan_credits + c.payg_credits), 0))
	 FROM accounts a LEFT JOIN calls c ON c.account = a.id AND c.status = 'held'
	 GROUP BY a.id HAVING held_credits <> coalesce(sum(c.plan_credits + c.payg_credits), 0)`,

	`SELECT format('call %d has the status %s, its rows hold %d and spent %d', c.seq, c.status, sum(l.held), sum(l.spent))
	 FROM calls c LEFT JOIN ledger l ON l.call = c.seq GROUP BY c.seq
	 HAVING (coalesce(sum(l.held), -1), coalesce(sum(l.spent), -1)) <>
	        (iif(c.status = 'held', c.plan_credits + c.payg_credits, 0), iif(c.status = 'charged', c.plan_credits + c.payg_credits, 0))`,

	`SELECT format('call %d has the status %s, its idempotency key was answered at %d', c.seq, c.status, k.answered_at)
	 FROM idempotency_keys k JOIN calls c ON c.seq = k.call
	 WHERE c.account <> k.account OR c.status <> iif(k.answered_at = 0, 'held', 'charged')`,
}

// Check implements service.Ledger. Its time grows with the ledger.
func (db *DB) Check(ctx context.Context) error {
	return fail("check ledger", db.read.snapshot(ctx, checkLedger))
}

// checkLedger returns a *service.LedgerError where the ledger is wrong.
func checkLedger(ctx context.Context, p preparer) error {
	var wrong service.LedgerError
	for _, query := range flaws {
		found, err := all(ctx, p, scanOne[string], query+` LIMIT 20`)
		if err != nil {
			return err
		}
		wrong.Flaws = append(wrong.Flaws, found...)
	}
	if len(wrong.Flaws) > 0 {
		return &wrong
	}
	return nil
}
