package httpapi

import (
	"strconv"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/strictjson"
)

const unicodeMessage = "Input should be a valid string, unable to parse raw data as a unicode string"

// bodyRules let a name stand twice, as this API has since its first version: the last value counts.
var bodyRules = strictjson.Rules{Depth: 200, Repeats: true}

// decodeJSON decodes a body that checkJSON accepted. huma validates the untyped form and then decodes the typed one; both have
// the same values, so that none bypasses validation.
func decodeJSON(data []byte, v any) error {
	parsed, faults := strictjson.Parse(data, bodyRules)
	if len(faults) > 0 {
		return invalidJSON(faults)
	}
	if p, ok := v.(*any); ok {
		*p = parsed
		return nil
	}
	return strictjson.Decode(parsed, v)
}

// checkJSON returns the error for a body that is no JSON or has text that is none; nil for a valid one.
func checkJSON(data []byte) error {
	if _, faults := strictjson.Parse(data, bodyRules); len(faults) > 0 {
		return invalidJSON(faults)
	}
	return nil
}

// invalidJSON returns json_invalid with a byte offset for a body that is no JSON, string_unicode with the path of each string
// that is not valid text.
func invalidJSON(faults []strictjson.Fault) *backend.ValidationError {
	switch first := faults[0]; first.Kind {
	case strictjson.Malformed:
		return noJSON(first.What, first.Offset)
	case strictjson.TooDeep:
		return noJSON("more than "+strconv.Itoa(bodyRules.Depth)+" levels", first.Offset)
	default:
		invalid := &backend.ValidationError{}
		for _, f := range faults {
			invalid.Fields = append(invalid.Fields,
				backend.FieldError{Loc: append([]string{"body"}, f.Path...), Msg: unicodeMessage, Type: "string_unicode"})
		}
		return invalid
	}
}

// noJSON returns the error for a body that is no JSON from a byte on.
func noJSON(what string, offset int) *backend.ValidationError {
	return backend.Invalid("json_invalid", "JSON decode error: "+what, "body", strconv.Itoa(offset))
}
