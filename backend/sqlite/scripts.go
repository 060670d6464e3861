package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/voicewright/voicewright/backend"
)

// scriptRow is a script with its position in the list.
type scriptRow struct {
	backend.Script
	seq int64
}

// The columns of a script, and the statements.
var (
	scriptColumns = columns[scriptRow]{
		{"id", func(s *scriptRow) any { return &s.ID }},
		{"title", func(s *scriptRow) any { return &s.Title }},
		{"gap_ms", func(s *scriptRow) any { return &s.GapMS }},
		{"audio_path", func(s *scriptRow) any { return &s.AudioPath }},
		{"duration", func(s *scriptRow) any { return &s.Duration }},
		{"sample_rate", func(s *scriptRow) any { return &s.SampleRate }},
		{"created_at", func(s *scriptRow) any { return asMillis(&s.CreatedAt) }},
		{"updated_at", func(s *scriptRow) any { return asMillis(&s.UpdatedAt) }},
		{"turns", func(s *scriptRow) any { return asJSON(&s.Generations) }},
		{"joined", func(s *scriptRow) any { return orNull(&s.Joined, s.Joined != nil) }},
		{"previous", func(s *scriptRow) any { return orNull(&s.Previous, s.Previous != nil) }},
		{"spare", func(s *scriptRow) any { return orNull(&s.Spare, len(s.Spare) > 0) }},
		{"receipt", func(s *scriptRow) any { return orNull(&s.Receipt, s.Receipt != nil) }},
		{"speakers", func(s *scriptRow) any { return orNull(&s.Speakers, s.Speakers != nil) }},
	}
	scriptRead = join(columns[scriptRow]{{"seq", func(s *scriptRow) any { return &s.seq }}}, scriptColumns)

	scriptInsert = scriptColumns.insert("scripts")
	scriptUpdate = scriptColumns.update("scripts", "id")
)

// allScripts selects all scripts, newest first.
func allScripts(page backend.Page) selection {
	return selection{table: "scripts", columns: scriptRead.names(), order: order{desc: true}, page: page}
}

// scriptValues returns the arguments of scriptInsert.
func scriptValues(s backend.Script) []any {
	if s.Generations == nil {
		s.Generations = []string{}
	}
	return scriptColumns.fields(&scriptRow{Script: s})
}

func (db scripts) scanScript(rows *sql.Rows) (backend.Script, cursor, error) {
	s, err := scriptRead.scan(rows)
	if err != nil {
		return s.Script, cursor{}, fmt.Errorf("read script %s: %w", s.ID, err)
	}
	s.AudioPath = db.placed(s.AudioPath)
	return s.Script, cursor{Seq: s.seq}, nil
}

// CreateScript stores a new script. It sets an empty ID and zero times; times are stored in milliseconds.
func (db scripts) CreateScript(ctx context.Context, s backend.Script) (backend.Script, error) {
	if s.ID == "" {
		s.ID = db.newID()
	}
	if s.CreatedAt.IsZero() {
		s.CreatedAt = db.now()
	}
	s.CreatedAt = fromMillis(millis(s.CreatedAt))
	s.UpdatedAt = s.CreatedAt
	err := db.update(ctx, "create script", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, scriptInsert, scriptValues(s)...)
		return err
	})
	if err != nil {
		return backend.Script{}, err
	}
	return s, nil
}

// Script returns the script with this id, else backend.CodeScriptNotFound.
func (db scripts) Script(ctx context.Context, id string) (backend.Script, error) {
	var s backend.Script
	err := db.view(ctx, "read script", func(tx *sql.Tx) (err error) {
		s, err = find(ctx, tx, allScripts(backend.Page{}), id, db.scanScript, errUnknownScript(id))
		return err
	})
	return s, err
}

// Scripts returns a page of the scripts, newest first. A wrong cursor or limit is a *backend.ValidationError.
func (db scripts) Scripts(ctx context.Context, page backend.Page) (backend.List[backend.Script], error) {
	return list(ctx, db.library, allScripts(page), db.scanScript)
}

// UpdateScript calls change with the script and stores the result with a new updated_at, in one write transaction. ID and
// CreatedAt cannot be changed. An error of change is returned and nothing is stored. change must be fast because it holds the
// write lock. Error: backend.CodeScriptNotFound.
func (db scripts) UpdateScript(
	ctx context.Context, id string, change func(*backend.Script) error,
) (backend.Script, error) {
	var s backend.Script
	err := db.update(ctx, "change script", func(tx *sql.Tx) error {
		stored, err := find(ctx, tx, allScripts(backend.Page{}), id, db.scanScript, errUnknownScript(id))
		if err != nil {
			return err
		}
		s = stored
		if err := change(&s); err != nil {
			return err
		}
		s.ID, s.CreatedAt, s.UpdatedAt = stored.ID, stored.CreatedAt, fromMillis(millis(db.now()))
		paths, err := collect(ctx, tx, scanOne[string], `SELECT audio_path FROM scripts WHERE id = ?`, id)
		if err != nil {
			return err
		}
		kept := s
		kept.AudioPath = db.unplaced(s.AudioPath, paths[0])
		_, err = tx.ExecContext(ctx, scriptUpdate, append(scriptValues(kept), id)...)
		return err
	})
	if err != nil {
		return backend.Script{}, err
	}
	return s, nil
}

// SetSpareTurns stores the generations of neither version of a script, which is no change for its readers: updated_at stays.
func (db scripts) SetSpareTurns(ctx context.Context, id string, spare []string) error {
	return db.update(ctx, "change script", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE scripts SET spare = ? WHERE id = ?`, orNull(&spare, len(spare) > 0), id)
		return err
	})
}

// DeleteScript deletes the script with this id and returns it. Error: backend.CodeScriptNotFound.
func (db scripts) DeleteScript(ctx context.Context, id string) (backend.Script, error) {
	var s backend.Script
	err := db.update(ctx, "delete script", func(tx *sql.Tx) (err error) {
		if s, err = find(ctx, tx, allScripts(backend.Page{}), id, db.scanScript, errUnknownScript(id)); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `DELETE FROM scripts WHERE id = ?`, id)
		return err
	})
	return s, err
}

func errUnknownScript(id string) error {
	return backend.E(backend.CodeScriptNotFound, "No script has this id.",
		"It may have been deleted; check the list of scripts.").With("id", id)
}
