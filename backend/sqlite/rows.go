package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"github.com/voicewright/voicewright/backend"
)

// narrowColumns are the columns of a generation that are short, in the order of generationValues and scanGeneration.
const narrowColumns = `id, profile_id, profile_name, status, progress, source, engine, model_name, voice,
	language, speed, seed, favorite, credits, parent_id, format, sample_rate, channels, duration, created_at,
	audio_path, title, error, verify, verify_error, partial, version`

// generationColumns are all columns of a generation; the last four may be long.
const generationColumns = narrowColumns + `, text, request, chunks, receipt`

// hasFormer is whether a generation has a former version.
const hasFormer = `EXISTS (SELECT 1 FROM generation_versions WHERE generation_id = generations.id)`

const generationSelect = `SELECT seq, ` + hasFormer + `, ` + generationColumns + ` FROM generations `

// briefSelect selects brief generations, see backend.Generation.Brief. %s is the text.
const briefSelect = `SELECT seq, ` + hasFormer + `, ` + narrowColumns + `, %s, NULL,
	CASE status WHEN 'complete' THEN json_array_length(chunks) ELSE 0 END, NULL FROM generations `

// briefText is the start of a text, with one character more than a list shows, so that a cut can be detected.
var briefText = fmt.Sprintf(`substr(text, 1, %d)`, backend.BriefText+1)

const generationInsert = `INSERT INTO generations (` + generationColumns + `, characters)
	VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`

const generationUpdate = `UPDATE generations SET (` + generationColumns + `, characters)
	= (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE seq = ?`

// generationRow is a generation with its position in the history.
type generationRow struct {
	backend.Generation
	seq    int64
	stored string // the audio path before placed
}

// generationValues returns the values of generationColumns and the number of characters.
func generationValues(g backend.Generation) ([]any, error) {
	failure, err := column(g.Error, g.Error == nil)
	if err != nil {
		return nil, err
	}
	request, err := column(g.Request, false)
	if err != nil {
		return nil, err
	}
	chunks, err := column(g.Chunks, false)
	if err != nil {
		return nil, err
	}
	verify, err := column(g.Verify, g.Verify == nil)
	if err != nil {
		return nil, err
	}
	verifyError, err := column(g.VerifyError, g.VerifyError == nil)
	if err != nil {
		return nil, err
	}
	partial, err := column(g.Partial, g.Partial == nil)
	if err != nil {
		return nil, err
	}
	receipt, err := column(g.Receipt, g.Receipt == nil)
	if err != nil {
		return nil, err
	}
	return []any{
		g.ID, g.ProfileID, g.ProfileName, g.Status, g.Progress, g.Source, g.Engine, g.ModelName, g.Voice,
		g.Language, g.Speed, g.Seed, g.Favorite, g.Credits, g.ParentID, g.Format, g.SampleRate, g.Channels,
		g.Duration, millis(g.CreatedAt), g.AudioPath, g.Title, failure, verify, verifyError, partial, g.Version, g.Text, request, chunks, receipt,
		characters(g.Text),
	}, nil
}

// column returns a value as JSON text, NULL if there is none.
func column(value any, none bool) (sql.NullString, error) {
	if none {
		return sql.NullString{}, nil
	}
	b, err := json.Marshal(value)
	return sql.NullString{String: string(b), Valid: true}, err
}

func (db *DB) scanGeneration(rows *sql.Rows) (generationRow, error) {
	var g generationRow
	err := g.scan(rows, &g.Chunks)
	g.stored, g.AudioPath = g.AudioPath, db.placed(g.AudioPath)
	return g, err
}

// scanBrief reads a row of briefSelect.
func (db *DB) scanBrief(rows *sql.Rows) (generationRow, error) {
	var g generationRow
	err := g.scan(rows, &g.ChunksTotal)
	g.stored, g.AudioPath = g.AudioPath, db.placed(g.AudioPath)
	g.Brief, g.ChunksDone = true, g.ChunksTotal
	return g, err
}

// scan reads a row; the column chunks goes to chunksTo.
func (g *generationRow) scan(rows *sql.Rows, chunksTo any) error {
	var created int64
	var failure, verify, verifyError, partial, request, chunks, receipt sql.RawBytes
	err := rows.Scan(&g.seq, &g.CanUndo, &g.ID, &g.ProfileID, &g.ProfileName, &g.Status, &g.Progress, &g.Source, &g.Engine,
		&g.ModelName, &g.Voice, &g.Language, &g.Speed, &g.Seed, &g.Favorite, &g.Credits, &g.ParentID, &g.Format,
		&g.SampleRate, &g.Channels, &g.Duration, &created, &g.AudioPath, &g.Title, &failure,
		&verify, &verifyError, &partial, &g.Version, &g.Text,
		&request, &chunks, &receipt)
	if err != nil {
		return err
	}
	g.CreatedAt = fromMillis(created)
	fields := []struct {
		name string
		text []byte
		to   any
	}{
		{"error", failure, &g.Error},
		{"verify", verify, &g.Verify},
		{"verify_error", verifyError, &g.VerifyError},
		{"partial", partial, &g.Partial},
		{"request", request, &g.Request},
		{"chunks", chunks, chunksTo},
		{"receipt", receipt, &g.Receipt},
	}
	for _, f := range fields {
		if f.text == nil {
			continue
		}
		if err := json.Unmarshal(f.text, f.to); err != nil {
			return fmt.Errorf("read %s of generation %s: %w", f.name, g.ID, err)
		}
	}
	return nil
}

// generationsWhere returns the rows that the clauses (WHERE, ORDER BY, LIMIT) select.
func (db *DB) generationsWhere(ctx context.Context, tx *sql.Tx, clauses string, args ...any) ([]generationRow, error) {
	return collect(ctx, tx, db.scanGeneration, generationSelect+clauses, args...)
}

// plain returns the generations of rows.
func plain(rows []generationRow) []backend.Generation {
	items := make([]backend.Generation, len(rows))
	for i, row := range rows {
		items[i] = row.Generation
	}
	return items
}
