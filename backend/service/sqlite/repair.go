package sqlite

import (
	"context"
	"errors"
	"time"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/rows"
)

// deadAfter is how long Repair waits for the heartbeat of a process. All of them are on one machine.
const deadAfter = 4 * time.Second

// Heartbeat implements service.Ledger.
func (db *DB) Heartbeat(ctx context.Context, instance string) error {
	return db.update(ctx, "write heartbeat", func(ctx context.Context, tx *tx) error {
		return tx.exec(ctx, `INSERT INTO instances (id, beat, resumed) VALUES (?1, ?2, ?2) ON CONFLICT (id) DO UPDATE
			SET resumed = iif(abs(excluded.beat - beat) > ?3 OR resumed > excluded.beat, excluded.beat, resumed), beat = excluded.beat`,
			instance, rows.Millis(tx.now()), service.BeatGap.Milliseconds())
	})
}

// Held implements service.Ledger.
func (db *DB) Held(ctx context.Context, instance string) ([]string, error) {
	list, err := all(ctx, db.read, rows.One[string], `SELECT id FROM calls WHERE status = 'held' AND instance = ?`, instance)
	return list, fail("list held calls", err)
}

// Repair implements service.Ledger. While the file was locked, or the machine slept, nobody gave heartbeats: so it waits until the process
// that calls it has been there for deadAfter without a gap.
func (db *DB) Repair(ctx context.Context, instance string) (refunded int, err error) {
	err = db.update(ctx, "repair reservations", func(ctx context.Context, tx *tx) error {
		refunded = 0
		now := tx.now()
		oldest, newest := rows.Millis(now.Add(-deadAfter)), rows.Millis(now.Add(rows.ClockSlack))
		_, err := one(ctx, tx, rows.One[int64], `SELECT beat FROM instances WHERE id = ?1 AND abs(?2 - beat) <= ?3 AND resumed <= ?4`,
			instance, rows.Millis(now), service.BeatGap.Milliseconds(), oldest)
		if errors.Is(err, service.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		// A heartbeat from before the clock went back would keep a dead process alive until then.
		err = tx.exec(ctx, `UPDATE instances SET beat = ? WHERE beat > ?`, rows.Millis(now), newest)
		if err != nil {
			return err
		}
		if err := tx.exec(ctx, `DELETE FROM instances WHERE beat < ? AND id <> ''`, oldest); err != nil {
			return err
		}
		// A process that was away for so long has no heartbeat before the next one, but calls: so these are as old, or of a time from
		// which the clock went back.
		dead, err := all(ctx, tx, rows.ScanHeld, rows.HeldCalls+` AND c.instance NOT IN (SELECT id FROM instances) AND (c.at < ? OR c.at > ?)`,
			oldest, newest)
		if err != nil {
			return err
		}
		for _, h := range dead {
			if err := refund(ctx, tx, h, rows.Repair, service.Change{}); err != nil {
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

// Check implements service.Ledger. Its time grows with the ledger.
func (db *DB) Check(ctx context.Context) error {
	return fail("check ledger", db.read.snapshot(ctx, checkLedger))
}

// checkLedger returns a *service.LedgerError where the ledger is wrong.
func checkLedger(ctx context.Context, p preparer) error {
	return rows.Check(func(query string) ([]string, error) { return all(ctx, p, rows.One[string], query) })
}
