package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/voicewright/voicewright/backend"
)

// generationRow is a generation with its position in the history.
type generationRow struct {
	backend.Generation
	seq    int64
	stored string // the audio path before placed
}

// generationShort are the columns of a generation that are short, and generationLong those that a list leaves out or shortens.
var (
	generationShort = columns[generationRow]{
		{"id", func(g *generationRow) any { return &g.ID }},
		{"profile_id", func(g *generationRow) any { return &g.ProfileID }},
		{"profile_name", func(g *generationRow) any { return &g.ProfileName }},
		{"status", func(g *generationRow) any { return &g.Status }},
		{"progress", func(g *generationRow) any { return &g.Progress }},
		{"source", func(g *generationRow) any { return &g.Source }},
		{"engine", func(g *generationRow) any { return &g.Engine }},
		{"model_name", func(g *generationRow) any { return &g.ModelName }},
		{"voice", func(g *generationRow) any { return &g.Voice }},
		{"language", func(g *generationRow) any { return &g.Language }},
		{"speed", func(g *generationRow) any { return &g.Speed }},
		{"seed", func(g *generationRow) any { return &g.Seed }},
		{"favorite", func(g *generationRow) any { return &g.Favorite }},
		{"credits", func(g *generationRow) any { return &g.Credits }},
		{"parent_id", func(g *generationRow) any { return &g.ParentID }},
		{"format", func(g *generationRow) any { return &g.Format }},
		{"sample_rate", func(g *generationRow) any { return &g.SampleRate }},
		{"channels", func(g *generationRow) any { return &g.Channels }},
		{"duration", func(g *generationRow) any { return &g.Duration }},
		{"created_at", func(g *generationRow) any { return asMillis(&g.CreatedAt) }},
		{"audio_path", func(g *generationRow) any { return &g.AudioPath }},
		{"title", func(g *generationRow) any { return &g.Title }},
		{"error", func(g *generationRow) any { return orNull(&g.Error, g.Error != nil) }},
		{"verify", func(g *generationRow) any { return orNull(&g.Verify, g.Verify != nil) }},
		{"verify_error", func(g *generationRow) any { return orNull(&g.VerifyError, g.VerifyError != nil) }},
		{"partial", func(g *generationRow) any { return orNull(&g.Partial, g.Partial != nil) }},
		{"version", func(g *generationRow) any { return &g.Version }},
	}
	generationLong = columns[generationRow]{
		{"text", func(g *generationRow) any { return &g.Text }},
		{"request", func(g *generationRow) any { return asJSON(&g.Request) }},
		{"chunks", func(g *generationRow) any { return asJSON(&g.Chunks) }},
		{"receipt", func(g *generationRow) any { return orNull(&g.Receipt, g.Receipt != nil) }},
	}
)

// The columns of a generation that are only read, those of a brief one (see backend.Generation.Brief), and those that are
// only written.
var (
	generationRead = columns[generationRow]{
		{"seq", func(g *generationRow) any { return &g.seq }},
		{hasFormer, func(g *generationRow) any { return &g.CanUndo }},
	}
	generationBrief = columns[generationRow]{
		{"CASE status WHEN 'complete' THEN json_array_length(chunks) ELSE 0 END", func(g *generationRow) any { return &g.ChunksTotal }},
		{"%s", func(g *generationRow) any { return &g.Text }},
		{"coalesce(json_extract(request, '$.book_id'), '')", func(g *generationRow) any { return &g.Request.BookID }},
	}
	generationDerived = columns[generationRow]{
		{"characters", func(g *generationRow) any { return characters(g.Text) }},
	}
)

// hasFormer is whether a generation has a former version.
const hasFormer = `EXISTS (SELECT 1 FROM generation_versions WHERE generation_id = generations.id)`

// briefText is the start of a text, with one character more than a list shows, so that a cut can be detected.
var briefText = fmt.Sprintf(`substr(text, 1, %d)`, backend.BriefText+1)

// The columns of each statement, and the statements. In briefSelect %s is the text.
var (
	generationWhole   = join(generationRead, generationShort, generationLong)
	generationListed  = join(generationRead, generationShort, generationBrief)
	generationWritten = join(generationShort, generationLong, generationDerived)

	generationSelect = `SELECT ` + generationWhole.names() + ` FROM generations `
	briefSelect      = `SELECT ` + generationListed.names() + ` FROM generations `
	generationInsert = generationWritten.insert("generations")
	generationUpdate = generationWritten.update("generations", "seq")
)

// generationValues returns the arguments of generationInsert.
func generationValues(g backend.Generation) []any {
	return generationWritten.fields(&generationRow{Generation: g})
}

func (db generations) scanGeneration(rows *sql.Rows) (generationRow, error) {
	return db.scanColumns(rows, generationWhole)
}

// scanBrief reads a row of briefSelect.
func (db generations) scanBrief(rows *sql.Rows) (generationRow, error) {
	g, err := db.scanColumns(rows, generationListed)
	g.Brief, g.ChunksDone = true, g.ChunksTotal
	return g, err
}

func (db generations) scanColumns(rows *sql.Rows, read columns[generationRow]) (generationRow, error) {
	g, err := read.scan(rows)
	if err != nil {
		return g, fmt.Errorf("read generation %s: %w", g.ID, err)
	}
	g.stored, g.AudioPath = g.AudioPath, db.placed(g.AudioPath)
	return g, nil
}

// generationsWhere returns the rows that the clauses (WHERE, ORDER BY, LIMIT) select.
func (db generations) generationsWhere(ctx context.Context, tx *sql.Tx, clauses string, args ...any) ([]generationRow, error) {
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
