package sqlite

import (
	"context"
	"encoding/json"

	"github.com/voicewright/voicewright/backend/service"
)

const fileColumns = `f.name, f.format, f.bytes, c.seconds, f.created_at, f.expires_at
	FROM files f JOIN calls c ON c.seq = f.call`

func scanFile(row scanner) (service.File, error) {
	var f service.File
	var created, expires int64
	err := row.Scan(&f.Name, &f.Format, &f.Bytes, &f.Seconds, &created, &expires)
	f.CreatedAt, f.ExpiresAt = fromMillis(created), fromMillis(expires)
	return f, err
}

// File implements service.FileIndex.
func (db *DB) File(ctx context.Context, name string) (service.File, error) {
	f, err := one(ctx, db.read, scanFile, `SELECT `+fileColumns+` WHERE f.name = ?`, name)
	if err == nil && !db.read.now().Before(f.ExpiresAt) {
		err = service.ErrExpired
	}
	return f, fail("find file", err)
}

// Expired implements service.FileIndex.
func (db *DB) Expired(ctx context.Context, limit int) ([]string, error) {
	list, err := all(ctx, db.read, scanOne[string],
		`SELECT name FROM files WHERE removed = 0 AND expires_at <= ? ORDER BY expires_at LIMIT ?`, millis(db.read.now()), limit)
	return list, fail("list expired files", err)
}

// Removed implements service.FileIndex.
func (db *DB) Removed(ctx context.Context, names []string) error {
	return db.update(ctx, "mark removed files", func(ctx context.Context, tx *tx) error {
		for _, name := range names {
			if err := tx.exec(ctx, `UPDATE files SET removed = 1 WHERE name = ?`, name); err != nil {
				return err
			}
		}
		return nil
	})
}

// Indexed implements service.FileIndex.
func (db *DB) Indexed(ctx context.Context, names []string) ([]string, error) {
	const op = "find files"
	list, err := json.Marshal(names)
	if err != nil {
		return nil, fail(op, err)
	}
	found, err := all(ctx, db.read, scanOne[string],
		`SELECT name FROM files WHERE name IN (SELECT value FROM json_each(?))`, string(list))
	return found, fail(op, err)
}

// Alone implements service.FileIndex. On one machine it does no harm that several processes sweep at once.
func (*DB) Alone(ctx context.Context, f func(ctx context.Context) error) (bool, error) {
	return true, f(ctx)
}
