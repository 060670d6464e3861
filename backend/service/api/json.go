package api

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// maxDepth is the number of objects and arrays in each other that a body may have.
const maxDepth = 16

// parseJSON returns the value of a JSON text: nil, bool, json.Number, string, []any or map[string]any. What decoders read in
// different ways is an error: a name twice in one object, bytes that are not UTF-8, half a surrogate pair, and NUL.
func parseJSON(data []byte) (any, error) {
	switch {
	case len(bytes.TrimSpace(data)) == 0:
		return nil, badRequest("The body is empty. Send a JSON object.")
	case !utf8.Valid(data):
		return nil, badRequest("The body is not valid UTF-8. Send JSON in UTF-8.")
	case deeperThan(data, maxDepth):
		return nil, badRequest("The body has more than %d objects or arrays in each other.", maxDepth)
	}
	if err := json.Unmarshal(data, new(json.RawMessage)); err != nil {
		return nil, badRequest("The body is not valid JSON: %s.", syntaxError(err))
	}
	if at := badEscape(data); at >= 0 {
		return nil, badRequest("The escape at byte %d of the body is no character.", at)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	return readValue(d)
}

// syntaxError returns what is wrong with a JSON text and where, without quoting it.
func syntaxError(err error) string {
	if e, ok := err.(*json.SyntaxError); ok { //nolint:errorlint // Unmarshal returns it bare
		return fmt.Sprintf("error at byte %d", e.Offset)
	}
	return "it cannot be read"
}

// deeperThan reports whether a JSON text has more than limit values in each other. It needs no valid text.
func deeperThan(data []byte, limit int) bool {
	depth, quoted := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{', c == '[':
			if depth++; depth > limit {
				return true
			}
		case c == '}', c == ']':
			depth--
		}
	}
	return false
}

// badEscape returns the offset of the first \u escape in a valid JSON text that is NUL or half a surrogate pair, else -1.
func badEscape(data []byte) int {
	for i := 0; i < len(data); i++ {
		if data[i] != '\\' {
			continue
		}
		i++
		if data[i] != 'u' {
			continue
		}
		at := i - 1
		r := hex(data[i+1:])
		i += 4
		if r == 0 {
			return at
		}
		if !utf16.IsSurrogate(r) {
			continue
		}
		next := data[i+1:]
		if len(next) < 6 || next[0] != '\\' || next[1] != 'u' || utf16.DecodeRune(r, hex(next[2:])) == utf8.RuneError {
			return at
		}
		i += 6
	}
	return -1
}

// hex returns the number of four hexadecimal digits.
func hex(digits []byte) rune {
	n, _ := strconv.ParseUint(string(digits[:4]), 16, 16) // the text is valid JSON
	return rune(n)
}

// readValue reads the next value of a valid JSON text.
func readValue(d *json.Decoder) (any, error) {
	token, err := d.Token()
	if err != nil {
		return nil, fmt.Errorf("read JSON: %w", err)
	}
	switch token {
	case json.Delim('{'):
		return readObject(d)
	case json.Delim('['):
		return readArray(d)
	}
	return token, nil
}

func readObject(d *json.Decoder) (any, error) {
	object := map[string]any{}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return nil, fmt.Errorf("read JSON: %w", err)
		}
		name, _ := token.(string)
		if _, twice := object[name]; twice {
			return nil, badRequest("The body has the field %s twice. Send it once.", quote(name))
		}
		if object[name], err = readValue(d); err != nil {
			return nil, err
		}
	}
	_, err := d.Token()
	return object, err
}

func readArray(d *json.Decoder) (any, error) {
	array := []any{}
	for d.More() {
		value, err := readValue(d)
		if err != nil {
			return nil, err
		}
		array = append(array, value)
	}
	_, err := d.Token()
	return array, err
}

// quote returns a name of the client for a sentence, shortened.
func quote(name string) string {
	const maxRunes = 60
	if runes := []rune(name); len(runes) > maxRunes {
		name = string(runes[:maxRunes]) + "…"
	}
	return strconv.Quote(name)
}
