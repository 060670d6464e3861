package sqlite

import (
	"context"
	"time"

	"github.com/voicewright/voicewright/backend/service"
)

const (
	usedEvery = time.Minute            // how often the last use of a key is written
	usedWait  = 200 * time.Millisecond // how long a call waits for that
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

// KeyCaller implements service.KeyStore.
func (db *DB) KeyCaller(ctx context.Context, hash service.KeyHash) (service.Account, service.Key, error) {
	var r keyRow
	now := db.read.now()
	a, err := one(ctx, db.read, func(row scanner) (service.Account, error) {
		return scanAccount(appended{row, r.dest()}, now)
	}, `SELECT `+accountColumns+`, `+keyColumns+` FROM keys k JOIN accounts a ON a.id = k.account
		WHERE k.hash = ? AND k.revoked_at = 0`, hash[:])
	if err != nil {
		return service.Account{}, service.Key{}, fail("find key", err)
	}
	k := r.value()
	if now.Sub(k.LastUsedAt).Abs() >= usedEvery && db.touchKey(ctx, k.ID, now) == nil {
		k.LastUsedAt = fromMillis(millis(now))
	}
	return a, k, nil
}

// appended scans a row into more values than its caller names.
type appended struct {
	row  scanner
	more []any
}

// Scan implements scanner.
func (a appended) Scan(dest ...any) error { return a.row.Scan(append(dest, a.more...)...) }

// touchKey writes the time of a key's last use.
func (db *DB) touchKey(ctx context.Context, id string, now time.Time) error {
	ctx, cancel := context.WithTimeout(ctx, usedWait)
	defer cancel()
	return db.update(ctx, "write last use", func(ctx context.Context, tx *tx) error {
		return tx.exec(ctx, `UPDATE keys SET last_used_at = ?1 WHERE id = ?2 AND abs(?1 - last_used_at) >= ?3`,
			millis(now), id, usedEvery.Milliseconds())
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
		now := millis(tx.now())
		made = service.Key{ID: k.ID, Prefix: k.Prefix, Name: k.Name, CreatedAt: fromMillis(now)}
		return tx.exec(ctx, `INSERT INTO keys (hash, id, account, prefix, name, created_at) VALUES (?, ?, ?, ?, ?, ?)`,
			k.Hash[:], k.ID, account, k.Prefix, k.Name, now)
	})
	return made, err
}

// Keys implements service.KeyStore.
func (db *DB) Keys(ctx context.Context, account int64) ([]service.Key, error) {
	list, err := all(ctx, db.read, scanKey,
		`SELECT `+keyColumns+` FROM keys k WHERE k.account = ? ORDER BY k.created_at DESC, k.rowid DESC`, account)
	return list, fail("list keys", err)
}

// RevokeKey implements service.KeyStore.
func (db *DB) RevokeKey(ctx context.Context, account int64, id string, c service.Change) error {
	return db.update(ctx, "revoke key", func(ctx context.Context, tx *tx) error {
		revokedAt, err := one(ctx, tx, scanOne[int64], `SELECT revoked_at FROM keys WHERE id = ? AND account = ?`, id, account)
		if err != nil || revokedAt != 0 {
			return err
		}
		return tx.exec(ctx, `UPDATE keys SET revoked_at = ?, revoked_by = ? WHERE id = ?`, millis(tx.now()), c.Actor, id)
	})
}
