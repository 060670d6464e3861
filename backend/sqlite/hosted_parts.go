package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"github.com/voicewright/voicewright/backend"
)

// The columns of a call: what it is, and what is known of it.
var (
	hostedPartCall = columns[backend.HostedPart]{
		{"generation_id", func(p *backend.HostedPart) any { return &p.GenerationID }},
		{"n", func(p *backend.HostedPart) any { return &p.N }},
		{"kind", func(p *backend.HostedPart) any { return &p.Kind }},
		{"hash", func(p *backend.HostedPart) any { return &p.Hash }},
		{"characters", func(p *backend.HostedPart) any { return &p.Characters }},
		{"quoted", func(p *backend.HostedPart) any { return &p.Quoted }},
		{"created_at", func(p *backend.HostedPart) any { return asMillis(&p.CreatedAt) }},
		{"idempotency_key", func(p *backend.HostedPart) any { return &p.Key }},
		{"account", func(p *backend.HostedPart) any { return &p.Account }},
		{"copied_from", func(p *backend.HostedPart) any { return &p.CopiedFrom }},
	}
	hostedPartState = columns[backend.HostedPart]{
		{"state", func(p *backend.HostedPart) any { return &p.State }},
		{"credits", func(p *backend.HostedPart) any { return &p.Credits }},
		{"credits_left", func(p *backend.HostedPart) any { return &p.Left }},
		{"url", func(p *backend.HostedPart) any { return &p.URL }},
		{"format", func(p *backend.HostedPart) any { return &p.Format }},
		{"file", func(p *backend.HostedPart) any { return &p.File }},
		{"sha256", func(p *backend.HostedPart) any { return &p.SHA256 }},
		{"updated_at", func(p *backend.HostedPart) any { return asMillis(&p.UpdatedAt) }},
		{"request", func(p *backend.HostedPart) any { return &p.Request }},
	}
)

// The columns of each statement, and the statements.
var (
	hostedPartWritten = join(hostedPartCall, hostedPartState)
	hostedPartWhole   = join(columns[backend.HostedPart]{{"seq", func(p *backend.HostedPart) any { return &p.Seq }}}, hostedPartWritten)

	hostedPartSelect = `SELECT ` + hostedPartWhole.names() + ` FROM hosted_parts `
	hostedPartInsert = hostedPartWritten.insert("hosted_parts")
	hostedPartUpdate = hostedPartState.update("hosted_parts", "seq")
)

// AddHostedPart stores a call that is about to be made and sets its Seq and times. Error: backend.CodeGenerationNotFound.
func (db hostedCalls) AddHostedPart(ctx context.Context, p backend.HostedPart) (backend.HostedPart, error) {
	p.CreatedAt = fromMillis(millis(db.now()))
	p.UpdatedAt = p.CreatedAt
	err := db.update(ctx, "store a hosted call", func(tx *sql.Tx) error {
		if _, err := db.findGeneration(ctx, tx, p.GenerationID); err != nil {
			return err
		}
		added, err := tx.ExecContext(ctx, hostedPartInsert, hostedPartWritten.fields(&p)...)
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
func (db hostedCalls) UpdateHostedPart(ctx context.Context, p backend.HostedPart) (backend.HostedPart, error) {
	p.UpdatedAt = fromMillis(millis(db.now()))
	err := db.update(ctx, "store a hosted call", func(tx *sql.Tx) error {
		done, err := tx.ExecContext(ctx, hostedPartUpdate, append(hostedPartState.fields(&p), p.Seq)...)
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
func (db hostedCalls) HostedParts(ctx context.Context, generationID string) (parts []backend.HostedPart, err error) {
	err = db.view(ctx, "read hosted calls", func(tx *sql.Tx) error {
		parts, err = collect(ctx, tx, hostedPartWhole.scan,
			hostedPartSelect+`WHERE generation_id = ? ORDER BY seq`, generationID)
		return err
	})
	return parts, err
}

// HostedPartsIn returns the calls in one of these states, the oldest first.
func (db hostedCalls) HostedPartsIn(ctx context.Context, states ...backend.HostedState) (parts []backend.HostedPart, err error) {
	args := make([]any, len(states))
	for i, state := range states {
		args[i] = state
	}
	places := strings.TrimSuffix(strings.Repeat("?,", len(states)), ",")
	err = db.view(ctx, "read hosted calls", func(tx *sql.Tx) error {
		parts, err = collect(ctx, tx, hostedPartWhole.scan,
			hostedPartSelect+`WHERE state IN (`+places+`) ORDER BY seq`, args...)
		return err
	})
	return parts, err
}

// DeleteHostedParts forgets the calls of a generation.
func (db hostedCalls) DeleteHostedParts(ctx context.Context, generationID string) error {
	return db.update(ctx, "forget hosted calls", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM hosted_parts WHERE generation_id = ?`, generationID)
		return err
	})
}
