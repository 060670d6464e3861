package httpapi

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"

	"github.com/voicewright/voicewright/backend"
)

// setHuma sets the error bodies and rules of huma, which are package variables, once for the process.
var setHuma = sync.OnceFunc(func() {
	huma.NewError = newError
	huma.NewErrorWithContext = func(c huma.Context, status int, msg string, errs ...error) huma.StatusError {
		if c == nil || c.Operation() == nil {
			return newError(status, msg, errs...)
		}
		if f, ok := c.(*typedForm); ok && f.failure != nil {
			return newProblem(backend.AsError(f.failure))
		}
		return inShape(c.Operation().Path, newError(status, msg, errs...))
	}
	huma.DefaultArrayNullable = false
	huma.ValidateStrictCasing = true
})

// newError is called by huma for its own errors: invalid parameters and bodies.
func newError(status int, msg string, errs ...error) huma.StatusError {
	for _, err := range errs {
		if unread := unreadStatus(err); unread != 0 {
			status = unread
		}
	}
	switch status {
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
		fields := make([]backend.FieldError, 0, len(errs))
		for _, err := range errs {
			if err == nil {
				continue
			}
			fields = append(fields, fieldErrors(err)...)
		}
		if len(fields) == 0 {
			fields = append(fields, backend.FieldError{Loc: []string{"body"}, Msg: "Field required", Type: "missing"})
		}
		return newInvalid(fields)
	case http.StatusRequestEntityTooLarge:
		return newProblem(errBodyTooLarge(0))
	case http.StatusRequestTimeout:
		return newProblem(errBodyIncomplete)
	case http.StatusUnsupportedMediaType:
		return newProblem(backend.E(backend.CodeUnsupportedMedia, "This content type is not supported.",
			"Send the body as application/json."))
	default:
		p := newProblem(backend.E(backend.CodeInternal, "The request could not be answered.", "Try again."))
		if status != 0 {
			p.status = status
		}
		return p
	}
}

// formFailed is the start of the message of huma for a form that it could not read.
const formFailed = "cannot read multipart form"

// unreadStatus returns the status for a body that could not be read, 0 for any other error. For a form, huma
// passes on only the text of the error.
func unreadStatus(err error) int {
	var words string
	var d huma.ErrorDetailer
	if errors.As(err, &d) && strings.HasPrefix(d.ErrorDetail().Message, formFailed) {
		words = d.ErrorDetail().Message
	}
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large), strings.Contains(words, large.Error()):
		return http.StatusRequestEntityTooLarge
	case errors.Is(err, io.ErrUnexpectedEOF), strings.Contains(words, os.ErrDeadlineExceeded.Error()):
		return http.StatusRequestTimeout
	default:
		return 0
	}
}

// fieldErrors returns the entries for one error of huma or of a resolver.
func fieldErrors(err error) []backend.FieldError {
	var own *backend.ValidationError
	if errors.As(err, &own) {
		return own.Fields
	}
	var d huma.ErrorDetailer
	if !errors.As(err, &d) {
		return []backend.FieldError{{Loc: []string{"body"}, Msg: "The value is not acceptable", Type: "value_error"}}
	}
	return []backend.FieldError{fieldError(d.ErrorDetail())}
}

// rule maps messages of huma to a Pydantic v2 type and message; $1 is the submatch of the expression.
type rule struct {
	match *regexp.Regexp
	typ   string
	msg   string
}

