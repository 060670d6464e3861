package api

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/voicewright/voicewright/backend/strictjson"
)

// bodyRules are the limits of a body.
var bodyRules = strictjson.Rules{Depth: 16}

// parseJSON returns the value of a JSON text. What decoders read in different ways is an error.
func parseJSON(data []byte) (any, error) {
	value, faults := strictjson.Parse(data, bodyRules)
	if len(faults) > 0 {
		return nil, errBadJSON(data, faults[0])
	}
	return value, nil
}

// errBadJSON returns the error for a body, without quoting more of it than a name.
func errBadJSON(data []byte, fault strictjson.Fault) error {
	switch {
	case strings.TrimSpace(string(data)) == "":
		return errBadRequest("The body is empty. Send a JSON object.")
	case !utf8.Valid(data):
		return errBadRequest("The body is not valid UTF-8. Send JSON in UTF-8.")
	case fault.Kind == strictjson.TooDeep:
		return errBadRequest("The body has more than %d objects or arrays in each other.", bodyRules.Depth)
	case fault.Kind == strictjson.Repeated:
		return errBadRequest("The body has the field %s twice. Send it once.", quote(fault.Path[len(fault.Path)-1]))
	case fault.Kind == strictjson.NoCharacter:
		return errBadRequest("The escape at byte %d of the body is no character.", fault.Offset)
	default:
		return errBadRequest("The body is not valid JSON: error at byte %d.", fault.Offset+1)
	}
}

// decode stores a value of parseJSON in the struct that into points to. A wrong type is an error that names the field.
func decode(value any, into any) error {
	if _, isObject := value.(map[string]any); !isObject {
		return errBadRequest("The body must be a JSON object.")
	}
	err := strictjson.Decode(value, into)
	var wrong *strictjson.TypeError
	if !errors.As(err, &wrong) {
		return err
	}
	want := map[string]string{"boolean": "true or false", "array": "an array", "object": "an object"}[wrong.Want]
	if want == "" {
		want = "a " + wrong.Want
	}
	return errBadRequest("The field %q must be %s.", wrong.Path, want)
}

// quote returns a name of the client for a sentence, shortened.
func quote(name string) string {
	const maxRunes = 60
	if runes := []rune(name); len(runes) > maxRunes {
		name = string(runes[:maxRunes]) + "…"
	}
	return strconv.Quote(name)
}
