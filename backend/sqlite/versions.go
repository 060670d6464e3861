package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"github.com/voicewright/voicewright/backend"
)

// ReviseGeneration is UpdateGeneration that also stores what change replaces, in the place of an earlier version.
func (db generations) ReviseGeneration(
	ctx context.Context, id string, change func(*backend.Generation) error,
) (backend.Generation, error) {
	var g backend.Generation
	err := db.update(ctx, "revise generation", func(tx *sql.Tx) error {
		row, err := db.findGeneration(ctx, tx, id)
		if err != nil {
			return err
		}
		before := row.Replaced()
		content, err := json.Marshal(before)
		if err != nil {
			return err
		}
		if g, err = db.storeChange(ctx, tx, row, change); err != nil {
			return err
		}
		g.CanUndo = true
		_, err = tx.ExecContext(ctx, `INSERT OR REPLACE INTO generation_versions (generation_id, audio_path, content) VALUES (?, ?, ?)`,
			id, row.stored, string(content))
		return err
	})
	return g, err
}

// UndoRevision replaces a generation by its version before, which is then no longer stored. Errors: generation_not_found,
// nothing_to_undo.
func (db generations) UndoRevision(ctx context.Context, id string) (backend.Generation, error) {
	var g backend.Generation
	err := db.update(ctx, "undo revision", func(tx *sql.Tx) error {
		row, err := db.findGeneration(ctx, tx, id)
		if err != nil {
			return err
		}
		v, ok, err := db.formerVersion(ctx, tx, id)
		if err != nil {
			return err
		}
		if !ok {
			return backend.E(backend.CodeNothingToUndo, "There is no earlier version of this generation.",
				"Only the last change of a text can be undone.").
				With("generation_id", id)
		}
		row.stored, v.AudioPath = v.AudioPath, db.placed(v.AudioPath)
		g, err = db.storeChange(ctx, tx, row, func(g *backend.Generation) error {
			v.Restore(g)
			return nil
		})
		if err != nil {
			return err
		}
		g.CanUndo = false
		_, err = tx.ExecContext(ctx, `DELETE FROM generation_versions WHERE generation_id = ?`, id)
		return err
	})
	return g, err
}

// FormerVersion returns the version of a generation before its text was last changed, and whether there is one.
func (db generations) FormerVersion(ctx context.Context, id string) (v backend.FormerVersion, ok bool, err error) {
	err = db.view(ctx, "read former version", func(tx *sql.Tx) error {
		v, ok, err = db.formerVersion(ctx, tx, id)
		v.AudioPath = db.placed(v.AudioPath)
		return err
	})
	return v, ok, err
}

// formerVersion returns the former version of a generation with its stored path.
func (db generations) formerVersion(ctx context.Context, tx *sql.Tx, id string) (v backend.FormerVersion, ok bool, err error) {
	err = each(ctx, tx, func(rows *sql.Rows) error {
		var path string
		var content sql.RawBytes
		if err := rows.Scan(&path, &content); err != nil {
			return err
		}
		ok = true
		if err := json.Unmarshal(content, &v); err != nil {
			return fmt.Errorf("read the former version of generation %s: %w", id, err)
		}
		v.AudioPath = path
		return nil
	}, `SELECT audio_path, content FROM generation_versions WHERE generation_id = ?`, id)
	return v, ok, err
}

// FormerPaths returns the audio files of former versions.
func (db generations) FormerPaths(ctx context.Context) (paths []string, err error) {
	err = db.view(ctx, "list the audio of former versions", func(tx *sql.Tx) (err error) {
		paths, err = collect(ctx, tx, db.scanPath, `SELECT audio_path FROM generation_versions ORDER BY audio_path`)
		return err
	})
	return paths, err
}
