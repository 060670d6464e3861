package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
)

// CreateGeneration stores a new generation at the end of the history. It sets an empty ID, status and source and a
// zero CreatedAt (a new id, queued, local, now); times are stored in milliseconds.
func (db generations) CreateGeneration(ctx context.Context, g backend.Generation) (backend.Generation, error) {
	if g.ID == "" {
		g.ID = db.newID()
	}
	if g.CreatedAt.IsZero() {
		g.CreatedAt = db.now()
	}
	if g.Status == "" {
		g.Status = backend.StatusQueued
	}
	if g.Source == "" {
		g.Source = backend.SourceLocal
	}
	if g.Chunks == nil {
		g.Chunks = []backend.Chunk{}
	}
	g.CreatedAt = fromMillis(millis(g.CreatedAt))
	err := db.update(ctx, "create generation", func(tx *sql.Tx) error { return insertGeneration(ctx, tx, g) })
	if err != nil {
		return backend.Generation{}, err
	}
	return g, nil
}

func insertGeneration(ctx context.Context, tx *sql.Tx, g backend.Generation) error {
	result, err := tx.ExecContext(ctx, generationInsert, generationValues(g)...)
	if err != nil {
		return err
	}
	seq, err := result.LastInsertId()
	if err != nil {
		return err
	}
	return index(ctx, tx, seq, g.Title, g.Text)
}

// Generation returns the generation with this id, else backend.CodeGenerationNotFound.
func (db generations) Generation(ctx context.Context, id string) (backend.Generation, error) {
	var row generationRow
	err := db.view(ctx, "read generation", func(tx *sql.Tx) (err error) {
		row, err = db.findGeneration(ctx, tx, id)
		return err
	})
	return row.Generation, err
}

// GenerationsByID returns those of the ids that exist, in no order; brief ones as described at backend.Generation.Brief.
func (db generations) GenerationsByID(ctx context.Context, ids []string, brief bool) ([]backend.Generation, error) {
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, fmt.Errorf("read generations: %w", err)
	}
	var rows []generationRow
	err = db.view(ctx, "read generations", func(tx *sql.Tx) (err error) {
		const chosen = `WHERE id IN (SELECT value FROM json_each(?))`
		if brief {
			rows, err = collect(ctx, tx, db.scanBrief, fmt.Sprintf(briefSelect, briefText)+chosen, string(list))
		} else {
			rows, err = db.generationsWhere(ctx, tx, chosen, string(list))
		}
		return err
	})
	return plain(rows), err
}

func (db generations) findGeneration(ctx context.Context, tx *sql.Tx, id string) (generationRow, error) {
	rows, err := db.generationsWhere(ctx, tx, `WHERE id = ?`, id)
	if err != nil {
		return generationRow{}, err
	}
	if len(rows) == 0 {
		return generationRow{}, errUnknownGeneration(id)
	}
	return rows[0], nil
}

// UpdateGeneration calls change with the generation and stores the result, in one write transaction. ID and CreatedAt cannot
// be changed. An error of change is returned and nothing is stored, as is a change of the status that backend.Status.CanMove
// does not allow (backend.CodeNotInProgress). change must be fast because it holds the write lock.
func (db generations) UpdateGeneration(
	ctx context.Context, id string, change func(*backend.Generation) error,
) (backend.Generation, error) {
	var g backend.Generation
	err := db.update(ctx, "change generation", func(tx *sql.Tx) error {
		row, err := db.findGeneration(ctx, tx, id)
		if err != nil {
			return err
		}
		g, err = db.storeChange(ctx, tx, row, change)
		return err
	})
	if err != nil {
		return backend.Generation{}, err
	}
	return g, nil
}

// storeChange applies change to a row, checks the change of the status and updates the search index.
func (db generations) storeChange(
	ctx context.Context, tx *sql.Tx, row generationRow, change func(*backend.Generation) error,
) (backend.Generation, error) {
	g := row.Generation
	if err := change(&g); err != nil {
		return g, err
	}
	g.ID, g.CreatedAt = row.ID, row.CreatedAt
	if g.Chunks == nil {
		g.Chunks = []backend.Chunk{}
	}
	if g.Status != row.Status && !row.Status.CanMove(g.Status) {
		return g, backend.E(backend.CodeNotInProgress,
			fmt.Sprintf("A generation that is %s cannot become %s.", row.Status, g.Status),
			"Check its current state, then try again.").
			With("id", g.ID).With("from", row.Status).With("to", g.Status)
	}
	kept := g
	kept.AudioPath = db.unplaced(g.AudioPath, row.stored)
	if _, err := tx.ExecContext(ctx, generationUpdate, append(generationValues(kept), row.seq)...); err != nil {
		return g, err
	}
	if g.Title == row.Title && g.Text == row.Text {
		return g, nil
	}
	return g, reindex(ctx, tx, row.seq, g.Title, g.Text)
}

// PatchGeneration changes title and favorite where given. Error: backend.CodeGenerationNotFound.
func (db generations) PatchGeneration(
	ctx context.Context, id string, patch backend.GenerationPatch,
) (backend.Generation, error) {
	return db.UpdateGeneration(ctx, id, func(g *backend.Generation) error {
		patch.Apply(g)
		return nil
	})
}

