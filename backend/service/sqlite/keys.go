package sqlite

import (
	"context"
	"time"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/rows"
)

// usedWait is how long a call waits until the last use of its key is written.
const usedWait = 200 * time.Millisecond

// caller is an account with the key that names it.
type caller struct {
	account rows.Account
	key     rows.Key
}

func scanCaller(row rows.Scanner) (c caller, err error) {
	err = row.Scan(append(c.account.Dest(), c.key.Dest()...)...)
	return c, err
}

// KeyCaller implements service.KeyStore.
func (db *DB) KeyCaller(ctx context.Context, hash service.KeyHash) (service.Account, service.Key, error) {
	const op = "find key"
	now := rows.Millis(db.read.now())
	c, err := one(ctx, db.read, scanCaller, `SELECT `+rows.AccountColumns+`, `+rows.KeyColumns+`
		FROM keys k JOIN accounts a ON a.id = k.account WHERE k.hash = ? AND k.revoked_at = 0`, hash[:])
	if err != nil {
		return service.Account{}, service.Key{}, fail(op, err)
	}
	a, err := c.account.Value(now)
	if err != nil {
		return service.Account{}, service.Key{}, fail(op, err)
	}
	k := c.key.Value()
	if c.key.Stale(now) && touchKey(ctx, db, k.ID, now) == nil {
		k.LastUsedAt = rows.Time(now)
	}
	return a, k, nil
}

// touchKey writes the time of a key's last use.
func touchKey(ctx context.Context, db *DB, id string, now int64) error {
	ctx, cancel := context.WithTimeout(ctx, usedWait)
	defer cancel()
	return db.update(ctx, "write last use", func(ctx context.Context, tx *tx) error {
		return tx.exec(ctx, `UPDATE keys SET last_used_at = ?1 WHERE id = ?2 AND abs(?1 - last_used_at) >= ?3`,
			now, id, rows.UsedEvery.Milliseconds())
	})
}

// CreateKey implements service.KeyStore.
func (db *DB) CreateKey(ctx context.Context, account int64, k service.NewKey, limit int) (made service.Key, err error) {
	err = db.update(ctx, "create key", func(ctx context.Context, tx *tx) error {
		a, err := accountByID(ctx, tx, account)
		if err != nil {
			return err
		}
		if a.ActiveKeys >= limit {
			return service.ErrKeyLimit
		}
		now := rows.Millis(tx.now())
		made = service.Key{ID: k.ID, Prefix: k.Prefix, Name: k.Name, CreatedAt: rows.Time(now)}
		return tx.exec(ctx, `INSERT INTO keys (hash, id, account, prefix, name, created_at) VALUES (?, ?, ?, ?, ?, ?)`,
			k.Hash[:], k.ID, account, k.Prefix, k.Name, now)
	})
	return made, err
}

// Keys implements service.KeyStore.
func (db *DB) Keys(ctx context.Context, account int64) ([]service.Key, error) {
	list, err := all(ctx, db.read, rows.ScanKey,
		`SELECT `+rows.KeyColumns+` FROM keys k WHERE k.account = ? ORDER BY k.created_at DESC, k.rowid DESC`, account)
	return list, fail("list keys", err)
}

// RevokeKey implements service.KeyStore.
func (db *DB) RevokeKey(ctx context.Context, account int64, id string, c service.Change) error {
	return db.update(ctx, "revoke key", func(ctx context.Context, tx *tx) error {
		revokedAt, err := one(ctx, tx, rows.One[int64], `SELECT revoked_at FROM keys WHERE id = ? AND account = ?`, id, account)
		if err != nil || revokedAt != 0 {
			return err
		}
		return tx.exec(ctx, `UPDATE keys SET revoked_at = ?, revoked_by = ? WHERE id = ?`, rows.Millis(tx.now()), c.Actor, id)
	})
}
