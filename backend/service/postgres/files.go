package postgres

import (
	"context"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/rows"
)

// indexed is an entry of the index, and when it was read.
type indexed struct {
	file rows.File
	now  int64
}

func scanFile(row rows.Scanner) (f indexed, err error) {
	err = row.Scan(append(f.file.Dest(), &f.now)...)
	return f, err
}

// File implements service.FileIndex.
func (db *DB) File(ctx context.Context, name string) (service.File, error) {
	if !storable(name) {
		return service.File{}, service.ErrNotFound
	}
	var f indexed
	err := db.view(ctx, "find file", func(ctx context.Context, q querier) (err error) {
		f, err = one(ctx, q, scanFile, `SELECT `+rows.FileColumns+`, service_millis()
			FROM files f JOIN calls c ON c.seq = f.call WHERE f.name = $1`, name)
		return err
	})
	if err != nil {
		return service.File{}, err
	}
	return f.file.Value(f.now)
}

// Expired implements service.FileIndex.
func (db *DB) Expired(ctx context.Context, limit int) (names []string, err error) {
	err = db.view(ctx, "list expired files", func(ctx context.Context, q querier) error {
		names, err = all(ctx, q, rows.One[string],
			`SELECT name FROM files WHERE removed = 0 AND expires_at <= (SELECT service_millis()) ORDER BY expires_at LIMIT $1`, limit)
		return err
	})
	return names, err
}

// Removed implements service.FileIndex.
func (db *DB) Removed(ctx context.Context, names []string) error {
	return db.update(ctx, "mark removed files", func(ctx context.Context, tx *tx) error {
		return tx.exec(ctx, `UPDATE files SET removed = 1 WHERE name = ANY($1)`, storableOnly(names))
	})
}

// Indexed implements service.FileIndex.
func (db *DB) Indexed(ctx context.Context, names []string) (found []string, err error) {
	err = db.view(ctx, "find files", func(ctx context.Context, q querier) error {
		found, err = all(ctx, q, rows.One[string], `SELECT name FROM files WHERE name = ANY($1)`, storableOnly(names))
		return err
	})
	return found, err
}
