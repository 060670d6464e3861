package api

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strings"
)

// decode stores a value of parseJSON in the struct that into points to. Names of fields are exact, unlike in encoding/json;
// unknown ones are ignored, null counts as absent, and a wrong type is an error that names the field.
func decode(value any, into any) error {
	if _, isObject := value.(map[string]any); !isObject {
		return badRequest("The body must be a JSON object.")
	}
	return assign("", value, reflect.ValueOf(into).Elem())
}

// assign stores value in a field of a request; path names it for errors.
func assign(path string, value any, into reflect.Value) error {
	if value == nil {
		return nil
	}
	switch into.Kind() {
	case reflect.Pointer:
		into.Set(reflect.New(into.Type().Elem()))
		return assign(path, value, into.Elem())
	case reflect.Struct:
		return assignStruct(path, value, into)
	case reflect.Slice:
		return assignSlice(path, value, into)
	case reflect.String:
		if s, ok := value.(string); ok {
			into.SetString(s)
			return nil
		}
		return wrongType(path, "a string")
	case reflect.Bool:
		if b, ok := value.(bool); ok {
			into.SetBool(b)
			return nil
		}
		return wrongType(path, "true or false")
	case reflect.Float64:
		n, ok := value.(json.Number)
		f, err := n.Float64()
		if !ok || err != nil || math.IsInf(f, 0) {
			return wrongType(path, "a number")
		}
		into.SetFloat(f)
		return nil
	default:
		return fmt.Errorf("decode %s: no rule for %s", path, into.Kind())
	}
}

func assignStruct(path string, value any, into reflect.Value) error {
	object, ok := value.(map[string]any)
	if !ok {
		return wrongType(path, "an object")
	}
	for _, field := range reflect.VisibleFields(into.Type()) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if field.Anonymous || name == "" || name == "-" {
			continue
		}
		inner := name
		if path != "" {
			inner = path + "." + name
		}
		to := into.FieldByIndex(field.Index)
		err := assign(inner, object[name], to)
		if instead, lax := field.Tag.Lookup("wrong"); err != nil && lax {
			err = assign(inner, json.Number(instead), to) // no valid one, so that it is an error only where the field matters
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func assignSlice(path string, value any, into reflect.Value) error {
	array, ok := value.([]any)
	if !ok {
		return wrongType(path, "an array")
	}
	into.Set(reflect.MakeSlice(into.Type(), len(array), len(array)))
	for i, element := range array {
		if err := assign(fmt.Sprintf("%s[%d]", path, i), element, into.Index(i)); err != nil {
			return err
		}
	}
	return nil
}

func wrongType(path, want string) error {
	return badRequest("The field %q must be %s.", path, want)
}
