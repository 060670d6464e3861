package registry

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// FieldError is an invalid field of an entry.
type FieldError struct {
	Model  string // model_name, empty where it cannot be read
	Field  string // as in the file: variants[0].files[2].sha256; without numbers where the value has the wrong type
	Reason string
}

// Error returns one line: model "x": field: reason.
func (e *FieldError) Error() string {
	line := e.Reason
	if e.Field != "" {
		line = e.Field + ": " + line
	}
	if e.Model != "" {
		line = fmt.Sprintf("model %q: %s", e.Model, line)
	}
	return line
}

// Parse parses a list of models, {"models": [...]}. Unknown fields are ignored. It returns the valid entries in their order, and
// an error that joins a *FieldError for each of the others. Names ignore case, and the second entry of a name is an error. For
// data that is not such a list, the entries are nil.
func Parse(data []byte) ([]Entry, error) {
	var file struct {
		Models *[]json.RawMessage `json:"models"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("read the list of models: %w", located(data, err))
	}
	if file.Models == nil {
		return nil, errors.New(`read the list of models: the field "models" is missing`)
	}
	var errs []error
	out := make([]Entry, 0, len(*file.Models))
	seen := make(map[string]bool, len(*file.Models))
	for i, raw := range *file.Models {
		e, err := ParseEntry(raw)
		if err == nil && seen[strings.ToLower(e.Name)] {
			err = &FieldError{Model: e.Name, Field: "model_name", Reason: "is the name of an earlier entry too"}
		}
		if err != nil {
			errs = append(errs, withIndex(err, i))
			continue
		}
		seen[strings.ToLower(e.Name)] = true
		out = append(out, e)
	}
	return out, errors.Join(errs...)
}

// ParseEntry parses and checks one entry. Unknown fields are ignored. Errors are *FieldError, or a wrapped
// *json.SyntaxError.
func ParseEntry(data []byte) (Entry, error) {
	var e Entry
	err := json.Unmarshal(data, &e)
	var typ *json.UnmarshalTypeError
	switch {
	case errors.As(err, &typ):
		return Entry{}, &FieldError{Model: nameIn(data), Field: typ.Field, Reason: typeReason(typ)}
	case err != nil:
		return Entry{}, fmt.Errorf("read the model: %w", located(data, err))
	}
	if err := e.Check(); err != nil {
		return Entry{}, err
	}
	return e, nil
}

// Format encodes a list of models: indented by two spaces, fields in the order of the types, no null, a line feed at the end.
func Format(entries []Entry) ([]byte, error) {
	file := struct {
		Models []Entry `json:"models"`
	}{make([]Entry, len(entries))}
	for i, e := range entries {
		file.Models[i] = full(e)
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(file); err != nil {
		return nil, fmt.Errorf("encode the list of models: %w", err)
	}
	return out.Bytes(), nil
}

// full returns a copy of an entry with empty instead of missing lists.
func full(e Entry) Entry {
	e.Languages = append([]string{}, e.Languages...)
	e.Voices = append([]Voice{}, e.Voices...)
	e.Variants = append([]Variant{}, e.Variants...)
	for i, v := range e.Variants {
		e.Variants[i].Files = append([]File{}, v.Files...)
		e.Variants[i].Mirrors = append([]Mirror{}, v.Mirrors...)
	}
	return e
}

// withIndex adds the position of an entry without a name to its error.
func withIndex(err error, i int) error {
	var f *FieldError
	if errors.As(err, &f) && f.Model == "" {
		return fmt.Errorf("entry %d of the list: %w", i+1, err)
	}
	return err
}

// nameIn returns the name of an entry that is otherwise invalid, "" where it has none.
func nameIn(data []byte) string {
	var entry map[string]json.RawMessage
	var name string
	if json.Unmarshal(data, &entry) != nil || json.Unmarshal(entry["model_name"], &name) != nil {
		return ""
	}
	return name
}

// typeReason returns which type a field must have.
func typeReason(err *json.UnmarshalTypeError) string {
	words := map[reflect.Kind]string{
		reflect.String: "a string", reflect.Bool: "true or false", reflect.Slice: "a list",
		reflect.Int: "a whole number", reflect.Int64: "a whole number",
		reflect.Struct: "an object", reflect.Map: "an object",
	}
	return fmt.Sprintf("must be %s, not %s", words[err.Type.Kind()], err.Value)
}

// located adds the field or the line to an error of the JSON.
func located(data []byte, err error) error {
	var typ *json.UnmarshalTypeError
	if errors.As(err, &typ) {
		return &FieldError{Field: typ.Field, Reason: typeReason(typ)}
	}
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return err
	}
	end := min(int(syntax.Offset), len(data))
	return fmt.Errorf("line %d: %w", 1+bytes.Count(data[:end], []byte{'\n'}), err)
}
