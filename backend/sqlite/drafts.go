package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"github.com/voicewright/voicewright/backend"
)

// draftRow is a draft as it is stored.
type draftRow struct {
	backend.Draft
	seq     int64
	content string // as JSON
}

// The columns of a draft, and the statements.
var (
	draftColumns = columns[draftRow]{
		{"id", func(d *draftRow) any { return &d.ID }},
		{"name", func(d *draftRow) any { return &d.Name }},
		{"created_at", func(d *draftRow) any { return asMillis(&d.CreatedAt) }},
		{"updated_at", func(d *draftRow) any { return asMillis(&d.UpdatedAt) }},
		{"content", func(d *draftRow) any { return &d.content }},
	}
	draftRead = join(columns[draftRow]{{"seq", func(d *draftRow) any { return &d.seq }}}, draftColumns)

	draftInsert = draftColumns.insert("drafts")
	draftUpdate = draftColumns.update("drafts", "id")
)

// allDrafts selects all drafts, last changed first.
func allDrafts(page backend.Page) selection {
	return selection{table: "drafts", columns: draftRead.names(), order: order{column: "updated_at", desc: true}, page: page}
}

func scanDraft(rows *sql.Rows) (backend.Draft, cursor, error) {
	d, err := draftRead.scan(rows)
	at := cursor{Number: float64(millis(d.UpdatedAt)), Seq: d.seq}
	if err != nil {
		return d.Draft, at, err
	}
	if err := json.Unmarshal([]byte(d.content), &d.Content); err != nil {
		return d.Draft, at, fmt.Errorf("read content of draft %s: %w", d.ID, err)
	}
	return d.Draft, at, nil
}

// CreateDraft stores a new draft and sets its id and times. Error: ValidationError.
func (db drafts) CreateDraft(ctx context.Context, d backend.Draft) (backend.Draft, error) {
	if err := d.Check(); err != nil {
		return backend.Draft{}, err
	}
	if d.Content == nil {
		d.Content = map[string]json.RawMessage{}
	}
	content, err := json.Marshal(d.Content)
	if err != nil {
		return backend.Draft{}, fmt.Errorf("create draft: %w", err)
	}
	d.ID, d.CreatedAt = db.newID(), fromMillis(millis(db.now()))
	d.UpdatedAt = d.CreatedAt
	err = db.update(ctx, "create draft", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, draftInsert, draftColumns.fields(&draftRow{Draft: d, content: string(content)})...)
		return err
	})
	if err != nil {
		return backend.Draft{}, err
	}
	return d, nil
}

// Draft returns the draft with this id, else backend.CodeDraftNotFound.
func (db drafts) Draft(ctx context.Context, id string) (backend.Draft, error) {
	var d backend.Draft
	err := db.view(ctx, "read draft", func(tx *sql.Tx) (err error) {
		d, err = find(ctx, tx, allDrafts(backend.Page{}), id, scanDraft, errUnknownDraft(id))
		return err
	})
	return d, err
}

// Drafts returns a page of the drafts, last changed first. A wrong cursor or limit is a *backend.ValidationError.
func (db drafts) Drafts(ctx context.Context, f backend.DraftFilter) (backend.List[backend.Draft], error) {
	read, wanted := 0, allDrafts(f.Page)
	wanted.full = func() bool { return read >= maxDraftsBytes }
	return list(ctx, db.library, wanted, func(rows *sql.Rows) (backend.Draft, cursor, error) {
		d, at, err := scanDraft(rows)
		if f.Brief {
			d.Shorten()
		}
		for key, value := range d.Content {
			read += len(key) + len(value)
		}
		return d, at, err
	})
}

// maxDraftsBytes is the size of the content after which a page ends, however few drafts it has: one may have 4 MB.
const maxDraftsBytes = 8 << 20

// UpdateDraft changes the given fields and, if they differ, updated_at, which increases with every change, so that it identifies a
// version of the draft. Errors: backend.CodeDraftNotFound, CodeDraftChanged, ValidationError.
func (db drafts) UpdateDraft(ctx context.Context, id string, patch backend.DraftPatch) (backend.Draft, error) {
	var d backend.Draft
	err := db.update(ctx, "change draft", func(tx *sql.Tx) (err error) {
		d, err = find(ctx, tx, allDrafts(backend.Page{}), id, scanDraft, errUnknownDraft(id))
		if err == nil {
			err = patch.Guard(d)
		}
		if err != nil || patch.Name == nil && patch.Content == nil {
			return err
		}
		before, err := json.Marshal(d.Content)
		if err != nil {
			return err
		}
		name := d.Name
		patch.Apply(&d)
		if err := d.Check(); err != nil {
			return err
		}
		content, err := json.Marshal(d.Content)
		if err != nil || d.Name == name && string(content) == string(before) {
			return err
		}
		d.UpdatedAt = fromMillis(max(millis(db.now()), millis(d.UpdatedAt)+1))
		_, err = tx.ExecContext(ctx, draftUpdate, append(draftColumns.fields(&draftRow{Draft: d, content: string(content)}), id)...)
		return err
	})
	if err != nil {
		return backend.Draft{}, err
	}
	return d, nil
}

// DeleteDraft removes a draft. Error: backend.CodeDraftNotFound.
func (db drafts) DeleteDraft(ctx context.Context, id string) error {
	return db.remove(ctx, "delete draft", "drafts", id, errUnknownDraft(id))
}

func errUnknownDraft(id string) error {
	return backend.E(backend.CodeDraftNotFound, "There is no draft with this id.",
		"It may have been deleted; check the list of drafts.").With("id", id)
}
