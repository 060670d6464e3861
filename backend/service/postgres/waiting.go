package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/turns"
)

var _ turns.Store = (*DB)(nil)

// queueBegin waits for the others that work on a queue. A process that stops in between does not keep them for long, and nobody waits
// for the disk, as all of it may be lost.
const queueBegin = `SELECT set_config('synchronous_commit', 'off', true), set_config('idle_in_transaction_session_timeout', '1s', true),
	pg_advisory_xact_lock($1, hashtext($2))`

// giveTurns hands out the free turns of the provider $1, those of the process $2 unless that is empty. Processes that gave no heartbeat for
// a moment may be dead: until that is known, their turns do not count and they get none, so that the others do not wait for them. The
// process $3, which asks, lives.
const giveTurns = `WITH alive AS MATERIALIZED (
		SELECT id FROM instances WHERE id = $3 OR id <> '' AND beat > service_millis() - $4
	), taken AS MATERIALIZED (
		SELECT count(*) AS n FROM waiting WHERE provider = $1 AND turn AND ($2 = '' OR instance = $2) AND instance IN (SELECT id FROM alive)
	), first AS MATERIALIZED (
		SELECT id FROM waiting
		WHERE provider = $1 AND NOT turn AND ($2 = '' OR instance = $2) AND instance IN (SELECT id FROM alive)
		ORDER BY priority DESC, at, id
		LIMIT greatest(0, CASE WHEN $2 = '' THEN (SELECT count(*) FROM alive) ELSE 1 END - (SELECT n FROM taken))
		FOR UPDATE SKIP LOCKED
	) UPDATE waiting SET turn = true WHERE id IN (SELECT id FROM first)`

// Exchange implements turns.Store. One transaction at a time works on the queue of a provider, so that turns are neither given twice nor
// kept back.
func (db *DB) Exchange(ctx context.Context, l turns.Line) (a turns.Answer, err error) {
	err = db.queues.update(ctx, "share the queue", func(ctx context.Context, tx *tx) error {
		a = turns.Answer{}
		b := tx.batch()
		b.Queue(queueBegin, queueLock, l.Provider)
		queueLine(b, l)
		b.Queue(giveTurns, l.Provider, owner(l), l.Instance, service.BeatGap.Milliseconds())
		queueNumbers(b, &a.Refused, `DELETE FROM waiting WHERE id IN (
				SELECT id FROM waiting WHERE instance = $2 AND provider = $1 AND NOT turn AND number = ANY($4) ORDER BY id DESC
				LIMIT greatest(0, (SELECT count(*) FROM waiting WHERE provider = $1 AND NOT turn) - $3)
			) RETURNING number`, l.Provider, l.Instance, l.Queue, newOnes(l))
		queueNumbers(b, &a.Turns, `SELECT number FROM waiting WHERE instance = $2 AND provider = $1 AND turn`, l.Provider, l.Instance)
		return tx.send(ctx, b)
	})
	if err != nil {
		return turns.Answer{}, err
	}
	return a, nil
}

// queueLine makes the rows of a line those of its callers. A process with callers lives, whatever was thought of it.
func queueLine(b *pgx.Batch, l turns.Line) {
	n := len(l.Callers)
	numbers, priorities, waited, running := make([]int64, n), make([]bool, n), make([]int64, n), make([]bool, n)
	for i, c := range l.Callers {
		numbers[i], priorities[i], running[i] = c.Number, c.Priority, c.Running
		if c.Known { // else it comes last
			waited[i] = c.Waited.Microseconds()
		}
	}
	b.Queue(`DELETE FROM waiting WHERE instance = $1 AND provider = $2 AND number <> ALL($3)`, l.Instance, l.Provider, numbers)
	if n == 0 {
		return
	}
	b.Queue(`INSERT INTO instances (id, beat, since) SELECT $1, now, now FROM (SELECT service_millis() AS now) clock
		ON CONFLICT DO NOTHING`, l.Instance)
	b.Queue(`INSERT INTO waiting AS w (provider, instance, number, priority, at, turn)
		SELECT $1, $2, c.number, c.priority, clock.now - c.waited, c.running
		FROM (SELECT service_micros() AS now) clock,
			unnest($3::bigint[], $4::boolean[], $5::bigint[], $6::boolean[]) WITH ORDINALITY AS c (number, priority, waited, running, n)
		ORDER BY c.n
		ON CONFLICT (instance, provider, number) DO UPDATE SET turn = true WHERE excluded.turn AND NOT w.turn`,
		l.Provider, l.Instance, numbers, priorities, waited, running)
}

// queueNumbers adds a query to a batch. Once that was sent, into has the numbers that it returned.
func queueNumbers(b *pgx.Batch, into *[]int64, sql string, args ...any) {
	b.Queue(sql, args...).Query(func(rows pgx.Rows) (err error) {
		*into, err = pgx.CollectRows(rows, pgx.RowTo[int64])
		return err
	})
}

// owner returns the process that owns the turns of a line, empty where all share them.
func owner(l turns.Line) string {
	if l.Own {
		return l.Instance
	}
	return ""
}

// newOnes returns the numbers of the callers that may be refused.
func newOnes(l turns.Line) []int64 {
	numbers := []int64{}
	for _, c := range l.Callers {
		if !c.Known {
			numbers = append(numbers, c.Number)
		}
	}
	return numbers
}
