package cli

import (
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"
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

// table prints rows in columns.
func (p *program) table(header string, rows [][]string) error {
	w := tabwriter.NewWriter(p.io.Out, 0, 4, 2, ' ', 0)
	if _, err := fmt.Fprintln(w, strings.ReplaceAll(header, " ", "\t")); err != nil {
		return err
	}
	for _, row := range rows {
		if _, err := fmt.Fprintln(w, strings.Join(row, "\t")); err != nil {
			return err
		}
	}
	return w.Flush()
}

// oneLine shortens a text for a table.
func oneLine(s string, n int) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}
