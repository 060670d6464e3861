package httpapi

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/query"
)

const (
	maxJSONBytes  = 1 << 20  // JSON bodies
	maxTextBytes  = 4 << 20  // JSON bodies of routes that take long text
	maxDrainBytes = 64 << 20 // of a refused body, read so that its sender sees the response
	jsonType      = "application/json"
	uploadLimit   = "upload-limit" // key of an operation's metadata
	bodySchemas   = "body-schemas" // likewise, of the schemas of its body

	maxDictionaryBytes = 16 << 20 // an imported dictionary
)

// errBodyTooLarge returns the error with the limit; 0 = unknown.
func errBodyTooLarge(limit int64) *backend.Error {
	e := backend.E(backend.CodeBodyTooLarge, "The request body is too large.", "Split it into smaller parts.")
	if limit > 0 {
		e = e.With("limit_bytes", limit)
	}
	return e
}

// errBodyIncomplete is the error for an upload that stalled or broke off.
var errBodyIncomplete = backend.E(backend.CodeBodyIncomplete, "The upload did not arrive completely.", "Send it again.")

// bodyLimit returns the maximum size of a JSON body of this route in bytes (decisions.md section 2, Access).
func bodyLimit(path string) int64 {
	for _, long := range []string{"/generate", "/generate/stream", "/generate/{generation_id}/revise", "/script", "/v1/audio/speech"} {
		if path == long {
			return maxTextBytes
		}
	}
	if path == "/pronunciations/import" {
		return maxDictionaryBytes
	}
	if strings.HasPrefix(path, "/text/") || path == "/drafts" || strings.HasPrefix(path, "/drafts/") ||
		strings.HasPrefix(path, "/scripts/") || strings.HasPrefix(path, "/books/") {
		return maxTextBytes
	}
	return maxJSONBytes
}

// checkRequest is huma middleware: it rejects parameters and bodies that are too large, malformed or not valid text before
// huma decodes them.
func (rt *router) checkRequest(ctx huma.Context, next func(huma.Context)) {
	r, w := humago.Unwrap(ctx)
	op := ctx.Operation()
	if err := checkParams(op, r); err != nil {
		rt.fail(w, r, err)
		return
	}
	if limit, ok := op.Metadata[uploadLimit].(int64); ok && !takesJSON(op, r) {
		if r.ContentLength > limit {
			rt.refuseBody(w, r, errBodyTooLarge(limit))
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, limit)
		next(ctx)
		return
	}
	if takesJSON(op, r) {
		if err := readBody(r, op); err != nil {
			rt.refuseBody(w, r, err)
			return
		}
	}
	next(ctx)
}

// takesJSON reports whether op reads the body of this request as JSON: whatever its content type, unless op accepts that type
// as well.
func takesJSON(op *huma.Operation, r *http.Request) bool {
	if op.RequestBody == nil || op.RequestBody.Content[jsonType] == nil {
		return false
	}
	ct, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err != nil || ct == jsonType || op.RequestBody.Content[ct] == nil
}

// readBody replaces the body by its checked bytes.
func readBody(r *http.Request, op *huma.Operation) error {
	limit := bodyLimit(op.Path)
	if r.ContentLength > limit {
		return errBodyTooLarge(limit)
	}
	data, err := io.ReadAll(io.LimitReader(r.Body, limit+1))
	switch {
	case err != nil && errors.Is(err, io.ErrUnexpectedEOF):
		return backend.ErrCancelled.WithCause(err)
	case err != nil:
		return noJSON("the body did not arrive whole", len(data))
	case int64(len(data)) > limit:
		return errBodyTooLarge(limit)
	case len(data) == 0 && op.RequestBody.Required:
		return backend.Invalid("missing", "Field required", "body")
	}
	if len(data) > 0 {
		if err := checkJSON(data); err != nil {
			return err
		}
	}
	r.Body = io.NopCloser(bytes.NewReader(data))
	r.Header.Set("Content-Type", jsonType)
	return nil
}

// checkParams rejects path and query values that are not valid text, and query values that are given more than once.
func checkParams(op *huma.Operation, r *http.Request) error {
	var invalid backend.ValidationError
	faults := query.Faults(r.URL.RawQuery)
	for _, p := range op.Parameters {
		switch {
		case p.In == "query" && faults[p.Name] == query.Malformed, p.In == "path" && !query.IsText(r.PathValue(p.Name)):
			invalid.Fields = append(invalid.Fields,
				backend.FieldError{Loc: []string{p.In, p.Name}, Msg: unicodeMessage, Type: "string_unicode"})
		case p.In == "query" && faults[p.Name] == query.Repeated:
			invalid.Fields = append(invalid.Fields,
				backend.FieldError{Loc: []string{p.In, p.Name}, Msg: "Value error, give it once", Type: "value_error"})
		}
	}
	if len(invalid.Fields) > 0 {
		return &invalid
	}
	return nil
}
