package batch

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// lineSource reads a file that has a row in each line that is not blank.
type lineSource struct {
	in    *bufio.Scanner
	parse func(line string) (fields, error)
	line  int
}

func newLines(in io.Reader, parse func(line string) (fields, error)) *lineSource {
	scanner := bufio.NewScanner(in)
	scanner.Buffer(nil, maxRowBytes)
	return &lineSource{in: scanner, parse: parse}
}

func (s *lineSource) next() (fields, int, error) {
	for s.in.Scan() {
		s.line++
		line := strings.TrimSpace(s.in.Text())
		if line == "" {
			continue
		}
		f, err := s.parse(line)
		return f, s.line, err
	}
	switch err := s.in.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, 0, rowTooLongError(s.line)
	case err != nil:
		return nil, 0, fmt.Errorf("read the list: %w", err)
	}
	return nil, 0, io.EOF
}

func textFields(line string) (fields, error) { return fields{columnText: line}, nil }

// jsonFields reads a JSON object; numbers are as good as strings.
func jsonFields(line string) (fields, error) {
	var object map[string]json.RawMessage
	if err := json.Unmarshal([]byte(line), &object); err != nil || object == nil {
		return nil, errRow{reason: "not_object", sentence: "The line is not a JSON object."}
	}
	f := fields{}
	for key, raw := range object {
		key = strings.ToLower(strings.TrimSpace(key))
		var value string
		switch {
		case !known(key), string(raw) == "null":
			continue
		case json.Unmarshal(raw, &value) == nil:
		case json.Unmarshal(raw, new(json.Number)) == nil:
			value = string(raw)
		default:
			return nil, errRow{"not_text", fmt.Sprintf("The value of %s must be a string or a number.", key), map[string]any{"name": key}}
		}
		if strings.ContainsRune(value, 0) { // "\u0000"
			return nil, errRow{"not_text", fmt.Sprintf("The value of %s has a NUL character.", key), map[string]any{"name": key}}
		}
		f[key] = value
	}
	if _, ok := f[columnText]; !ok {
		return nil, errRow{reason: "no_text", sentence: "The line has no text."}
	}
	return f, nil
}

func known(column string) bool {
	switch column {
	case columnText, columnName, columnVoice, columnLanguage, columnSpeed, columnFormat:
		return true
	default:
		return false
	}
}
