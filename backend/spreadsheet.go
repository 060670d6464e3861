package backend

import "strings"

// startsFormula reports whether a spreadsheet would run a cell as a formula, ignoring quotes before it.
func startsFormula(cell string) bool {
	cell = strings.TrimLeft(cell, "'")
	return strings.IndexAny(cell, "=+-@\t\r\n＝＋－＠") == 0
}

// SpreadsheetCell returns a value for a CSV file that no spreadsheet runs as a formula. FromSpreadsheetCell undoes it.
func SpreadsheetCell(value string) string {
	if startsFormula(value) {
		return "'" + value
	}
	return value
}

// FromSpreadsheetCell returns the value of a cell written by SpreadsheetCell.
func FromSpreadsheetCell(cell string) string {
	if value, quoted := strings.CutPrefix(cell, "'"); quoted && startsFormula(value) {
		return value
	}
	return cell
}