// FavoriteGenerations adds those of the ids that exist to the favourites, or removes them, and returns how many it changed.
func (db generations) FavoriteGenerations(ctx context.Context, ids []string, favorite bool) (int, error) {
	list, err := json.Marshal(ids)
	if err != nil {
		return 0, fmt.Errorf("mark generations: %w", err)
	}
	var changed int64
	err = db.update(ctx, "mark generations", func(tx *sql.Tx) error {
		result, err := tx.ExecContext(ctx,
			`UPDATE generations SET favorite = ? WHERE favorite <> ? AND id IN (SELECT value FROM json_each(?))`,
			favorite, favorite, string(list))
		if err != nil {
			return err
		}
		changed, err = result.RowsAffected()
		return err
	})
	return int(changed), err
}

// DeleteGenerations deletes those of the ids that exist and returns them, so that the caller can delete their audio. It does
// not check whether they are in progress.
func (db generations) DeleteGenerations(ctx context.Context, ids []string) ([]backend.Generation, error) {
	return db.deleteGenerations(ctx, ids, "")
}

// ExpireGenerations is DeleteGenerations for old generations: it keeps favourites, generations in progress and those of books, also
// those that became so after the caller chose the ids.
func (db generations) ExpireGenerations(ctx context.Context, ids []string) ([]backend.Generation, error) {
	return db.deleteGenerations(ctx, ids, expendable+notOfBooks)
}

// expendable is the condition for generations that may be deleted by themselves.
const expendable = ` AND favorite = 0 AND status IN ('` +
	string(backend.StatusComplete+`', '`+backend.StatusFailed+`', '`+backend.StatusCancelled) + `')`

// notOfBooks is the condition for generations that no book needs.
const notOfBooks = ` AND id NOT IN (SELECT generation_id FROM book_generations)`

// DropTurns is ExpireGenerations for turns that a script has no longer: it also keeps those of any script and of its previous
// version.
func (db generations) DropTurns(ctx context.Context, ids []string) ([]backend.Generation, error) {
	return db.deleteGenerations(ctx, ids, expendable+` AND id NOT IN (
			SELECT value FROM scripts, json_each(scripts.turns)
			UNION SELECT value FROM scripts, json_each(scripts.previous, '$.generations') WHERE previous IS NOT NULL)`)
}

// deleteGenerations deletes those of the ids for which a further condition is true, in one transaction with changes before it.
func (db generations) deleteGenerations(
	ctx context.Context, ids []string, also string, before ...func(tx *sql.Tx, ids string) error,
) (deleted []backend.Generation, err error) {
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, fmt.Errorf("delete generations: %w", err)
	}
	chosen := `WHERE id IN (SELECT value FROM json_each(?))` + also
	err = db.update(ctx, "delete generations", func(tx *sql.Tx) error {
		for _, change := range before {
			if err := change(tx, string(list)); err != nil {
				return err
			}
		}
		rows, err := db.generationsWhere(ctx, tx, chosen, string(list))
		if err != nil {
			return err
		}
		deleted = plain(rows)
		_, err = tx.ExecContext(ctx, `DELETE FROM history_search WHERE rowid IN (SELECT seq FROM generations `+chosen+`)`, string(list))
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `DELETE FROM generations `+chosen, string(list))
		return err
	})
	return deleted, err
}

// Recover marks generations that were queued or running when the program stopped as failed with code interrupted, and returns
// them. Call it once at start, before new generations are accepted.
func (db generations) Recover(ctx context.Context) ([]backend.Generation, error) {
	var ended []backend.Generation
	err := db.update(ctx, "recover generations", func(tx *sql.Tx) error {
		rows, err := db.generationsWhere(ctx, tx, `WHERE status IN (?, ?, ?, ?) ORDER BY seq`,
			backend.StatusQueued, backend.StatusDownloading, backend.StatusLoading, backend.StatusGenerating)
		if err != nil {
			return err
		}
		for _, row := range rows {
			g, err := db.storeChange(ctx, tx, row, interrupt)
			if err != nil {
				return err
			}
			ended = append(ended, g)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return ended, nil
}

func interrupt(g *backend.Generation) error {
	g.Status, g.Error = backend.StatusFailed, interrupted()
	return nil
}

// interrupted returns the failure of work that a stop of the program ended.
func interrupted() *backend.Failure {
	return &backend.Failure{
		Code:   backend.CodeInterrupted,
		Detail: "Voicewright stopped before this was finished.",
		Remedy: "Retry it.",
	}
}

// KeepPartials removes what is said to be stored of unfinished generations, except these.
func (db generations) KeepPartials(ctx context.Context, ids []string) error {
	kept, err := json.Marshal(append([]string{}, ids...)) // a list, also of none
	if err != nil {
		return err
	}
	return db.update(ctx, "remove partials", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE generations SET partial = NULL
			WHERE partial IS NOT NULL AND id NOT IN (SELECT value FROM json_each(?))`, string(kept))
		return err
	})
}

// characters returns the number of code points of a text.
func characters(text string) int { return utf8.RuneCountInString(text) }
