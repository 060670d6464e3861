package backend

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/voicewright/voicewright/backend/spreadsheet"
)

// SkippedLine is a line of an imported dictionary that was not imported.
type SkippedLine struct {
	Line   int    `json:"line" doc:"in the file or the list, from 1"`
	Reason string `json:"reason"`
}

// PronunciationImport is the result of an import.
type PronunciationImport struct {
	Added        int           `json:"added"`
	Replaced     int           `json:"replaced" doc:"existing words"`
	Skipped      []SkippedLine `json:"skipped" doc:"the first 1,000 of them"`
	SkippedTotal int           `json:"skipped_total" doc:"how many lines were skipped"`
}

// The columns of a dictionary as CSV, in the order of a file without a header.
const (
	wordColumn       = "word"
	respellingColumn = "respelling"
	languageColumn   = "language"
)

// dictionaryEntry is a pronunciation in a file, which needs no id.
type dictionaryEntry struct {
	Word       string `json:"word"`
	Respelling string `json:"respelling"`
	Language   string `json:"language"`
}

// WritePronunciations writes a dictionary that ReadPronunciations reads, as csv with a header or as a json list.
func WritePronunciations(w io.Writer, format string, list []Pronunciation) error {
	if format == "json" {
		entries := make([]dictionaryEntry, len(list))
		for i, p := range list {
			entries[i] = dictionaryEntry{p.Word, p.Respelling, p.Language}
		}
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(entries)
	}
	out := csv.NewWriter(w)
	err := out.Write([]string{wordColumn, respellingColumn, languageColumn})
	for _, p := range list {
		if err == nil {
			err = out.Write([]string{spreadsheet.Cell(p.Word), spreadsheet.Cell(p.Respelling), p.Language})
		}
	}
	out.Flush()
	return errors.Join(err, out.Error())
}

// ReadPronunciations reads a dictionary as csv or as a json list. An invalid entry is returned as a
// SkippedLine and does not affect the others. Error: ValidationError for JSON that is not a list.
func ReadPronunciations(data []byte, format string) ([]Pronunciation, []SkippedLine, error) {
	r := dictionaryReader{skipped: []SkippedLine{}}
	if format == "json" {
		err := r.json(data)
		return r.found, r.skipped, err
	}
	r.csv(string(data))
	return r.found, r.skipped, nil
}

type dictionaryReader struct {
	found   []Pronunciation
	skipped []SkippedLine
}

// add appends an entry, or the reason why it is invalid.
func (r *dictionaryReader) add(line int, p Pronunciation) {
	var invalid *ValidationError
	if errors.As(p.Check(), &invalid) {
		f := invalid.Fields[0]
		r.skip(line, f.Loc[len(f.Loc)-1]+": "+strings.TrimPrefix(f.Msg, "Value error, "))
		return
	}
	r.found = append(r.found, p)
}

func (r *dictionaryReader) skip(line int, reason string) {
	r.skipped = append(r.skipped, SkippedLine{line, reason})
}

func (r *dictionaryReader) json(data []byte) error {
	var list []json.RawMessage
	if err := json.Unmarshal(data, &list); err != nil || list == nil {
		return Invalid("list_type", "Input should be a valid list", "body")
	}
	for i, raw := range list {
		var e dictionaryEntry
		if err := json.Unmarshal(raw, &e); err != nil {
			r.skip(i+1, "it should be an object with the strings word, respelling and language")
			continue
		}
		r.add(i+1, Pronunciation{Word: e.Word, Respelling: e.Respelling, Language: e.Language})
	}
	return nil
}

// csv parses each line separately, so that an unclosed quotation mark affects one line only. No value of a dictionary
// contains a line break.
func (r *dictionaryReader) csv(data string) {
	columns := []string{wordColumn, respellingColumn, languageColumn}
	first := true
	line := 0
	for text := range strings.SplitSeq(strings.TrimPrefix(data, "\ufeff"), "\n") {
		line++
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		values, err := splitLine(text)
		if err != nil {
			r.skip(line, "its quotation marks do not match")
			continue
		}
		if first {
			first = false
			if names := lower(values); slices.Contains(names, wordColumn) && slices.Contains(names, respellingColumn) {
				columns = names
				continue
			}
		}
		if len(values) > len(columns) {
			r.skip(line, fmt.Sprintf("it has %d columns instead of %d; a value with a comma needs quotation marks",
				len(values), len(columns)))
			continue
		}
		r.add(line, Pronunciation{
			Word: valueOf(wordColumn, columns, values), Respelling: valueOf(respellingColumn, columns, values),
			Language: valueOf(languageColumn, columns, values),
		})
	}
}

func splitLine(line string) ([]string, error) {
	in := csv.NewReader(strings.NewReader(line))
	in.TrimLeadingSpace = true
	return in.Read()
}

func lower(values []string) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = strings.ToLower(strings.TrimSpace(v))
	}
	return out
}

// valueOf returns the value of a column, empty where the line has too few.
func valueOf(column string, columns, values []string) string {
	if i := slices.Index(columns, column); i >= 0 && i < len(values) {
		return spreadsheet.FromCell(values[i])
	}
	return ""
}
