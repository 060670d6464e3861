package docx

import (
	"slices"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/extract/internal/blocks"
	"github.com/voicewright/voicewright/backend/extract/internal/prose"
)

// tableRow is a row of a table of a Word document that is read for a manuscript.
type tableRow struct {
	cells  []string
	parts  []paragraph // of all cells
	notes  []paragraph
	layout bool // a cell has a sentence, several paragraphs or a table
}

// beginTable begins a table, whose cells decide whether it is text.
func (b *manuscript) beginTable() {
	if b != nil {
		b.tables = append(b.tables, &blocks.Table{})
	}
}

// beginRow begins a row of the innermost table.
func (b *manuscript) beginRow() *tableRow {
	if b == nil {
		return nil
	}
	b.tables[len(b.tables)-1].Row()
	return &tableRow{}
}

// addCell adds a cell to a row.
func (b *manuscript) addCell(row *tableRow, paragraphs []paragraph) {
	var text []string
	for i := range paragraphs {
		p := &paragraphs[i]
		if p.kind == backend.BlockNote {
			row.notes = append(row.notes, *p)
			continue
		}
		row.layout = row.layout || p.kind == backend.BlockTable || p.kind == backend.BlockImage || len(text) > 0
		text = append(text, string(p.text))
		row.parts = append(row.parts, *p)
	}
	cell := strings.Join(text, "\n")
	if plain := blocks.Unmarked(cell); plain != "" {
		b.tables[len(b.tables)-1].Cell(plain)
		row.layout = row.layout || prose.EndsSentence(plain)
		row.cells = append(row.cells, cell)
	}
}

// paragraphs returns a row as one paragraph with commas between its cells, or, where cells have sentences, their paragraphs.
func (row *tableRow) paragraphs() []paragraph {
	switch {
	case len(row.cells) == 0:
	case row.layout:
		for i := range row.parts {
			if p := &row.parts[i]; p.kind == backend.BlockParagraph {
				p.kind = backend.BlockTable
			}
		}
		return append(row.parts, row.notes...)
	default:
		p := paragraph{text: []byte(strings.Join(row.cells, ", "))}
		p.kind = backend.BlockTable
		return append([]paragraph{p}, row.notes...)
	}
	return append(row.parts, row.notes...)
}

// endTable ends the innermost table: its rows are paragraphs where it is text, else they have the class of tables of data.
func (b *manuscript) endTable(rows []paragraph) {
	if b == nil {
		return
	}
	last := len(b.tables) - 1
	probe := []backend.Block{{Kind: backend.BlockTable}}
	for i := range rows {
		probe = append(probe, backend.Block{Kind: rows[i].kind})
	}
	b.tables[last].Decide(probe)
	b.tables = slices.Delete(b.tables, last, last+1)
	isText := probe[0].Kind == backend.BlockParagraph
	for i := range rows {
		p := &rows[i]
		switch {
		case isText && p.kind == backend.BlockTable && p.class == "":
			p.kind = backend.BlockParagraph
		case !isText && p.class == "":
			p.class = backend.ClassTables
		}
	}
}
