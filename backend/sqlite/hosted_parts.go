package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"github.com/voicewright/voicewright/backend"
)

const hostedPartColumns = `seq, generation_id, n, kind, state, hash, characters, quoted, credits, credits_left,
	url, format, file, sha256, created_at, updated_at, idempotency_key, account, request`

func scanHostedPart(rows *sql.Rows) (p backend.HostedPart, err error) {
	var created, updated int64
	err = rows.Scan(&p.Seq, &p.GenerationID, &p.N, &p.Kind, &p.State, &p.Hash, &p.Characters, &p.Quoted, &p.Credits, &p.Left,
		&p.URL, &p.Format, &p.File, &p.SHA256, &created, &updated, &p.Key, &p.Account, &p.Request)
	p.CreatedAt, p.UpdatedAt = fromMillis(created), fromMillis(updated)
	return p, err
}

// AddHostedPart stores a call that is about to be made and sets its Seq and times. Error: backend.CodeGenerationNotFound.
func (db *DB) AddHostedPart(ctx context.Context, p backend.HostedPart) (backend.HostedPart, error) {
	p.CreatedAt = fromMillis(millis(db.now()))
	p.UpdatedAt = p.CreatedAt
	err := db.update(ctx, "store a hosted call", func(tx *sql.Tx) error {
		if _, err := db.findGeneration(ctx, tx, p.GenerationID); err != nil {
			return err
		}
		added, err := tx.ExecContext(ctx, `INSERT INTO hosted_parts (generation_id, n, kind, state, hash, characters, quoted,
			credits, credits_left, url, format, file, sha256, created_at, updated_at, idempotency_key, account, request)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			p.GenerationID, p.N, p.Kind, p.State, p.Hash, p.Characters, p.Quoted,
			p.Credits, p.Left, p.URL, p.Format, p.File, p.SHA256, millis(p.CreatedAt), millis(p.UpdatedAt), p.Key, p.Account, p.Request)
		if err != nil {
			return err
		}
		p.Seq, err = added.LastInsertId()
		return err
	})
	if err != nil {
		return backend.HostedPart{}, err
	}
	return p, nil
}

// UpdateHostedPart stores what is known of a call now, and returns it with its time. Error: backend.CodeGenerationNotFound
// after its generation was deleted.
func (db *DB) UpdateHostedPart(ctx context.Context, p backend.HostedPart) (backend.HostedPart, error) {
	p.UpdatedAt = fromMillis(millis(db.now()))
	err := db.update(ctx, "store a hosted call", func(tx *sql.Tx) error {
		done, err := tx.ExecContext(ctx, `UPDATE hosted_parts SET state = ?, credits = ?, credits_left = ?, url = ?, format = ?,
			file = ?, sha256 = ?, updated_at = ?, request = ? WHERE seq = ?`,
			p.State, p.Credits, p.Left, p.URL, p.Format, p.File, p.SHA256, millis(p.UpdatedAt), p.Request, p.Seq)
		if err != nil {
			return err
		}
		n, err := done.RowsAffected()
		if err == nil && n == 0 {
			_, err = db.findGeneration(ctx, tx, p.GenerationID)
			err = errors.Join(err, sql.ErrNoRows)
		}
		return err
	})
	if err != nil {
		return backend.HostedPart{}, err
	}
	return p, nil
}

// HostedParts returns the calls of a generation, the oldest first.
func (db *DB) HostedParts(ctx context.Context, generationID string) (parts []backend.HostedPart, err error) {
	err = db.view(ctx, "read hosted calls", func(tx *sql.Tx) error {
		parts, err = collect(ctx, tx, scanHostedPart,
			`SELECT `+hostedPartColumns+` FROM hosted_parts WHERE generation_id = ? ORDER BY seq`, generationID)
		return err
	})
	return parts, err
}

// HostedPartsIn returns the calls in one of these states, the oldest first.
func (db *DB) HostedPartsIn(ctx context.Context, states ...backend.HostedState) (parts []backend.HostedPart, err error) {
	args := make([]any, len(states))
	for i, state := range states {
		args[i] = state
	}
	places := strings.TrimSuffix(strings.Repeat("?,", len(states)), ",")
	err = db.view(ctx, "read hosted calls", func(tx *sql.Tx) error {
		parts, err = collect(ctx, tx, scanHostedPart,
			`SELECT `+hostedPartColumns+` FROM hosted_parts WHERE state IN (`+places+`) ORDER BY seq`, args...)
		return err
	})
	return parts, err
}

// DeleteHostedParts forgets the calls of a generation.
func (db *DB) DeleteHostedParts(ctx context.Context, generationID string) error {
	return db.update(ctx, "forget hosted calls", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM hosted_parts WHERE generation_id = ?`, generationID)
		return err
	})
}
