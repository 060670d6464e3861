package postgres

import (
	"context"
	"time"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/rows"
)

// usedWait is how long a call waits until the last use of its key is written.
const usedWait = 500 * time.Millisecond

// keyCaller is an account with the key that names it.
type keyCaller struct {
	account rows.Account
	key     rows.Key
	now     int64
}

func scanKeyCaller(row rows.Scanner) (c keyCaller, err error) {
	err = row.Scan(append(append(c.account.Dest(), &c.now), c.key.Dest()...)...)
	return c, err
}

const callerOfKey = `SELECT ` + accountColumns + `, ` + rows.KeyColumns + `
	FROM keys k JOIN accounts a ON a.id = k.account WHERE k.hash = $1 AND k.revoked_at = 0`

// KeyCaller implements service.KeyStore.
func (db *DB) KeyCaller(ctx context.Context, hash service.KeyHash) (service.Account, service.Key, error) {
	var c keyCaller
	err := db.view(ctx, "find key", func(ctx context.Context, q querier) (err error) {
		c, err = one(ctx, q, scanKeyCaller, callerOfKey, hash[:])
		return err
	})
	if err != nil {
		return service.Account{}, service.Key{}, err
	}
	a, err := c.account.Value(c.now)
	if err != nil {
		return service.Account{}, service.Key{}, err
	}
	k := c.key.Value()
	if c.key.Stale(c.now) {
		if used, err := db.touchKey(ctx, k.ID); err == nil {
			k.LastUsedAt = rows.Time(used)
		}
	}
	return a, k, nil
}

// touchKey writes the time of a key's last use, and returns it.
func (db *DB) touchKey(ctx context.Context, id string) (used int64, err error) {
	ctx, cancel := context.WithTimeout(ctx, usedWait)
	defer cancel()
	err = db.update(ctx, "write last use", func(ctx context.Context, tx *tx) (err error) {
		used, err = one(ctx, tx, rows.One[int64], `UPDATE keys SET last_used_at = service_millis()
			WHERE id = $1 AND abs(service_millis() - last_used_at) >= $2 RETURNING last_used_at`, id, rows.UsedEvery.Milliseconds())
		return err
	})
	return used, err
}

// CreateKey implements service.KeyStore.
func (db *DB) CreateKey(ctx context.Context, account int64, n service.NewKey, limit int) (k service.Key, err error) {
	err = db.update(ctx, "create key", func(ctx context.Context, tx *tx) error {
		a, now, err := tx.lock(ctx, account)
		if err != nil {
			return err
		}
		if a.ActiveKeys >= limit {
			return service.ErrKeyLimit
		}
		k, err = one(ctx, tx, rows.ScanKey, `INSERT INTO keys AS k (hash, id, account, prefix, name, created_at)
			VALUES ($1, $2, $3, $4, $5, $6) RETURNING `+rows.KeyColumns, n.Hash[:], n.ID, account, n.Prefix, text(n.Name), now)
		return err
	})
	return k, err
}

// Keys implements service.KeyStore.
func (db *DB) Keys(ctx context.Context, account int64) (list []service.Key, err error) {
	err = db.view(ctx, "list keys", func(ctx context.Context, q querier) error {
		list, err = all(ctx, q, rows.ScanKey,
			`SELECT `+rows.KeyColumns+` FROM keys k WHERE k.account = $1 ORDER BY k.created_at DESC, k.number DESC`, account)
		return err
	})
	return list, err
}

// RevokeKey implements service.KeyStore.
func (db *DB) RevokeKey(ctx context.Context, account int64, id string, c service.Change) error {
	if !storable(id) {
		return service.ErrNotFound
	}
	return db.update(ctx, "revoke key", func(ctx context.Context, tx *tx) error {
		changed, err := tx.change(ctx, `UPDATE keys SET revoked_at = service_millis(), revoked_by = $3
			WHERE id = $1 AND account = $2 AND revoked_at = 0`, id, account, text(c.Actor))
		if err != nil || changed > 0 {
			return err
		}
		known, err := one(ctx, tx, rows.One[bool], `SELECT EXISTS (SELECT FROM keys WHERE id = $1 AND account = $2)`, id, account)
		if err == nil && !known {
			return service.ErrNotFound
		}
		return err
	})
}
