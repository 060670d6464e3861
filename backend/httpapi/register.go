package httpapi

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"mime/multipart"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/httpapi/docs"
	"github.com/voicewright/voicewright/backend/query"
)

// option changes how a route is registered.
type option func(*huma.Operation)

// status sets the status of success where it is not 200 (with a body) or 204 (without).
func status(code int) option {
	return func(op *huma.Operation) { op.DefaultStatus = code }
}

// open marks a route that needs no token; it documents what access.go decides.
func open(op *huma.Operation) { op.Security = []map[string][]string{{}} }

// upload lets a route accept a body other than JSON, of at most limit bytes.
func upload(limit int64) option {
	return func(op *huma.Operation) {
		op.Metadata = map[string]any{uploadLimit: limit}
		op.Middlewares = append(op.Middlewares, func(c huma.Context, next func(huma.Context)) { next(&typedForm{humaContext: c}) })
	}
}

// typedForm is a request in whose form each file has a content type. huma finds out that of the others from their content, and
// refuses a file without any; the route says better what it needs.
type typedForm struct {
	humaContext
	failure error // of the system, where the form could not be stored; huma passes on only its text
}

// humaContext is huma.Context with a name that is none of its methods.
type humaContext huma.Context

// Unwrap returns the request as it came.
func (f *typedForm) Unwrap() huma.Context { return f.humaContext }

// GetMultipartForm reads the form.
func (f *typedForm) GetMultipartForm() (*multipart.Form, error) {
	form, err := f.humaContext.GetMultipartForm()
	var path *fs.PathError
	if errors.As(err, &path) {
		f.failure = backend.FileError("store the uploaded file", "the system's temporary folder", err)
	}
	if err != nil {
		return form, err
	}
	for _, parts := range form.File {
		for _, part := range parts {
			if part.Header.Get("Content-Type") == "" {
				part.Header.Set("Content-Type", "application/octet-stream")
			}
		}
	}
	return form, nil
}

// describe adds a longer description.
func describe(text string) option {
	return func(op *huma.Operation) { op.Description = text }
}

// queryParam documents a query value of a route that huma does not decode.
func queryParam(name, doc string, allowed ...string) option {
	schema := &huma.Schema{Type: huma.TypeString}
	for _, a := range allowed {
		schema.Enum = append(schema.Enum, a)
	}
	return func(op *huma.Operation) {
		op.Parameters = append(op.Parameters, &huma.Param{Name: name, In: "query", Description: doc, Schema: schema})
	}
}

// returnsFile documents a response that is a file of one of these content types.
func returnsFile(types ...string) option {
	content := make(map[string]*huma.MediaType, len(types))
	for _, t := range types {
		content[t] = &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString, Format: "binary"}}
		switch t {
		case jsonType:
			content[t] = &huma.MediaType{Schema: &huma.Schema{Description: "any value"}}
		case eventType:
			content[t] = &huma.MediaType{Schema: docs.Event()}
		}
	}
	return func(op *huma.Operation) {
		op.Responses["200"] = &huma.Response{Description: "The file", Content: content}
	}
}

// alsoReturns documents another success with its body.
func alsoReturns(code int, description, schema string) option {
	return func(op *huma.Operation) { op.Responses[strconv.Itoa(code)] = response(description, schema) }
}

// returnsNothing documents a success without a body.
func returnsNothing(description string) option {
	return func(op *huma.Operation) {
		op.Responses[strconv.Itoa(http.StatusNoContent)] = &huma.Response{Description: description}
	}
}

// accepts documents that the route may respond before the work is done, with the same body.
func accepts(schema string) option {
	return alsoReturns(http.StatusAccepted, "Accepted; the work continues", schema)
}

func get[I, O any](r *router, path, id, summary string, h func(context.Context, *I) (*O, error), opts ...option) {
	register(r, http.MethodGet, path, id, summary, h, opts)
}

func post[I, O any](r *router, path, id, summary string, h func(context.Context, *I) (*O, error), opts ...option) {
	register(r, http.MethodPost, path, id, summary, h, opts)
}

func put[I, O any](r *router, path, id, summary string, h func(context.Context, *I) (*O, error), opts ...option) {
	register(r, http.MethodPut, path, id, summary, h, opts)
}

func patch[I, O any](r *router, path, id, summary string, h func(context.Context, *I) (*O, error), opts ...option) {
	register(r, http.MethodPatch, path, id, summary, h, opts)
}

func del[I, O any](r *router, path, id, summary string, h func(context.Context, *I) (*O, error), opts ...option) {
	register(r, http.MethodDelete, path, id, summary, h, opts)
}

// register adds an operation whose handler may return any backend error. checkRequest limits the size and time of bodies, so
// huma's own limits are off. What needs no type parameters is not here: it would be compiled for each route.
func register[I, O any](r *router, method, path, id, summary string, h func(context.Context, *I) (*O, error), opts []option) {
	r.operation(method, path, id, summary, opts, func(api huma.API, op *huma.Operation) {
		huma.Register(api, *op, func(ctx context.Context, in *I) (*O, error) {
			out, err := h(ctx, in)
			if err != nil {
				return nil, inShape(path, r.problem(ctx, method, method+" "+path, err))
			}
			return out, nil
		})
	})
}

