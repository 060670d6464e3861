package postgres

import (
	"context"
	"math"
	"net/http"
	"strconv"

	"github.com/voicewright/voicewright/backend/service"
)

// usageRow is an entry of the list with its position.
type usageRow struct {
	service.Usage
	seq int64
}

func scanUsage(row scanner) (usageRow, error) {
	var u usageRow
	var at int64
	err := row.Scan(&u.seq, &u.ID, &at, &u.Kind, &u.Provider, &u.Model, &u.Voice, &u.Title, &u.Characters, &u.Seconds, &u.Credits,
		&u.Status, &u.File, &u.KeyHash)
	u.At = fromMillis(at)
	return u, err
}

// Usage implements service.Ledger. An invalid cursor is a *service.Error with status 400.
func (db *DB) Usage(ctx context.Context, account int64, cursor string, limit int) (list []service.Usage, next string, err error) {
	before, err := parseCursor(cursor)
	if err != nil {
		return nil, "", err
	}
	var rows []usageRow
	err = db.view(ctx, "list usage", func(ctx context.Context, q querier) error {
		rows, err = all(ctx, q, scanUsage, `SELECT c.seq, c.id, c.at, c.kind, c.provider, c.model, c.voice, c.title, c.characters, c.seconds,
				CASE c.status WHEN 'refunded' THEN 0 ELSE c.plan_credits + c.payg_credits END, c.status, coalesce(f.name, ''),
				coalesce(encode(k.hash, 'hex'), '')
			FROM calls c LEFT JOIN files f ON f.call = c.seq AND f.removed = 0 AND f.expires_at > service_millis()
				LEFT JOIN idempotency_keys k ON k.call = c.seq
			WHERE c.account = $1 AND c.seq < $2 ORDER BY c.seq DESC LIMIT $3`, account, before, limit+1)
		return err
	})
	if err != nil {
		return nil, "", err
	}
	if len(rows) > limit {
		rows = rows[:limit]
		next = strconv.FormatInt(rows[limit-1].seq, 36)
	}
	list = make([]service.Usage, len(rows))
	for i, r := range rows {
		list[i] = r.Usage
	}
	return list, next, nil
}

// parseCursor returns the position before which a page begins.
func parseCursor(cursor string) (int64, error) {
	if cursor == "" {
		return math.MaxInt64, nil
	}
	seq, err := strconv.ParseInt(cursor, 36, 64)
	if err != nil || seq <= 0 || strconv.FormatInt(seq, 36) != cursor {
		return 0, &service.Error{
			Status:   http.StatusBadRequest,
			Sentence: "The cursor is invalid. Send the nextCursor of the previous page, or none for the first page.",
		}
	}
	return seq, nil
}
