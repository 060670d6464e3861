package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/sqlite/internal/words"
)

// CreateTranscript stores a new transcript at the end of the list. It sets an empty ID and status and a zero CreatedAt (a new
// id, queued, now); times are stored in milliseconds.
func (db transcripts) CreateTranscript(ctx context.Context, t backend.Transcript) (backend.Transcript, error) {
	if t.ID == "" {
		t.ID = db.newID()
	}
	if t.CreatedAt.IsZero() {
		t.CreatedAt = db.now()
	}
	if t.Status == "" {
		t.Status = backend.StatusQueued
	}
	t.CreatedAt = fromMillis(millis(t.CreatedAt))
	t.UpdatedAt, t.CanUndo = t.CreatedAt, false
	fillLists(&t)
	err := db.update(ctx, "create transcript", func(tx *sql.Tx) error { return insertTranscript(ctx, tx, t) })
	if err != nil {
		return backend.Transcript{}, err
	}
	return t, nil
}

func insertTranscript(ctx context.Context, tx *sql.Tx, t backend.Transcript) error {
	result, err := tx.ExecContext(ctx, transcriptInsert, transcriptValues(t)...)
	if err != nil {
		return err
	}
	seq, err := result.LastInsertId()
	if err != nil {
		return err
	}
	return indexTranscript(ctx, tx, seq, t)
}

// Transcript returns the transcript with this id, else backend.CodeTranscriptNotFound.
func (db transcripts) Transcript(ctx context.Context, id string) (backend.Transcript, error) {
	var row transcriptRow
	err := db.view(ctx, "read transcript", func(tx *sql.Tx) (err error) {
		row, err = db.findTranscript(ctx, tx, id)
		return err
	})
	return row.Transcript, err
}

// Transcripts returns a page of the transcripts, newest first, and the total, which is exact up to backend.TotalCap. A wrong
// cursor or limit is a *backend.ValidationError; Search has no syntax.
func (db transcripts) Transcripts(ctx context.Context, f backend.TranscriptFilter) (backend.List[backend.TranscriptHit], error) {
	q := searchQuery{
		list: "transcripts", sort: "newest", table: "transcripts", index: "transcript_search", order: order{desc: true}, brief: f.Brief,
	}
	if f.Status != "" {
		q.filter.add("status = ?", f.Status)
	}
	item := func(row transcriptRow, terms []words.Term) (backend.TranscriptHit, cursor) {
		return backend.TranscriptHit{Transcript: row.Transcript, Highlight: words.Highlight(row.Title, row.Text, terms)}, cursor{Seq: row.seq}
	}
	return search(ctx, db.library, q, f.Search, f.Page, db.transcriptPage, item)
}

// transcriptPage reads the transcripts with these seqs, in the order of the query.
func (db transcripts) transcriptPage(ctx context.Context, tx *sql.Tx, q searchQuery, seqs []int64) ([]transcriptRow, error) {
	list, err := json.Marshal(seqs)
	if err != nil {
		return nil, err
	}
	const chosen = `WHERE seq IN (SELECT value FROM json_each(?))`
	if !q.brief {
		return db.transcriptsWhere(ctx, tx, chosen+q.order.by(), string(list))
	}
	text := briefText
	if len(q.terms) > 0 {
		text = "text" // the highlight may be anywhere
	}
	return collect(ctx, tx, db.scanBriefTranscript, fmt.Sprintf(transcriptBrief, text)+chosen+q.order.by(), string(list))
}

// DeleteTranscripts deletes those of the ids that exist and returns them, so that the caller can delete their audio. It does
// not check whether they are in progress.
func (db transcripts) DeleteTranscripts(ctx context.Context, ids []string) ([]backend.Transcript, error) {
	return db.deleteTranscripts(ctx, ids, "")
}

// ExpireTranscripts is DeleteTranscripts for old transcripts: it keeps those in progress, also those that became so after the
// caller chose the ids.
func (db transcripts) ExpireTranscripts(ctx context.Context, ids []string) ([]backend.Transcript, error) {
	return db.deleteTranscripts(ctx, ids, ` AND status IN (?, ?, ?)`,
		backend.StatusComplete, backend.StatusFailed, backend.StatusCancelled)
}

// ExpiredTranscripts returns the ids of ended transcripts from before a time, oldest first, at most limit.
func (db transcripts) ExpiredTranscripts(ctx context.Context, before time.Time, limit int) (ids []string, err error) {
	err = db.view(ctx, "list old transcripts", func(tx *sql.Tx) (err error) {
		ids, err = collect(ctx, tx, scanOne[string], `SELECT id FROM transcripts
			WHERE created_at < ? AND status IN (?, ?, ?) ORDER BY created_at, seq LIMIT ?`, millis(before),
			backend.StatusComplete, backend.StatusFailed, backend.StatusCancelled, limit)
		return err
	})
	return ids, err
}

// TranscriptPaths returns the audio files of the transcripts by id. Transcripts without a file are left out.
func (db transcripts) TranscriptPaths(ctx context.Context) (map[string]string, error) {
	return db.paths(ctx, "transcripts")
}

// deleteTranscripts deletes those of the ids for which a further condition with its arguments is true.
func (db transcripts) deleteTranscripts(ctx context.Context, ids []string, also string, args ...any) ([]backend.Transcript, error) {
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, fmt.Errorf("delete transcripts: %w", err)
	}
	chosen := `WHERE id IN (SELECT value FROM json_each(?))` + also
	args = append([]any{string(list)}, args...)
	var deleted []backend.Transcript
	err = db.update(ctx, "delete transcripts", func(tx *sql.Tx) error {
		rows, err := db.transcriptsWhere(ctx, tx, chosen, args...)
		if err != nil {
			return err
		}
		deleted = plainTranscripts(rows)
		_, err = tx.ExecContext(ctx,
			`DELETE FROM transcript_search WHERE rowid IN (SELECT seq FROM transcripts `+chosen+`)`, args...)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `DELETE FROM transcripts `+chosen, args...)
		return err
	})
	if err != nil {
		return nil, err
	}
	return deleted, nil
}

func plainTranscripts(rows []transcriptRow) []backend.Transcript {
	items := make([]backend.Transcript, len(rows))
	for i, row := range rows {
		items[i] = row.Transcript
	}
	return items
}

// RecoverTranscripts marks transcripts that were queued or running when the program stopped as failed with code interrupted,
// and returns them. Call it once at start, before new ones are accepted.
func (db transcripts) RecoverTranscripts(ctx context.Context) ([]backend.Transcript, error) {
	var ended []backend.Transcript
	err := db.update(ctx, "recover transcripts", func(tx *sql.Tx) error {
		rows, err := db.transcriptsWhere(ctx, tx, `WHERE status IN (?, ?, ?, ?) ORDER BY seq`,
			backend.StatusQueued, backend.StatusDownloading, backend.StatusLoading, backend.StatusTranscribing)
		if err != nil {
			return err
		}
		for _, row := range rows {
			t, err := db.changeTranscript(ctx, tx, row, changeUpdate, func(t *backend.Transcript) error {
				t.Status, t.Error = backend.StatusFailed, interrupted()
				return nil
			})
			if err != nil {
				return err
			}
			ended = append(ended, t)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return ended, nil
}
