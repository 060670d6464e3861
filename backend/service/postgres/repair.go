package postgres

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/rows"
)

const (
	// DeadAfter is how long a process may give no heartbeat before Repair takes it for dead: longer than a virtual machine is paused
	// while it moves, or than a standby takes to become the server.
	DeadAfter = 10 * time.Second
)

// Heartbeat implements service.Ledger.
func (db *DB) Heartbeat(ctx context.Context, instance string) error {
	db.alive.add(instance)
	return db.beats.update(ctx, "write heartbeat", func(ctx context.Context, tx *tx) error {
		return tx.exec(ctx, `INSERT INTO instances AS i (id, beat, since)
			SELECT $1, clock.now, clock.now FROM (SELECT service_millis() AS now) clock
			ON CONFLICT (id) DO UPDATE SET beat = excluded.beat,
				since = CASE WHEN abs(excluded.beat - i.beat) > $2 OR i.since > excluded.beat THEN excluded.beat ELSE i.since END`,
			instance, service.BeatGap.Milliseconds())
	})
}

// instances are the processes that gave heartbeats: one, but in tests.
type instances struct {
	mu  sync.Mutex
	ids map[string]bool
}

func (i *instances) add(id string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.ids == nil {
		i.ids = map[string]bool{}
	}
	i.ids[id] = true
}

// list returns the names of the processes.
func (i *instances) list() []string {
	i.mu.Lock()
	defer i.mu.Unlock()
	return slices.Collect(maps.Keys(i.ids))
}

const leaveWait = time.Second // a server that is away finds out by itself

// leave removes the heartbeats that were given here, so that the queues of providers count no process that has ended. Of one that holds
// calls Repair finds out.
func (db *DB) leave() {
	ids := db.alive.list()
	if len(ids) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), leaveWait)
	defer cancel()
	_ = db.beats.update(ctx, "remove heartbeats", func(ctx context.Context, tx *tx) error {
		return tx.exec(ctx, `DELETE FROM instances i WHERE i.id = ANY($1)
			AND NOT EXISTS (SELECT FROM calls c WHERE c.status = 'held' AND c.instance = i.id)`, ids)
	})
}

// Held implements service.Ledger.
func (db *DB) Held(ctx context.Context, instance string) (list []string, err error) {
	err = db.view(ctx, "list held calls", func(ctx context.Context, q querier) error {
		list, err = all(ctx, q, rows.One[string], `SELECT id FROM calls WHERE status = 'held' AND instance = $1`, instance)
		return err
	})
	return list, err
}

// Repair implements service.Ledger. While the server was away, or the process was cut off from it, nobody gave heartbeats: so it waits
// until the process that calls it and the server have been there for DeadAfter without a gap.
func (db *DB) Repair(ctx context.Context, instance string) (refunded int, err error) {
	err = db.update(ctx, "repair reservations", func(ctx context.Context, tx *tx) error {
		refunded = 0
		now, err := one(ctx, tx, rows.One[int64], `WITH clock AS MATERIALIZED (SELECT service_millis() AS now)
			SELECT clock.now FROM instances, clock WHERE id = $1 AND abs(clock.now - beat) <= $2 AND since <= clock.now - $3
				AND service_started() <= to_timestamp(clock.now / 1000.0) - $3 * interval '1 millisecond'`,
			instance, service.BeatGap.Milliseconds(), DeadAfter.Milliseconds())
		if err != nil {
			return ignoreNotFound(err)
		}
		oldest, newest := now-DeadAfter.Milliseconds(), now+rows.ClockSlack.Milliseconds()
		// In one order, as others repair at the same time, and without those that somebody keeps locked: they come next time. What is
		// still held is read after the locks.
		accounts, err := all(ctx, tx, rows.One[int64], `SELECT a.id FROM accounts a
			WHERE a.id IN (SELECT c.account FROM calls c WHERE c.status = 'held' AND `+orphaned+`)
			ORDER BY a.id FOR UPDATE SKIP LOCKED`, oldest, newest)
		if err != nil {
			return err
		}
		dead, err := all(ctx, tx, rows.ScanHeld, rows.HeldCalls+` AND `+orphaned+` AND c.account = ANY($3)`, oldest, newest, accounts)
		if err != nil {
			return err
		}
		b := tx.batch()
		for _, h := range dead {
			refund(b, h, rows.Repair, service.Change{}, now)
		}
		forgetDead(b, oldest, newest, now)
		refunded = len(dead)
		return tx.send(ctx, b)
	})
	if err != nil {
		return 0, err
	}
	return refunded, nil
}

// forgetDead queues what removes the processes that are not alive. Others need these rows to show that they live, so that they are
// locked last, and those that are in use are left.
func forgetDead(b *pgx.Batch, oldest, newest, now int64) {
	// A heartbeat from before the clock went back would keep a dead process alive until then.
	b.Queue(`UPDATE instances SET beat = $1 WHERE id IN (SELECT id FROM instances WHERE beat > $2 FOR UPDATE SKIP LOCKED)`, now, newest)
	b.Queue(`DELETE FROM instances WHERE id IN (SELECT id FROM instances WHERE beat < $1 AND id <> '' FOR UPDATE SKIP LOCKED)`, oldest)
}

// orphaned holds for calls, as c, of processes that gave no heartbeat since $1. A process that was away for so long has no heartbeat
// before the next one, but calls: so these are as old, or of a time after $2, from which the clock went back.
const orphaned = `NOT EXISTS (SELECT FROM instances i WHERE i.id = c.instance AND i.beat >= $1) AND (c.at < $1 OR c.at > $2)`
