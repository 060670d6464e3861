// Package batch reads lists of texts to speak, from CSV, JSONL and plain text files, and names the audio files of their rows.
package batch

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/printable"
)

// The columns of a list, which are also the keys of JSONL. Other columns are ignored.
const (
	columnText     = "text"
	columnName     = "name"
	columnVoice    = "voice"
	columnLanguage = "language"
	columnSpeed    = "speed"
	columnFormat   = "format"
)

// The limits of a row: those of a generation, and of the memory for one row of a damaged file.
const (
	maxTextChars = 200_000
	minSpeed     = 0.25
	maxSpeed     = 4
	maxRowBytes  = 8 << 20
)

// Row is a text of a list with what its columns say about it. Empty fields were not given.
type Row struct {
	Number   int      `json:"row" doc:"counts the rows with texts, from 1"`
	Line     int      `json:"line" doc:"line of the file in which the row begins, from 1"`
	Text     string   `json:"text"`
	Name     string   `json:"name" doc:"of the audio file, without extension"`
	Voice    string   `json:"voice" doc:"MODEL:VOICE, or the name of a profile"`
	Language string   `json:"language"`
	Speed    *float64 `json:"speed"`
	Format   string   `json:"format"`
	Problem  string   `json:"problem" doc:"why the row cannot be spoken, in one sentence; empty for a good row"`
	// Left out of good rows, so that the hashes of rows stay.
	Reason string         `json:"reason,omitempty" doc:"the problem for programs: no_text, too_long, format, speed, quotes, too_few, too_many, not_object or not_text"`
	Params map[string]any `json:"params,omitempty" doc:"the values in the problem"`
}

// fields is a row as the file has it, by column.
type fields map[string]string

// source reads the rows of one kind of file. It returns io.EOF after the last one, and an errRow for a row that cannot be read.
type source interface {
	next() (f fields, line int, err error)
}

// errRow is why one row cannot be read or spoken; the rows after it can be.
type errRow struct {
	reason, sentence string
	params           map[string]any
}

func (e errRow) Error() string { return e.sentence }

// Reader reads a list row by row, so that a list of any length needs the memory of one row.
type Reader struct {
	Encoding string // that the list is read in, as IANA names it
	Guessed  bool   // by what it looks like

	source source
	rows   int
}

// NewReader returns a reader of a list. The extension of name is its kind: .csv, .jsonl or .txt. encoding is the one to read it in,
// empty for the one that is found.
// Errors: unsupported_media for another one and for a CSV file whose first line has no column text or cannot be read, ErrNoRows
// for an empty CSV file, a validation error for an unknown encoding, and those of r. Next returns unsupported_media as well where
// a file is no text.
func NewReader(name, encoding string, r io.ReadSeeker) (*Reader, error) {
	decoded, found, err := decode(r, encoding)
	if err != nil {
		return nil, err
	}
	in := bufio.NewReaderSize(decoded, 64<<10)
	var s source
	switch strings.ToLower(filepath.Ext(name)) {
	case ".csv":
		s, err = newCSV(in)
	case ".jsonl":
		s = newLines(in, jsonFields)
	case ".txt":
		s = newLines(in, textFields)
	default:
		err = errUnsupported(ReasonKind, "A list is a .csv, .jsonl or .txt file.", "Save it as one of these.")
	}
	return &Reader{Encoding: found.Name, Guessed: found.Guessed, source: s}, err
}

// The values of params.reason of a file that is another kind of file than a list.
const (
	ReasonKind     = "kind"
	ReasonNoColumn = "no_column"
	ReasonNoRows   = "no_rows"
	ReasonQuotes   = "quotes" // of the first line; elsewhere it is the problem of a row
)

// ErrNoRows is the error of an empty file or a list without rows.
var ErrNoRows = errUnsupported(ReasonNoRows, "The list has no rows.", "Write each text in a row of its own, then choose the file again.")

func errUnsupported(reason, detail, remedy string) *backend.Error {
	return backend.E(backend.CodeUnsupportedMedia, detail, remedy).With("reason", reason)
}

// Next returns the next row, which may have a problem, and io.EOF after the last one. Other errors end the list.
func (r *Reader) Next() (Row, error) {
	f, line, err := r.source.next()
	var bad errRow
	if err != nil && !errors.As(err, &bad) {
		return Row{}, err
	}
	r.rows++
	row := Row{Number: r.rows, Line: line}
	if err == nil {
		bad = row.set(f)
	}
	row.Problem, row.Reason, row.Params = bad.sentence, bad.reason, bad.params
	return row, nil
}

// set sets the row from its columns, and returns its problem if a value is wrong.
func (r *Row) set(f fields) errRow {
	for column, value := range f {
		f[column] = strings.TrimSpace(value)
	}
	r.Text, r.Voice, r.Language = f[columnText], f[columnVoice], f[columnLanguage]
	r.Name, r.Format = f[columnName], strings.ToLower(f[columnFormat])
	if ext := filepath.Ext(r.Name); len(ext) > 1 && slices.Contains(backend.AudioFormats(), strings.ToLower(ext[1:])) {
		r.Name = strings.TrimSuffix(r.Name, ext)
		if r.Format == "" {
			r.Format = strings.ToLower(ext[1:])
		}
	}
	switch chars := utf8.RuneCountInString(r.Text); {
	case chars == 0:
		return errRow{reason: "no_text", sentence: "The text is empty."}
	case !backend.Speakable(r.Text):
		return errRow{reason: "no_text", sentence: "The text has no letter or digit that could be spoken."}
	case chars > maxTextChars:
		return errRow{reason: "too_long", sentence: "The text has more than 200,000 characters."}
	case r.Format != "" && !slices.Contains(backend.AudioFormats(), r.Format):
		formats, value := strings.Join(backend.AudioFormats(), ", "), printable.Shortened(r.Format, maxShown)
		return errRow{
			reason: "format", sentence: fmt.Sprintf("The format %q must be one of %s.", value, formats),
			params: map[string]any{"value": value, "formats": formats},
		}
	}
	if f[columnSpeed] == "" {
		return errRow{}
	}
	speed, err := strconv.ParseFloat(strings.Replace(f[columnSpeed], ",", ".", 1), 64) // a comma, as spreadsheets write it in German
	if err != nil || math.IsNaN(speed) || speed < minSpeed || speed > maxSpeed {
		value := printable.Shortened(f[columnSpeed], maxShown)
		return errRow{
			reason: "speed", sentence: fmt.Sprintf("The speed %q must be a number from 0.25 to 4.", value),
			params: map[string]any{"value": value},
		}
	}
	r.Speed = &speed
	return errRow{}
}

// maxShown is how many characters of a wrong value its problem repeats.
const maxShown = 100
