package sqlite

import (
	"context"
	"database/sql"
	"fmt"
)

// placed returns a stored path as it is to be used.
func (db *library) placed(path string) string {
	if path == "" || db.place == nil {
		return path
	}
	return db.place(path)
}

// unplaced returns the path to store for one in use: the stored one where that is still the same file, else the path itself. A
// file that cannot be used now may be back later.
func (db *library) unplaced(path, stored string) string {
	if path == db.placed(stored) {
		return stored
	}
	return path
}

// scanPath reads the only column of a row, a path.
func (db *library) scanPath(rows *sql.Rows) (string, error) {
	path, err := scanOne[string](rows)
	return db.placed(path), err
}

// AudioPaths returns the audio files of the history by generation id. Generations without a file are left out.
func (db generations) AudioPaths(ctx context.Context) (map[string]string, error) {
	return db.paths(ctx, "generations")
}

// paths returns the audio files of a table by id.
func (db *library) paths(ctx context.Context, table string) (map[string]string, error) {
	paths := map[string]string{}
	err := db.view(ctx, "list audio files", func(tx *sql.Tx) error {
		return each(ctx, tx, func(rows *sql.Rows) error {
			var id, path string
			err := rows.Scan(&id, &path)
			paths[id] = db.placed(path)
			return err
		}, `SELECT id, audio_path FROM `+table+` WHERE audio_path <> ''`)
	})
	return paths, err
}

// ScriptPaths returns the joined files of scripts.
func (db scripts) ScriptPaths(ctx context.Context) (paths []string, err error) {
	err = db.view(ctx, "list joined files", func(tx *sql.Tx) (err error) {
		paths, err = collect(ctx, tx, db.scanPath, `SELECT audio_path FROM scripts WHERE audio_path <> '' ORDER BY audio_path`)
		return err
	})
	return paths, err
}

// MoveAudio replaces the audio path of each generation, former version, script and transcript by the result of place.
func (db *DB) MoveAudio(ctx context.Context, place func(path string) string) error {
	return db.update(ctx, "move audio", func(tx *sql.Tx) error {
		for _, table := range []string{"generations", "generation_versions", "scripts", "transcripts"} {
			paths, err := collect(ctx, tx, scanOne[string], `SELECT audio_path FROM `+table+` WHERE audio_path <> ''`)
			if err != nil {
				return err
			}
			for _, path := range paths {
				if to := place(path); to != path {
					if _, err := tx.ExecContext(ctx, `UPDATE `+table+` SET audio_path = ? WHERE audio_path = ?`, to, path); err != nil {
						return err
					}
				}
			}
		}
		return nil
	})
}

// CheckNames returns an error if the id of a generation, script, book, transcript, profile or sample, or the format of a generation, is
// not a plain name, because files and folders are named after them. Error: database_corrupt.
func (db *DB) CheckNames(ctx context.Context) error {
	return db.view(ctx, "check names", func(tx *sql.Tx) error {
		bad, err := collect(ctx, tx, scanOne[string], `SELECT name FROM (SELECT id AS name FROM generations UNION ALL SELECT id FROM scripts
				UNION ALL SELECT id FROM books UNION ALL SELECT id FROM transcripts UNION ALL SELECT id FROM profiles
				UNION ALL SELECT id FROM samples
				UNION ALL SELECT 'format-' || format FROM generations)
			WHERE name = '' OR name GLOB '*[^0-9A-Za-z_-]*' OR instr(name, char(0)) > 0 LIMIT 1`)
		if err == nil && len(bad) > 0 {
			err = db.errCorrupt(fmt.Errorf("%q is not a plain name", bad[0]))
		}
		return err
	})
}
