package strictjson

import (
	"encoding"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// TypeError is the error for a value of another type than its field.
type TypeError struct {
	Path string // as turns[1].id; "" for the whole body
	Want string // string, boolean, integer, number, object or array
}

// Error names the field and the type.
func (e *TypeError) Error() string { return e.Path + ": expected " + e.Want }

// Decode stores a value of Parse in the variable that into points to. Unlike with encoding/json, names of fields are exact; what
// a struct does not name is ignored, null counts as absent, and an integer may be written as 1.0 or 1e3. A field with the tag
// wrong:"NUMBER" takes that number in place of a value of a wrong type. Errors are a *TypeError, or those of the field's own
// UnmarshalJSON.
func Decode(value, into any) error { return assign("", value, reflect.ValueOf(into).Elem()) }

// Field is a field of a struct with its name in JSON.
type Field struct {
	Name string
	reflect.StructField
}

// Fields returns the fields that Decode fills in a struct, in their order. Those of an embedded struct count as its own, where it has
// none of that name itself.
func Fields(t reflect.Type) []Field {
	var fields []Field
	named := map[string]bool{}
	for i := range t.NumField() {
		field := t.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case name == "-":
			continue
		case field.Anonymous && name == "" && field.Type.Kind() == reflect.Struct:
			for _, inner := range Fields(field.Type) {
				inner.Index = append([]int{i}, inner.Index...)
				fields = append(fields, inner)
			}
			continue
		case !field.IsExported():
			continue
		case name == "":
			name = field.Name
		}
		named[name] = true
		fields = append(fields, Field{Name: name, StructField: field})
	}
	return slices.DeleteFunc(fields, func(f Field) bool { return len(f.Index) > 1 && named[f.Name] })
}

// assign stores value in a field of a request; path names it for errors.
func assign(path string, value any, into reflect.Value) error {
	if into.Kind() != reflect.Pointer && readsItself(into.Type()) {
		raw, err := json.Marshal(value)
		if err != nil {
			return fmt.Errorf("decode %s: %w", path, err)
		}
		return json.Unmarshal(raw, into.Addr().Interface())
	}
	if value == nil {
		return nil
	}
	switch into.Kind() {
	case reflect.Pointer:
		into.Set(reflect.New(into.Type().Elem()))
		return assign(path, value, into.Elem())
	case reflect.Struct:
		return assignStruct(path, value, into)
	case reflect.Map:
		return assignMap(path, value, into)
	case reflect.Slice:
		return assignSlice(path, value, into)
	default:
		return assignPlain(path, value, into)
	}
}

// readsItself reports whether a type has a form of its own in JSON, or takes any.
func readsItself(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return t.Kind() == reflect.Interface || p.Implements(reflect.TypeFor[json.Unmarshaler]()) ||
		p.Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
}

func assignStruct(path string, value any, into reflect.Value) error {
	object, ok := value.(map[string]any)
	if !ok {
		return &TypeError{path, "object"}
	}
	for _, field := range Fields(into.Type()) {
		inner, given := object[field.Name]
		if !given {
			continue
		}
		at, to := join(path, field.Name), into.FieldByIndex(field.Index)
		err := assign(at, inner, to)
		if instead, lax := field.Tag.Lookup("wrong"); err != nil && lax {
			err = assign(at, json.Number(instead), to) // no valid one, so that it is an error only where the field matters
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func assignMap(path string, value any, into reflect.Value) error {
	object, ok := value.(map[string]any)
	if !ok {
		return &TypeError{path, "object"}
	}
	into.Set(reflect.MakeMapWithSize(into.Type(), len(object)))
	for name, inner := range object {
		element := reflect.New(into.Type().Elem()).Elem()
		if err := assign(join(path, name), inner, element); err != nil {
			return err
		}
		into.SetMapIndex(reflect.ValueOf(name).Convert(into.Type().Key()), element)
	}
	return nil
}

func assignSlice(path string, value any, into reflect.Value) error {
	array, ok := value.([]any)
	if !ok {
		return &TypeError{path, "array"}
	}
	into.Set(reflect.MakeSlice(into.Type(), len(array), len(array)))
	for i, element := range array {
		if err := assign(fmt.Sprintf("%s[%d]", path, i), element, into.Index(i)); err != nil {
			return err
		}
	}
	return nil
}

// assignPlain stores a string, a boolean or a number.
func assignPlain(path string, value any, into reflect.Value) error {
	number, isNumber := value.(json.Number)
	switch kind := into.Kind(); {
	case kind == reflect.String:
		text, ok := value.(string)
		if !ok {
			return &TypeError{path, "string"}
		}
		into.SetString(text)
	case kind == reflect.Bool:
		yes, ok := value.(bool)
		if !ok {
			return &TypeError{path, "boolean"}
		}
		into.SetBool(yes)
	case into.CanInt():
		n, ok := integer(number)
		if !isNumber || !ok || into.OverflowInt(n) {
			return &TypeError{path, "integer"}
		}
		into.SetInt(n)
	case into.CanFloat():
		f, err := number.Float64()
		if !isNumber || err != nil || into.OverflowFloat(f) {
			return &TypeError{path, "number"}
		}
		into.SetFloat(f)
	default:
		return fmt.Errorf("decode %s: no rule for %s", path, kind)
	}
	return nil
}

// integer returns a whole number, which may be written with a point or an exponent.
func integer(n json.Number) (int64, bool) {
	if !strings.ContainsAny(n.String(), ".eE") {
		i, err := strconv.ParseInt(n.String(), 10, 64)
		return i, err == nil
	}
	f, err := n.Float64()
	return int64(f), err == nil && f == math.Trunc(f) && math.Abs(f) < math.MaxInt64
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
