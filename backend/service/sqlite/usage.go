package sqlite

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
func (db *DB) Usage(ctx context.Context, account int64, cursor string, limit int) ([]service.Usage, string, error) {
	before, err := parseCursor(cursor)
	if err != nil {
		return nil, "", err
	}
	rows, err := all(ctx, db.read, scanUsage, `SELECT seq, id, at, kind, provider, model, voice, title, characters, seconds,
			iif(status = 'refunded', 0, plan_credits + payg_credits), status, coalesce(f.name, ''),
			coalesce(lower(hex(k.hash)), '')
		FROM calls c LEFT JOIN files f ON f.call = seq AND f.removed = 0 AND f.expires_at > ? LEFT JOIN idempotency_keys k ON k.call = seq
		WHERE c.account = ? AND seq < ? ORDER BY seq DESC LIMIT ?`, millis(db.read.now()), account, before, limit+1)
	if err != nil {
		return nil, "", fail("list usage", err)
	}
	next := ""
	if len(rows) > limit {
		rows = rows[:limit]
		next = strconv.FormatInt(rows[limit-1].seq, 36)
	}
	list := make([]service.Usage, len(rows))
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
