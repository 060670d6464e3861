package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/voicewright/voicewright/backend"
)

// transcriptNarrow are the columns of a transcript that are short, in the order of transcriptValues and scanTranscript.
const transcriptNarrow = `id, status, progress, source, model_name, language, duration, file_name, generation_id, audio_path,
	title, created_at, updated_at, error, warnings`

// transcriptColumns are all columns of a transcript; the last three may be long.
const transcriptColumns = transcriptNarrow + `, text, request, segments`

// canUndo is the column that reports whether a transcript has edits.
const canUndo = `, EXISTS (SELECT 1 FROM transcript_edits WHERE transcript = transcripts.seq)`

const transcriptSelect = `SELECT seq, ` + transcriptColumns + canUndo + ` FROM transcripts `

// transcriptBrief selects brief transcripts, see backend.TranscriptFilter.Brief. %s is the text.
const transcriptBrief = `SELECT seq, ` + transcriptNarrow + `, %s, NULL, NULL` + canUndo + ` FROM transcripts `

const transcriptInsert = `INSERT INTO transcripts (` + transcriptColumns + `)
	VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

const transcriptUpdate = `UPDATE transcripts SET (` + transcriptColumns + `)
	= (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE seq = ?`

// transcriptRow is a transcript with its position in the list.
type transcriptRow struct {
	backend.Transcript
	seq    int64
	stored string // the audio path before placed
}

// fillLists replaces lists that are nil.
func fillLists(t *backend.Transcript) {
	if t.Segments == nil {
		t.Segments = []backend.Segment{}
	}
	if t.Warnings == nil {
		t.Warnings = []backend.TranscriptWarning{}
	}
}

// transcriptValues returns the values of transcriptColumns.
func transcriptValues(t backend.Transcript) ([]any, error) {
	failure, err := column(t.Error, t.Error == nil)
	if err != nil {
		return nil, err
	}
	warnings, err := column(t.Warnings, false)
	if err != nil {
		return nil, err
	}
	request, err := column(t.Request, false)
	if err != nil {
		return nil, err
	}
	segments, err := column(t.Segments, false)
	if err != nil {
		return nil, err
	}
	return []any{
		t.ID, t.Status, t.Progress, t.Source, t.ModelName, t.Language, t.Duration, t.FileName, t.GenerationID, t.AudioPath,
		t.Title, millis(t.CreatedAt), millis(t.UpdatedAt), failure, warnings, t.Text, request, segments,
	}, nil
}

func (db *DB) scanTranscript(rows *sql.Rows) (transcriptRow, error) {
	var t transcriptRow
	var created, updated int64
	var failure, warnings, request, segments sql.RawBytes
	err := rows.Scan(&t.seq, &t.ID, &t.Status, &t.Progress, &t.Source, &t.ModelName, &t.Language, &t.Duration, &t.FileName,
		&t.GenerationID, &t.AudioPath, &t.Title, &created, &updated, &failure, &warnings, &t.Text, &request, &segments, &t.CanUndo)
	if err != nil {
		return t, err
	}
	t.stored, t.AudioPath = t.AudioPath, db.placed(t.AudioPath)
	t.CreatedAt, t.UpdatedAt = fromMillis(created), fromMillis(updated)
	fillLists(&t.Transcript)
	fields := []struct {
		name string
		text []byte
		to   any
	}{{"error", failure, &t.Error}, {"warnings", warnings, &t.Warnings}, {"request", request, &t.Request}, {"segments", segments, &t.Segments}}
	for _, f := range fields {
		if f.text == nil {
			continue
		}
		if err := json.Unmarshal(f.text, f.to); err != nil {
			return t, fmt.Errorf("read %s of transcript %s: %w", f.name, t.ID, err)
		}
	}
	return t, nil
}

// transcriptsWhere returns the rows that the clauses (WHERE, ORDER BY, LIMIT) select.
func (db *DB) transcriptsWhere(ctx context.Context, tx *sql.Tx, clauses string, args ...any) ([]transcriptRow, error) {
	return collect(ctx, tx, db.scanTranscript, transcriptSelect+clauses, args...)
}

func (db *DB) findTranscript(ctx context.Context, tx *sql.Tx, id string) (transcriptRow, error) {
	rows, err := db.transcriptsWhere(ctx, tx, `WHERE id = ?`, id)
	if err != nil {
		return transcriptRow{}, err
	}
	if len(rows) == 0 {
		return transcriptRow{}, unknownTranscript(id)
	}
	return rows[0], nil
}

// indexTranscript adds the words of a transcript to the full-text index.
func indexTranscript(ctx context.Context, tx *sql.Tx, seq int64, t backend.Transcript) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO transcript_search (title, text, speakers, rowid) VALUES (?, ?, ?, ?)`,
		fold(t.Title), fold(t.Text), fold(speakers(t)), seq)
	return err
}

// reindexTranscript replaces the words of a transcript in the full-text index.
func reindexTranscript(ctx context.Context, tx *sql.Tx, seq int64, t backend.Transcript) error {
	_, err := tx.ExecContext(ctx, `UPDATE transcript_search SET title = ?, text = ?, speakers = ? WHERE rowid = ?`,
		fold(t.Title), fold(t.Text), fold(speakers(t)), seq)
	return err
}

// speakers returns the names of the speakers of a transcript.
func speakers(t backend.Transcript) string {
	var names []string
	for _, s := range t.Segments {
		if !slices.Contains(names, s.Speaker) {
			names = append(names, s.Speaker)
		}
	}
	return strings.Join(names, " ")
}

func (db *DB) refoldTranscripts(ctx context.Context, tx *sql.Tx) error {
	if _, err := tx.ExecContext(ctx, `INSERT INTO transcript_search (transcript_search) VALUES ('delete-all')`); err != nil {
		return err
	}
	return each(ctx, tx, func(rows *sql.Rows) error {
		row, err := db.scanTranscript(rows)
		if err != nil {
			return err
		}
		return indexTranscript(ctx, tx, row.seq, row.Transcript)
	}, transcriptSelect+`ORDER BY seq`)
}
