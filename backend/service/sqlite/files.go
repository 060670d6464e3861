package sqlite

import (
	"context"
	"encoding/json"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/rows"
)

func scanFile(row rows.Scanner) (r rows.File, err error) {
	err = row.Scan(r.Dest()...)
	return r, err
}

// File implements service.FileIndex.
func (db *DB) File(ctx context.Context, name string) (service.File, error) {
	const op = "find file"
	now := rows.Millis(db.read.now())
	r, err := one(ctx, db.read, scanFile,
		`SELECT `+rows.FileColumns+` FROM files f JOIN calls c ON c.seq = f.call WHERE f.name = ?`, name)
	if err != nil {
		return service.File{}, fail(op, err)
	}
	f, err := r.Value(now)
	return f, fail(op, err)
}

// Expired implements service.FileIndex.
func (db *DB) Expired(ctx context.Context, limit int) ([]string, error) {
	list, err := all(ctx, db.read, rows.One[string],
		`SELECT name FROM files WHERE removed = 0 AND expires_at <= ? ORDER BY expires_at LIMIT ?`, rows.Millis(db.read.now()), limit)
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
	found, err := all(ctx, db.read, rows.One[string],
		`SELECT name FROM files WHERE name IN (SELECT value FROM json_each(?))`, string(list))
	return found, fail(op, err)
}

// Alone implements service.FileIndex. On one machine it does no harm that several processes sweep at once.
func (*DB) Alone(ctx context.Context, f func(ctx context.Context) error) (bool, error) {
	return true, f(ctx)
}