// rules follow huma/validation/messages.go and huma.go of v2.39.0; the golden test pins both sides.
var rules = []rule{
	{regexp.MustCompile(`^expected required property (.*) to be present$`), "missing", "Field required"},
	{regexp.MustCompile(`^required \w+ parameter is missing$`), "missing", "Field required"},
	{regexp.MustCompile(`^request body is required$`), "missing", "Field required"},
	{regexp.MustCompile(`^File required$`), "missing", "Field required"},
	{regexp.MustCompile(`^` + formFailed), "value_error", "Input should be multipart/form-data with the part file"},
	{regexp.MustCompile(`^expected string to be RFC 4122 uuid`), "uuid_parsing", "Input should be a valid UUID"},
	{
		regexp.MustCompile(`^expected string to be RFC 3339 date-time|^invalid date/time`), "datetime_parsing",
		"Input should be a valid date and time (RFC 3339)",
	},
	{regexp.MustCompile(`^expected string to be RFC 3986 uri`), "url_parsing", "Input should be a valid URL"},
	{regexp.MustCompile(`^expected string to match pattern (.*)$`), "string_pattern_mismatch", "String should match pattern '$1'"},
	{regexp.MustCompile(`^expected string to be (.*)$`), "string_pattern_mismatch", "String should be $1"},
	{regexp.MustCompile(`^expected string$`), "string_type", "Input should be a valid string"},
	{regexp.MustCompile(`^expected integer$`), "int_type", "Input should be a valid integer"},
	{regexp.MustCompile(`^expected number$`), "float_type", "Input should be a valid number"},
	{regexp.MustCompile(`^expected boolean$`), "bool_type", "Input should be a valid boolean"},
	{regexp.MustCompile(`^expected array$`), "list_type", "Input should be a valid list"},
	{regexp.MustCompile(`^expected object$`), "dict_type", "Input should be a valid dictionary"},
	{regexp.MustCompile(`^expected value to be one of "(.*)"$`), "enum", "Input should be one of: $1"},
	{regexp.MustCompile(`^expected value to be (.*)$`), "literal_error", "Input should be $1"},
	{regexp.MustCompile(`^expected number >= (.*)$`), "greater_than_equal", "Input should be greater than or equal to $1"},
	{regexp.MustCompile(`^expected number > (.*)$`), "greater_than", "Input should be greater than $1"},
	{regexp.MustCompile(`^expected number <= (.*)$`), "less_than_equal", "Input should be less than or equal to $1"},
	{regexp.MustCompile(`^expected number < (.*)$`), "less_than", "Input should be less than $1"},
	{regexp.MustCompile(`^expected number to be a multiple of (.*)$`), "multiple_of", "Input should be a multiple of $1"},
	{regexp.MustCompile(`^expected length >= (.*)$`), "string_too_short", "String should have at least $1 characters"},
	{regexp.MustCompile(`^expected length <= (.*)$`), "string_too_long", "String should have at most $1 characters"},
	{
		regexp.MustCompile(`^expected (?:array length >= (\d+)|object with at least (\d+) properties)$`), "too_short",
		"There should be at least $1$2 items",
	},
	{
		regexp.MustCompile(`^expected (?:array length <= (\d+)|object with at most (\d+) properties)$`), "too_long",
		"There should be at most $1$2 items",
	},
	{regexp.MustCompile(`^invalid integer$`), "int_parsing", "Input should be a valid integer, unable to parse the value"},
	{regexp.MustCompile(`^invalid float$`), "float_parsing", "Input should be a valid number, unable to parse the value"},
	{regexp.MustCompile(`^invalid boolean$`), "bool_parsing", "Input should be a valid boolean, unable to parse the value"},
	{regexp.MustCompile(`^parsing time `), "datetime_parsing", "Input should be a valid date and time (RFC 3339)"},
}

// typedField matches a strictjson.TypeError: the path of the field, and what huma says of one.
var typedField = regexp.MustCompile(`^(\S+): (expected (?:integer|number))$`)

// fieldError translates an error of huma.
func fieldError(d *huma.ErrorDetail) backend.FieldError {
	loc, message := splitLocation(d.Location), d.Message
	if m := typedField.FindStringSubmatch(message); m != nil {
		loc, message = splitLocation(d.Location+"."+m[1]), m[2]
	}
	for _, r := range rules {
		m := r.match.FindStringSubmatchIndex(message)
		if m == nil {
			continue
		}
		f := backend.FieldError{Loc: loc, Type: r.typ, Msg: string(r.match.ExpandString(nil, r.msg, message, m))}
		switch {
		case r.typ == "missing" && len(m) > 2:
			f.Loc = append(f.Loc, message[m[2]:m[3]])
		case r.typ == "dict_type" && len(loc) == 1:
			f.Type, f.Msg = "model_attributes_type", "Input should be a valid dictionary or object to extract fields from"
		case strings.HasSuffix(f.Msg, " 1 characters"), strings.HasSuffix(f.Msg, " 1 items"):
			f.Msg = strings.TrimSuffix(f.Msg, "s")
		}
		return f
	}
	return backend.FieldError{Loc: loc, Type: "value_error", Msg: fmt.Sprintf("Value error, %s", firstLine(message))}
}

// firstLine shortens messages of other packages.
func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// splitLocation turns `body.turns[0].id` into body, turns, 0, id.
func splitLocation(location string) []string {
	location = strings.ReplaceAll(location, "[", ".")
	location = strings.ReplaceAll(location, "]", "")
	loc := strings.Split(location, ".")
	switch loc[0] {
	case "body", "query", "path", "header", "cookie":
		return loc
	default: // a part of a form
		return append([]string{"body"}, loc...)
	}
}