// operation adds a route that huma serves.
func (r *router) operation(method, path, id, summary string, opts []option, register func(huma.API, *huma.Operation)) {
	describe := func(api huma.API) { register(api, r.description(method, path, id, summary, opts)) }
	rt := &route{router: r, register: describe}
	rt.ready = sync.OnceFunc(rt.compile)
	r.add(method, path, rt, describe)
}

// route is an operation that huma serves. It is compiled at its first request: a start would take a fifth longer with all of them.
type route struct {
	*router
	register func(huma.API)
	ready    func() // compiles it once
	op       *huma.Operation
	handler  func(huma.Context)
}

// Handle takes the operation and its handler from huma.
func (r *route) Handle(op *huma.Operation, handler func(huma.Context)) { r.op, r.handler = op, handler }

func (r *route) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	r.ready()
	r.handler(humago.NewContext(r.op, q, w))
}

func (r *route) compile() {
	api := r.newAPI(r)
	api.UseMiddleware(r.checkRequest)
	r.register(api)
	schemas := api.OpenAPI().Components.Schemas
	docs.AllowNull(schemas)
	if r.op.Metadata[uploadLimit] != nil {
		r.op.Metadata[bodySchemas] = schemas
	}
}

// router takes the routes of the resources.
type router struct {
	*responder
	mux       *http.ServeMux
	version   string
	byPath    map[string][]string // methods
	described []func(huma.API)    // what the routes add to the OpenAPI document, in their order
}

func newRouter(answers *responder, version string) *router {
	return &router{responder: answers, mux: http.NewServeMux(), version: version, byPath: map[string][]string{}}
}

// add adds a route with what describes it.
func (r *router) add(method, path string, h http.Handler, describe func(huma.API)) {
	r.mux.Handle(method+" "+path, h)
	r.byPath[path] = append(r.byPath[path], method)
	r.described = append(r.described, describe)
}

// newAPI returns an API without routes, which a takes.
func (r *router) newAPI(a huma.Adapter) huma.API {
	return huma.NewAPI(docs.Config(r.version, schemaName, decodeJSON), a)
}

// document returns the description of all routes.
func (r *router) document() *huma.OpenAPI {
	api := r.newAPI(&route{})
	schemas := api.OpenAPI().Components.Schemas
	for _, t := range []reflect.Type{reflect.TypeFor[Invalid](), reflect.TypeFor[OpenAIError]()} {
		schemas.Schema(t, true, "")
	}
	for _, describe := range r.described {
		describe(api)
	}
	docs.AllowNull(schemas)
	return api.OpenAPI()
}

// file adds a GET route with a plain http.HandlerFunc (streams, files), and documents it.
func (r *router) file(path, id, summary string, h http.HandlerFunc, opts ...option) {
	op := r.description(http.MethodGet, path, id, summary, opts)
	for _, segment := range strings.Split(path, "/") {
		if name, ok := strings.CutPrefix(segment, "{"); ok {
			name = strings.TrimSuffix(name, "}")
			schema := &huma.Schema{Type: huma.TypeString}
			switch {
			case strings.HasSuffix(name, "id"):
				schema.Format = "uuid"
			case name == "n" || name == "take":
				schema.Type, schema.Minimum, schema.Maximum = huma.TypeInteger, new(0.0), new(float64(math.MaxInt32))
			}
			op.Parameters = append(op.Parameters, &huma.Param{Name: name, In: "path", Required: true, Schema: schema})
		}
	}
	r.add(http.MethodGet, path, http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if err := checkParams(op, req); err != nil {
			r.fail(w, req, err)
			return
		}
		req.URL.RawQuery = query.Readable(req.URL.RawQuery)
		h(w, req)
	}), func(api huma.API) { api.OpenAPI().AddOperation(op) })
}

// methods returns the methods of a path without parameters. The mux would take others for those of a sibling with parameters:
// PATCH /history/stats for that of a generation named stats.
func (r *router) methods(path string) []string {
	all := slices.Clone(r.byPath[path])
	if slices.Contains(all, http.MethodGet) {
		all = append(all, http.MethodHead)
	}
	return slices.Sorted(slices.Values(all))
}

// description describes a route with the two bodies that its errors can have.
func (r *router) description(method, path, id, summary string, opts []option) *huma.Operation {
	group, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	problem, invalid := "Problem", "ValidationError"
	if strings.HasPrefix(path, openAIPrefix) {
		problem, invalid = openAIError, openAIError
	}
	op := &huma.Operation{
		Method: method, Path: path, OperationID: id, Summary: summary, Tags: []string{group},
		MaxBodyBytes: -1, BodyReadTimeout: -1,
		Responses: map[string]*huma.Response{
			"default": response("An error with its code and remedy", problem),
			strconv.Itoa(http.StatusUnprocessableEntity): response("Validation error", invalid),
		},
	}
	for _, o := range opts {
		o(op)
	}
	return op
}

// response refers to a body by its name in the document.
func response(description, schema string) *huma.Response {
	return &huma.Response{
		Description: description,
		Content:     map[string]*huma.MediaType{jsonType: {Schema: &huma.Schema{Ref: "#/components/schemas/" + schema}}},
	}
}
