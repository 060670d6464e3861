package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"mime"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/query"
)

// formType is the content type of a form with a file.
const formType = "multipart/form-data"

// formFile is the file of a form.
type formFile struct {
	path string // of the temporary file; empty without one
	name string // as the client named it, without its folder
	form bool   // the request was a form
}

// spooled is the upload of a request. The temporary file is deleted after the request unless it was taken.
type spooled struct {
	formFile
	taken bool
}

type uploadKey struct{}

// uploadOf returns the upload of a request of a route with acceptForm.
func uploadOf(ctx context.Context) *spooled {
	if s, ok := ctx.Value(uploadKey{}).(*spooled); ok {
		return s
	}
	return &spooled{}
}

// forms reads uploaded forms.
type forms struct {
	*responder
	*tempFiles
}

// acceptForm lets a route with a JSON body also accept a form with the same fields and the part `file`, of at most limit
// bytes. The file is streamed to disk, so that memory use is constant, and the fields become the JSON body, so that both forms
// are validated in the same way.
func (u *forms) acceptForm(limit int64, schema string) option {
	return func(op *huma.Operation) {
		op.Metadata = map[string]any{uploadLimit: limit + formOverhead}
		op.Middlewares = append(op.Middlewares, u.readForm)
		op.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{
			jsonType: {},
			formType: {Schema: &huma.Schema{AllOf: []*huma.Schema{{Ref: "#/components/schemas/" + schema}, {
				Type: huma.TypeObject, Properties: map[string]*huma.Schema{"file": {Type: huma.TypeString, Format: "binary"}},
			}}}},
		}}
	}
}

// readForm is huma middleware that replaces a form by its JSON form and the uploaded file.
func (u *forms) readForm(c huma.Context, next func(huma.Context)) {
	r, w := humago.Unwrap(c)
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != formType {
		next(c)
		return
	}
	s := &spooled{formFile: formFile{form: true}}
	defer func() {
		if !s.taken && s.path != "" {
			_ = os.Remove(s.path) // the folder is emptied at the next start
		}
	}()
	body, err := u.spoolForm(r, params["boundary"], s, formFields(c.Operation()))
	if err != nil {
		u.refuseBody(w, r, err)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	r.Header.Set("Content-Type", jsonType)
	next(huma.WithValue(c, uploadKey{}, s))
}

// spoolForm reads a form and returns its fields as JSON; s gets the file.
func (u *forms) spoolForm(r *http.Request, boundary string, s *spooled, known map[string]*huma.Schema) ([]byte, error) {
	if boundary == "" {
		return nil, errNoForm
	}
	if err := u.checkSpace(r.Context(), "The upload", max(0, r.ContentLength)); err != nil {
		return nil, err
	}
	fields := map[string]any{}
	form := multipart.NewReader(r.Body, boundary)
	for remaining := int64(formOverhead); ; {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			return json.Marshal(fields)
		}
		if err != nil {
			return nil, formError(err)
		}
		switch name := strings.TrimSuffix(part.FormName(), "[]"); { // some clients mark lists
		case name == "file":
			err = u.spoolFile(part, s)
		case part.FileName() != "": // a file under another name: the route says that its own is missing
			if _, failure := io.Copy(io.Discard, part); failure != nil {
				err = formError(failure)
			}
		default:
			remaining, err = readField(part, name, known[name], fields, remaining)
		}
		if err != nil {
			return nil, err
		}
	}
}

// extension matches the extensions of file names that a temporary file keeps, because decoders look at it.
var extension = regexp.MustCompile(`^\.[A-Za-z0-9]{1,10}$`)

// spoolFile writes the file of a form to the folder of temporary files.
func (u *forms) spoolFile(part *multipart.Part, s *spooled) (err error) {
	if s.path != "" {
		return backend.Invalid("value_error", "Value error, send one file per request", "body", "file")
	}
	name := part.FileName()
	if i := strings.LastIndexByte(name, '\\'); i >= 0 { // a Windows path
		name = name[i+1:]
	}
	if !query.IsText(name) {
		return backend.Invalid("string_unicode", unicodeMessage, "body", "file")
	}
	ext := filepath.Ext(name)
	if !extension.MatchString(ext) {
		ext = ""
	}
	f, err := os.CreateTemp(u.dir, "upload-*"+ext)
	if err != nil {
		return backend.FileError("create the uploaded file", "the data directory", err)
	}
	s.path, s.name = f.Name(), name
	defer func() {
		err = errors.Join(err, backend.FileError("write the uploaded file", "the data directory", f.Close()))
	}()
	if _, err := io.Copy(writeOnly{f}, readOnly{part}); err != nil {
		return formError(err)
	}
	return nil
}

// diskError is an error of writing, which io.Copy returns like one of reading.
type diskError struct{ error }

// writeOnly marks errors of writing. Like readOnly it hides all other methods, so that io.Copy uses its own buffer.
type writeOnly struct{ f *os.File }

func (w writeOnly) Write(p []byte) (int, error) {
	n, err := w.f.Write(p)
	if err != nil {
		err = diskError{err}
	}
	return n, err
}

type readOnly struct{ io.Reader }

// errNoForm is the error for a body that is not the form that its content type announces.
var errNoForm = backend.Invalid("value_error", "Value error, the body is not a complete form", "body")

// formError returns the error for a form that could not be read or stored.
func formError(err error) error {
	var disk diskError
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &disk):
		return backend.FileError("write the uploaded file", "the data directory", disk.error)
	case errors.As(err, &large):
		return errBodyTooLarge(large.Limit)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return errBodyIncomplete.WithCause(err)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errBodyIncomplete.WithCause(err)
	default:
		return errNoForm
	}
}

// readField adds a field of a form to fields, a repeated one as a list, and returns how many bytes the others may have. An
// empty one is as if it were absent, because pages send all fields of a form. Unknown ones are ignored.
func readField(part *multipart.Part, name string, schema *huma.Schema, fields map[string]any, remaining int64) (int64, error) {
	data, err := io.ReadAll(io.LimitReader(part, remaining+1))
	if err != nil {
		return 0, formError(err)
	}
	remaining -= int64(len(data))
	if remaining < 0 {
		return 0, errBodyTooLarge(formOverhead)
	}
	if schema == nil || len(data) == 0 {
		return remaining, nil
	}
	text := string(data)
	if !query.IsText(text) {
		return 0, backend.Invalid("string_unicode", unicodeMessage, "body", name)
	}
	switch earlier := fields[name].(type) {
	case nil:
		fields[name] = formValue(text, schema.Type)
	case []any:
		fields[name] = append(earlier, text)
	default:
		fields[name] = []any{earlier, text}
	}
	return remaining, nil
}

// formValue returns a value of a form as the type that is expected, or as a string, which then fails validation.
func formValue(text, typ string) any {
	switch typ {
	case huma.TypeBoolean:
		if b, err := strconv.ParseBool(strings.ToLower(text)); err == nil {
			return b
		}
	case huma.TypeNumber, huma.TypeInteger:
		if n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64); err == nil {
			return n // as it is: float64 would round large ones
		}
		if n, err := strconv.ParseFloat(strings.TrimSpace(text), 64); err == nil && !math.IsNaN(n) && !math.IsInf(n, 0) {
			return n
		}
	}
	return text
}

// formFields returns the fields of the JSON body of a route.
func formFields(op *huma.Operation) map[string]*huma.Schema {
	schemas, _ := op.Metadata[bodySchemas].(huma.Registry) // route.compile has set it
	return schemas.SchemaFromRef(op.RequestBody.Content[jsonType].Schema.Ref).Properties
}
