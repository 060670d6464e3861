package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/sqlite/internal/words"
)

// transcriptRow is a transcript with its position in the list.
type transcriptRow struct {
	backend.Transcript
	seq    int64
	stored string // the audio path before placed
}

// The columns of a transcript: those that are short, those that a list leaves out or shortens, and those that are only read.
var (
	transcriptShort = columns[transcriptRow]{
		{"id", func(t *transcriptRow) any { return &t.ID }},
		{"status", func(t *transcriptRow) any { return &t.Status }},
		{"progress", func(t *transcriptRow) any { return &t.Progress }},
		{"source", func(t *transcriptRow) any { return &t.Source }},
		{"model_name", func(t *transcriptRow) any { return &t.ModelName }},
		{"language", func(t *transcriptRow) any { return &t.Language }},
		{"duration", func(t *transcriptRow) any { return &t.Duration }},
		{"file_name", func(t *transcriptRow) any { return &t.FileName }},
		{"generation_id", func(t *transcriptRow) any { return &t.GenerationID }},
		{"audio_path", func(t *transcriptRow) any { return &t.AudioPath }},
		{"title", func(t *transcriptRow) any { return &t.Title }},
		{"created_at", func(t *transcriptRow) any { return asMillis(&t.CreatedAt) }},
		{"updated_at", func(t *transcriptRow) any { return asMillis(&t.UpdatedAt) }},
		{"error", func(t *transcriptRow) any { return orNull(&t.Error, t.Error != nil) }},
		{"warnings", func(t *transcriptRow) any { return asJSON(&t.Warnings) }},
		{"channels", func(t *transcriptRow) any { return orNull(&t.Channels, t.Channels != nil) }},
		{"speakers_error", func(t *transcriptRow) any { return orNull(&t.SpeakersError, t.SpeakersError != nil) }},
	}
	transcriptLong = columns[transcriptRow]{
		{"text", func(t *transcriptRow) any { return &t.Text }},
		{"request", func(t *transcriptRow) any { return asJSON(&t.Request) }},
		{"segments", func(t *transcriptRow) any { return asJSON(&t.Segments) }},
		{"turns", func(t *transcriptRow) any { return asJSON(&t.Turns) }},
		{"matches", func(t *transcriptRow) any { return asJSON(&t.Matches) }},
		{"channel_turns", func(t *transcriptRow) any { return asJSON(&t.ChannelTurns) }},
	}
	transcriptRead = columns[transcriptRow]{
		{"seq", func(t *transcriptRow) any { return &t.seq }},
		{"EXISTS (SELECT 1 FROM transcript_edits WHERE transcript = transcripts.seq)", func(t *transcriptRow) any { return &t.CanUndo }},
	}
)

// The columns of each statement, and the statements. In transcriptBrief, which selects brief transcripts (see
// backend.TranscriptFilter.Brief), %s is the text.
var (
	transcriptWhole   = join(transcriptRead, transcriptShort, transcriptLong)
	transcriptListed  = join(transcriptRead, transcriptShort, columns[transcriptRow]{{"%s", func(t *transcriptRow) any { return &t.Text }}})
	transcriptWritten = join(transcriptShort, transcriptLong)

	transcriptSelect = `SELECT ` + transcriptWhole.names() + ` FROM transcripts `
	transcriptBrief  = `SELECT ` + transcriptListed.names() + ` FROM transcripts `
	transcriptInsert = transcriptWritten.insert("transcripts")
	transcriptUpdate = transcriptWritten.update("transcripts", "seq")
)

// fillLists replaces lists that are nil.
func fillLists(t *backend.Transcript) {
	if t.Segments == nil {
		t.Segments = []backend.Segment{}
	}
	if t.Warnings == nil {
		t.Warnings = []backend.TranscriptWarning{}
	}
	if t.Turns == nil {
		t.Turns = []backend.SpeakerTurn{}
	}
	if t.Matches == nil {
		t.Matches = []backend.SpeakerMatch{}
	}
}

// transcriptValues returns the arguments of transcriptInsert.
func transcriptValues(t backend.Transcript) []any {
	return transcriptWritten.fields(&transcriptRow{Transcript: t})
}

func (db transcripts) scanTranscript(rows *sql.Rows) (transcriptRow, error) {
	return db.scanTranscriptColumns(rows, transcriptWhole)
}

// scanBriefTranscript reads a row of transcriptBrief.
func (db transcripts) scanBriefTranscript(rows *sql.Rows) (transcriptRow, error) {
	return db.scanTranscriptColumns(rows, transcriptListed)
}

func (db transcripts) scanTranscriptColumns(rows *sql.Rows, read columns[transcriptRow]) (transcriptRow, error) {
	t, err := read.scan(rows)
	if err != nil {
		return t, fmt.Errorf("read transcript %s: %w", t.ID, err)
	}
	t.stored, t.AudioPath = t.AudioPath, db.placed(t.AudioPath)
	fillLists(&t.Transcript)
	return t, nil
}

// transcriptsWhere returns the rows that the clauses (WHERE, ORDER BY, LIMIT) select.
func (db transcripts) transcriptsWhere(ctx context.Context, tx *sql.Tx, clauses string, args ...any) ([]transcriptRow, error) {
	return collect(ctx, tx, db.scanTranscript, transcriptSelect+clauses, args...)
}

func (db transcripts) findTranscript(ctx context.Context, tx *sql.Tx, id string) (transcriptRow, error) {
	rows, err := db.transcriptsWhere(ctx, tx, `WHERE id = ?`, id)
	if err != nil {
		return transcriptRow{}, err
	}
	if len(rows) == 0 {
		return transcriptRow{}, errUnknownTranscript(id)
	}
	return rows[0], nil
}

// indexTranscript adds the words of a transcript to the full-text index.
func indexTranscript(ctx context.Context, tx *sql.Tx, seq int64, t backend.Transcript) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO transcript_search (title, text, speakers, rowid) VALUES (?, ?, ?, ?)`,
		words.Fold(t.Title), words.Fold(t.Text), words.Fold(speakers(t)), seq)
	return err
}

// reindexTranscript replaces the words of a transcript in the full-text index.
func reindexTranscript(ctx context.Context, tx *sql.Tx, seq int64, t backend.Transcript) error {
	_, err := tx.ExecContext(ctx, `UPDATE transcript_search SET title = ?, text = ?, speakers = ? WHERE rowid = ?`,
		words.Fold(t.Title), words.Fold(t.Text), words.Fold(speakers(t)), seq)
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

func (db transcripts) refoldTranscripts(ctx context.Context, tx *sql.Tx) error {
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
