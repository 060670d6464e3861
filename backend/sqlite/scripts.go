package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/voicewright/voicewright/backend"
)

// scripts selects all scripts, newest first.
func scripts(page backend.Page) selection {
	return selection{
		table: "scripts", columns: "seq, " + scriptColumns, order: order{desc: true}, page: page,
	}
}

// scriptColumns are the columns of a script, in the order of scriptValues and scanScript.
const scriptColumns = `id, title, gap_ms, audio_path, duration, sample_rate, created_at, updated_at, turns, joined, previous, spare, receipt, speakers`

func scriptValues(s backend.Script) ([]any, error) {
	if s.Generations == nil {
		s.Generations = []string{}
	}
	turns, err := json.Marshal(s.Generations)
	joined, joinedErr := orNull(s.Joined, s.Joined != nil)
	previous, previousErr := orNull(s.Previous, s.Previous != nil)
	spare, spareErr := orNull(s.Spare, len(s.Spare) > 0)
	receipt, receiptErr := orNull(s.Receipt, s.Receipt != nil)
	speakers, speakersErr := orNull(s.Speakers, s.Speakers != nil)
	return []any{
		s.ID, s.Title, s.GapMS, s.AudioPath, s.Duration, s.SampleRate, millis(s.CreatedAt), millis(s.UpdatedAt), string(turns),
		joined, previous, spare, receipt, speakers,
	}, errors.Join(err, joinedErr, previousErr, spareErr, receiptErr, speakersErr)
}

// orNull returns a value as JSON, or NULL.
func orNull(value any, present bool) (any, error) {
	if !present {
		return nil, nil //nolint:nilnil // NULL
	}
	raw, err := json.Marshal(value)
	return string(raw), err
}

func (db *DB) scanScript(rows *sql.Rows) (backend.Script, cursor, error) {
	var s backend.Script
	var at cursor
	var created, updated int64
	var turns, joined, previous, spare, receipt, speakers sql.RawBytes
	err := rows.Scan(&at.Seq, &s.ID, &s.Title, &s.GapMS, &s.AudioPath, &s.Duration, &s.SampleRate, &created, &updated,
		&turns, &joined, &previous, &spare, &receipt, &speakers)
	if err != nil {
		return s, at, err
	}
	s.AudioPath = db.placed(s.AudioPath)
	s.CreatedAt, s.UpdatedAt = fromMillis(created), fromMillis(updated)
	for _, column := range []struct {
		raw sql.RawBytes
		to  any
	}{{turns, &s.Generations}, {joined, &s.Joined}, {previous, &s.Previous}, {spare, &s.Spare}, {receipt, &s.Receipt}, {speakers, &s.Speakers}} {
		if column.raw == nil {
			continue
		}
		if err := json.Unmarshal(column.raw, column.to); err != nil {
			return s, at, fmt.Errorf("read script %s: %w", s.ID, err)
		}
	}
	return s, at, nil
}

// CreateScript stores a new script. It sets an empty ID and zero times; times are stored in milliseconds.
func (db *DB) CreateScript(ctx context.Context, s backend.Script) (backend.Script, error) {
	if s.ID == "" {
		s.ID = db.newID()
	}
	if s.CreatedAt.IsZero() {
		s.CreatedAt = db.now()
	}
	s.CreatedAt = fromMillis(millis(s.CreatedAt))
	s.UpdatedAt = s.CreatedAt
	values, err := scriptValues(s)
	if err != nil {
		return backend.Script{}, fmt.Errorf("create script: %w", err)
	}
	err = db.update(ctx, "create script", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx,
			`INSERT INTO scripts (`+scriptColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, values...)
		return err
	})
	if err != nil {
		return backend.Script{}, err
	}
	return s, nil
}

// Script returns the script with this id, else backend.CodeScriptNotFound.
func (db *DB) Script(ctx context.Context, id string) (backend.Script, error) {
	var s backend.Script
	err := db.view(ctx, "read script", func(tx *sql.Tx) (err error) {
		s, err = find(ctx, tx, scripts(backend.Page{}), id, db.scanScript, unknownScript(id))
		return err
	})
	return s, err
}

// Scripts returns a page of the scripts, newest first. A wrong cursor or limit is a *backend.ValidationError.
func (db *DB) Scripts(ctx context.Context, page backend.Page) (backend.List[backend.Script], error) {
	return list(ctx, db, scripts(page), db.scanScript)
}

// UpdateScript calls change with the script and stores the result with a new updated_at, in one write transaction. ID and
// CreatedAt cannot be changed. An error of change is returned and nothing is stored. change must be fast because it holds the
// write lock. Error: backend.CodeScriptNotFound.
func (db *DB) UpdateScript(
	ctx context.Context, id string, change func(*backend.Script) error,
) (backend.Script, error) {
	var s backend.Script
	err := db.update(ctx, "change script", func(tx *sql.Tx) error {
		stored, err := find(ctx, tx, scripts(backend.Page{}), id, db.scanScript, unknownScript(id))
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
		values, err := scriptValues(kept)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx,
			`UPDATE scripts SET (`+scriptColumns+`) = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE id = ?`, append(values, id)...)
		return err
	})
	if err != nil {
		return backend.Script{}, err
	}
	return s, nil
}

// SetSpareTurns stores the generations of neither version of a script, which is no change for its readers: updated_at stays.
func (db *DB) SetSpareTurns(ctx context.Context, id string, spare []string) error {
	list, err := orNull(spare, len(spare) > 0)
	if err != nil {
		return fmt.Errorf("change script: %w", err)
	}
	return db.update(ctx, "change script", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE scripts SET spare = ? WHERE id = ?`, list, id)
		return err
	})
}

// DeleteScript deletes the script with this id and returns it. Error: backend.CodeScriptNotFound.
func (db *DB) DeleteScript(ctx context.Context, id string) (backend.Script, error) {
	var s backend.Script
	err := db.update(ctx, "delete script", func(tx *sql.Tx) (err error) {
		if s, err = find(ctx, tx, scripts(backend.Page{}), id, db.scanScript, unknownScript(id)); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `DELETE FROM scripts WHERE id = ?`, id)
		return err
	})
	return s, err
}

func unknownScript(id string) error {
	return backend.E(backend.CodeScriptNotFound, "No script has this id.",
		"It may have been deleted; check the list of scripts.").With("id", id)
}
