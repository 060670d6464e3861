// Package spreadsheet writes cells of CSV files that no spreadsheet runs as formulas.
package spreadsheet

import "strings"

// startsFormula reports whether a spreadsheet would run a cell as a formula, ignoring quotes before it.
func startsFormula(cell string) bool {
	cell = strings.TrimLeft(cell, "'")
	return strings.IndexAny(cell, "=+-@\t\r\n＝＋－＠") == 0
}

// Cell returns a value for a CSV file that no spreadsheet runs as a formula. FromCell undoes it.
func Cell(value string) string {
	if startsFormula(value) {
		return "'" + value
	}
	return value
}

// FromCell returns the value of a cell written by Cell.
func FromCell(cell string) string {
	if value, quoted := strings.CutPrefix(cell, "'"); quoted && startsFormula(value) {
		return value
	}
	return cell
}
