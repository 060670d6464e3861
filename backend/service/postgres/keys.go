package postgres

import (
	"context"
	"time"

	"github.com/voicewright/voicewright/backend/service"
)

const (
	usedEvery = time.Minute            // how often the last use of a key is written
	usedWait  = 500 * time.Millisecond // how long a call waits for that
)

const keyColumns = `k.id, k.prefix, k.name, k.created_at, k.last_used_at, k.revoked_at, k.revoked_by`

// keyRow is a row of the table keys.
type keyRow struct {
	key                          service.Key
	createdAt, usedAt, revokedAt int64
}

// dest returns where the columns of keyColumns go.
func (r *keyRow) dest() []any {
	return []any{&r.key.ID, &r.key.Prefix, &r.key.Name, &r.createdAt, &r.usedAt, &r.revokedAt, &r.key.RevokedBy}
}

func (r *keyRow) value() service.Key {
	r.key.CreatedAt, r.key.LastUsedAt, r.key.RevokedAt = fromMillis(r.createdAt), fromMillis(r.usedAt), fromMillis(r.revokedAt)
	return r.key
}

func scanKey(row scanner) (service.Key, error) {
	var r keyRow
	err := row.Scan(r.dest()...)
	return r.value(), err
}

// keyCaller is an account with the key that names it.
type keyCaller struct {
	account service.Account
	key     service.Key
	stale   bool // the last use was long ago
}

func scanKeyCaller(row scanner) (c keyCaller, err error) {
	var a accountRow
	var k keyRow
	if err := row.Scan(append(append(a.dest(), k.dest()...), &c.stale)...); err != nil {
		return c, err
	}
	c.key = k.value()
	c.account, err = a.value()
	return c, err
}

const callerOfKey = `SELECT ` + accountColumns + `, ` + keyColumns + `, abs(service_millis() - k.last_used_at) >= $2
	FROM keys k JOIN accounts a ON a.id = k.account WHERE k.hash = $1 AND k.revoked_at = 0`

// KeyCaller implements service.KeyStore.
func (db *DB) KeyCaller(ctx context.Context, hash service.KeyHash) (service.Account, service.Key, error) {
	var c keyCaller
	err := db.view(ctx, "find key", func(ctx context.Context, q querier) (err error) {
		c, err = one(ctx, q, scanKeyCaller, callerOfKey, hash[:], usedEvery.Milliseconds())
		return err
	})
	if err != nil {
		return service.Account{}, service.Key{}, err
	}
	if c.stale {
		if used, err := db.touchKey(ctx, c.key.ID); err == nil {
			c.key.LastUsedAt = fromMillis(used)
		}
	}
	return c.account, c.key, nil
}

// touchKey writes the time of a key's last use, and returns it.
func (db *DB) touchKey(ctx context.Context, id string) (used int64, err error) {
	ctx, cancel := context.WithTimeout(ctx, usedWait)
	defer cancel()
	err = db.update(ctx, "write last use", func(ctx context.Context, tx *tx) (err error) {
		used, err = one(ctx, tx, scanOne[int64], `UPDATE keys SET last_used_at = service_millis()
			WHERE id = $1 AND abs(service_millis() - last_used_at) >= $2 RETURNING last_used_at`, id, usedEvery.Milliseconds())
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
		k, err = one(ctx, tx, scanKey, `INSERT INTO keys AS k (hash, id, account, prefix, name, created_at)
			VALUES ($1, $2, $3, $4, $5, $6) RETURNING `+keyColumns, n.Hash[:], n.ID, account, n.Prefix, text(n.Name), now)
		return err
	})
	return k, err
}

// Keys implements service.KeyStore.
func (db *DB) Keys(ctx context.Context, account int64) (list []service.Key, err error) {
	err = db.view(ctx, "list keys", func(ctx context.Context, q querier) error {
		list, err = all(ctx, q, scanKey,
			`SELECT `+keyColumns+` FROM keys k WHERE k.account = $1 ORDER BY k.created_at DESC, k.number DESC`, account)
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
		known, err := one(ctx, tx, scanOne[bool], `SELECT EXISTS (SELECT FROM keys WHERE id = $1 AND account = $2)`, id, account)
		if err == nil && !known {
			return service.ErrNotFound
		}
		return err
	})
}
