package httpapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// decodeJSON decodes a body that checkJSON accepted. huma validates the untyped form and then decodes the typed one. The typed
// one is built from the untyped, so that both have the same values: encoding/json would match field names ignoring case and
// merge repeated objects, so that a value could bypass validation. Integers may be written as 1.0 or 1e3.
func decodeJSON(data []byte, v any) error {
	var parsed any
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if err := dec.Decode(&parsed); err != nil {
		return fmt.Errorf("decode body: %w", err)
	}
	if p, ok := v.(*any); ok {
		*p = parsed
		return nil
	}
	exact, err := json.Marshal(fit(parsed, reflect.TypeOf(v)))
	if err != nil {
		return fmt.Errorf("decode body: %w", err)
	}
	return json.Unmarshal(exact, v)
}

var unmarshalerType = reflect.TypeFor[json.Unmarshaler]()

// fit returns v with only the fields that t names exactly.
func fit(v any, t reflect.Type) any {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if reflect.PointerTo(t).Implements(unmarshalerType) {
		return v
	}
	switch v := v.(type) {
	case map[string]any:
		return fitObject(v, t)
	case []any:
		if t.Kind() == reflect.Slice || t.Kind() == reflect.Array {
			for i := range v {
				v[i] = fit(v[i], t.Elem())
			}
		}
		return v
	case json.Number:
		return fitNumber(v, t)
	default:
		return v
	}
}

func fitObject(v map[string]any, t reflect.Type) any {
	if t.Kind() == reflect.Map {
		for k := range v {
			v[k] = fit(v[k], t.Elem())
		}
	}
	if t.Kind() != reflect.Struct {
		return v
	}
	kept := make(map[string]any, len(v))
	for name, ft := range jsonFields(t) {
		if value, ok := v[name]; ok {
			kept[name] = fit(value, ft)
		}
	}
	return kept
}

// fitNumber writes a whole number without point or exponent where an integer is wanted.
func fitNumber(n json.Number, t reflect.Type) any {
	if t.Kind() < reflect.Int || t.Kind() > reflect.Uint64 || !strings.ContainsAny(n.String(), ".eE") {
		return n
	}
	f, err := n.Float64()
	if err != nil || f != math.Trunc(f) || math.Abs(f) >= math.MaxInt64 {
		return n
	}
	return json.Number(strconv.FormatInt(int64(f), 10))
}

// jsonFields returns the names that encoding/json writes for a struct, with their types.
func jsonFields(t reflect.Type) map[string]reflect.Type {
	fields := map[string]reflect.Type{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		ft := f.Type
		for ft.Kind() == reflect.Pointer {
			ft = ft.Elem()
		}
		switch {
		case name == "-":
		case f.Anonymous && name == "" && ft.Kind() == reflect.Struct:
			for k, inner := range jsonFields(ft) {
				if _, outer := fields[k]; !outer {
					fields[k] = inner
				}
			}
		case !f.IsExported():
		case name == "":
			fields[f.Name] = f.Type
		default:
			fields[name] = f.Type
		}
	}
	return fields
}
