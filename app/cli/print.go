package cli

import (
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/printable"
)

func (p *program) printf(format string, args ...any) error {
	_, err := fmt.Fprintf(p.io.Out, format, args...)
	return err
}

func (p *program) printJSON(v any) error {
	enc := json.NewEncoder(p.io.Out)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// print prints a result: v with --json, else a line of text.
func (p *program) print(v any, format string, args ...any) error {
	if p.json {
		return p.printJSON(v)
	}
	return p.printf(format+"\n", args...)
}

// notef prints a line to standard error.
func (p *program) notef(format string, args ...any) {
	_, _ = fmt.Fprintf(p.io.Err, format+"\n", args...) // there is nowhere else to report a failure
}

// table prints rows in columns. On a terminal a cell is one line, whatever is in it.
func (p *program) table(header string, rows [][]string) error {
	w := tabwriter.NewWriter(p.io.Out, 0, 4, 2, ' ', 0)
	if _, err := fmt.Fprintln(w, strings.ReplaceAll(header, " ", "\t")); err != nil {
		return err
	}
	shown := isTerminal(p.io.Out)
	for _, row := range rows {
		if shown {
			row = visibleCells(row)
		}
		if _, err := fmt.Fprintln(w, strings.Join(row, "\t")); err != nil {
			return err
		}
	}
	return w.Flush()
}

func visibleCells(row []string) []string {
	cells := make([]string, len(row))
	for i, cell := range row {
		cells[i] = visibleCell(cell)
	}
	return cells
}

// oneLine shortens a text to one line of at most n characters.
func oneLine(s string, n int) string {
	return printable.Shortened(backend.OneLine(s), n)
}
