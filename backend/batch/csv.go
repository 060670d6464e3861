package batch

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/voicewright/voicewright/backend/spreadsheet"
)

// csvSource reads a CSV file whose first row names the columns.
type csvSource struct {
	in      *csv.Reader
	limit   *rowLimit
	columns []string
	skipped int // lines before the ones that in counts
	line    int // of the row that was read last
}

// newCSV reads the names of the columns. Errors: unsupported_media where there is no column text and where the first line cannot be
// read, ErrNoRows where there is no line.
func newCSV(in *bufio.Reader) (*csvSource, error) {
	s := &csvSource{limit: &rowLimit{r: in, left: maxRowBytes}}
	comma, err := separator(in)
	if err != nil {
		return nil, err
	}
	if comma == 0 { // the line "sep=;", by which spreadsheets tell each other the separator
		line, _ := in.ReadString('\n') // separator has seen it
		comma, s.skipped = rune(line[len(separatorLine)]), 1
	}
	s.in = csv.NewReader(s.limit)
	s.in.Comma, s.in.FieldsPerRecord, s.in.TrimLeadingSpace = comma, -1, comma != '\t'
	s.line = s.skipped + 1
	header, err := s.in.Read()
	switch {
	case errors.Is(err, io.EOF):
		return nil, ErrNoRows
	case err != nil:
		return nil, s.listError(err)
	}
	for _, cell := range header {
		s.columns = append(s.columns, strings.ToLower(strings.TrimSpace(cell)))
	}
	if !slices.Contains(s.columns, columnText) {
		return nil, errUnsupported(ReasonNoColumn, "The list has no column named text.",
			"Name the columns in its first line: text, and optionally name, voice, language, speed and format.")
	}
	return s, nil
}

const separatorLine = "sep="

// separator returns what separates the cells of the first line: a comma, a semicolon or a tab; 0 where the line names it.
func separator(in *bufio.Reader) (rune, error) {
	start, err := in.Peek(4096)
	if len(start) == 0 && err != nil && !errors.Is(err, io.EOF) {
		return 0, fmt.Errorf("read the list: %w", err)
	}
	line, _, _ := strings.Cut(string(start), "\n")
	if named, ok := strings.CutPrefix(strings.ToLower(line), separatorLine); ok && strings.IndexAny(named, ",;\t") == 0 {
		return 0, nil
	}
	best, quoted := ',', false
	counts := map[rune]int{}
	for _, r := range line {
		switch r {
		case '"':
			quoted = !quoted
		case ',', ';', '\t':
			if quoted {
				continue
			}
			if counts[r]++; counts[r] > counts[best] {
				best = r
			}
		}
	}
	return best, nil
}

func (s *csvSource) next() (fields, int, error) {
	for {
		s.limit.left = maxRowBytes
		cells, err := s.in.Read()
		malformed := misquoted(err)
		switch {
		case malformed != nil:
			return nil, malformed.StartLine + s.skipped, errRow{
				reason:   ReasonQuotes,
				sentence: "A quotation mark is missing or out of place; put the cell in quotation marks and double those in it.",
			}
		case errors.Is(err, io.EOF):
			return nil, 0, io.EOF
		case err != nil:
			return nil, 0, s.listError(err)
		}
		if !slices.ContainsFunc(cells, func(cell string) bool { return strings.TrimSpace(cell) != "" }) {
			continue // spreadsheets write empty rows as separators alone
		}
		line, _ := s.in.FieldPos(0)
		s.line = line + s.skipped
		f, err := s.fields(cells)
		return f, s.line, err
	}
}

// fields returns the cells of a row by column.
func (s *csvSource) fields(cells []string) (fields, error) {
	params := map[string]any{"cells": len(cells), "columns": len(s.columns)}
	if len(cells) < len(s.columns) {
		return nil, errRow{"too_few", fmt.Sprintf("The row has %d of %d columns.", len(cells), len(s.columns)), params}
	}
	if slices.ContainsFunc(cells[len(s.columns):], func(cell string) bool { return cell != "" }) {
		text := "The row has %d columns, more than the %d of the first line; put the text in quotation marks."
		return nil, errRow{"too_many", fmt.Sprintf(text, len(cells), len(s.columns)), params}
	}
	f := fields{}
	for i, column := range s.columns {
		if _, ok := f[column]; !ok {
			f[column] = spreadsheet.FromCell(cells[i])
		}
	}
	return f, nil
}

// misquoted returns the place where the quotation marks of a row are wrong, nil for another error.
func misquoted(err error) *csv.ParseError {
	var malformed *csv.ParseError
	if errors.As(err, &malformed) && (errors.Is(err, csv.ErrQuote) || errors.Is(err, csv.ErrBareQuote)) {
		return malformed
	}
	return nil
}

// listError returns why the list cannot be read any further.
func (s *csvSource) listError(err error) error {
	if errors.Is(err, errRowTooLong) {
		return rowTooLongError(s.line)
	}
	if malformed := misquoted(err); malformed != nil {
		line := malformed.StartLine + s.skipped
		return errUnsupported(ReasonQuotes, fmt.Sprintf("A quotation mark in line %d, among the names of the columns, "+
			"is missing or out of place.", line),
			"Put the name in quotation marks and double those in it, or remove them.").With("line", line)
	}
	return fmt.Errorf("read the list: %w", err)
}

func rowTooLongError(after int) error {
	return errUnsupported("row_too_large", fmt.Sprintf("The row after line %d has more than 8 MB.", after),
		"A closing quotation mark may be missing there.")
}

// rowLimit ends the reading of a row that has no end.
type rowLimit struct {
	r    io.Reader
	left int
}

var errRowTooLong = errors.New("the row is too long")

// Read reads while the row is within its limit.
func (l *rowLimit) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, errRowTooLong
	}
	n, err := l.r.Read(p)
	l.left -= n
	return n, err
}
