package api

import (
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/voicewright/voicewright/backend/service"
)

const (
	jsonType  = "application/json"
	schemaRef = "#/components/schemas/"
)

// document returns /openapi.json, made from the route table and the types of bodies and answers.
func (a *API) document() []byte {
	doc := a.describe()
	data, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		panic(err) // a mistake in the route table
	}
	return append(data, '\n')
}

// describe returns the OpenAPI document.
func (a *API) describe() *huma.OpenAPI {
	registry := huma.NewMapRegistry(schemaRef, schemaName)
	doc := &huma.OpenAPI{
		OpenAPI: "3.1.0",
		Info: &huma.Info{
			Title: "Voicewright service", Version: a.version,
			Description: "Speech by several providers, paid with credits. Errors have one body: a sentence, and a code where there is one.",
		},
		Paths: map[string]*huma.PathItem{},
		Components: &huma.Components{
			Schemas: registry,
			SecuritySchemes: map[string]*huma.SecurityScheme{
				"bearer": {Type: "http", Scheme: "bearer", Description: "an API key (" + service.KeyPrefix + "…) or a JWT"},
				"key":    {Type: "apiKey", In: "header", Name: keyHeader, Description: "an API key"},
			},
		},
	}
	if a.links.publicURL != "" {
		doc.Servers = []*huma.Server{{URL: a.links.publicURL}}
	}
	for _, rt := range a.routes() {
		doc.AddOperation(describeRoute(registry, rt))
	}
	for _, schema := range registry.Map() {
		schema.AdditionalProperties = nil // unknown fields of a request are ignored, and answers may grow
	}
	return doc
}

// schemaName returns the name of a type in the document: without what only Go needs.
func schemaName(t reflect.Type, hint string) string {
	name := strings.TrimSuffix(huma.DefaultSchemaNamer(t, hint), "View")
	return strings.ToUpper(name[:1]) + name[1:]
}

// describeRoute returns the operation of a route.
func describeRoute(registry huma.Registry, rt route) *huma.Operation {
	op := &huma.Operation{
		Method: rt.method, Path: rt.docPath(), Summary: rt.summary, OperationID: operationID(rt),
		Responses: map[string]*huma.Response{},
	}
	switch rt.access {
	case member:
		op.Security = []map[string][]string{{"bearer": {}}, {"key": {}}}
	case session:
		op.Security = []map[string][]string{{"bearer": {}}}
		op.Description = "API keys cannot use this route; send a JWT."
	case anyone:
	}
	op.Parameters = append(pathParams(op.Path), queryParams(registry, rt.query)...)
	if rt.repeatable {
		op.Parameters = append(op.Parameters, idempotencyParam())
	}
	if rt.body != nil {
		op.RequestBody = &huma.RequestBody{
			Required: !rt.bodyOptional, Content: map[string]*huma.MediaType{jsonType: {Schema: bodySchema(registry, rt)}},
		}
	}
	op.Responses[strconv.Itoa(rt.success)] = successResponse(registry, rt)
	if strings.HasPrefix(rt.media, "audio/") {
		op.Responses["206"] = &huma.Response{Description: "The range that the request wants", Content: op.Responses["200"].Content}
		op.Responses["416"] = &huma.Response{Description: "There is nothing in the range that the request wants"}
	}
	for _, status := range rt.statuses() {
		op.Responses[strconv.Itoa(status)] = errorResponse(registry, rt, status)
	}
	return op
}

func schemaOf(registry huma.Registry, v any) *huma.Schema {
	return registry.Schema(reflect.TypeOf(v), true, "")
}

// bodySchema returns the schema of a body, in which null counts as absent.
func bodySchema(registry huma.Registry, rt route) *huma.Schema {
	ref := schemaOf(registry, rt.body)
	body := registry.SchemaFromRef(ref.Ref)
	for name, field := range body.Properties {
		if !field.Nullable && !slices.Contains(body.Required, name) {
			field.Nullable = true
			if len(field.Enum) > 0 {
				field.Enum = append(field.Enum, nil)
			}
		}
	}
	if rt.bodyOptional {
		return &huma.Schema{AnyOf: []*huma.Schema{ref, {Type: "null"}}}
	}
	return ref
}

func successResponse(registry huma.Registry, rt route) *huma.Response {
	response := &huma.Response{Description: http.StatusText(rt.success), Content: map[string]*huma.MediaType{}}
	switch {
	case rt.answer != nil:
		response.Content[jsonType] = &huma.MediaType{Schema: schemaOf(registry, rt.answer)}
	default: // a file
		response.Content[rt.media] = &huma.MediaType{}
	}
	return response
}

// errorResponse returns an error of the document, with the headers that go with its status.
func errorResponse(registry huma.Registry, rt route, status int) *huma.Response {
	response := &huma.Response{
		Description: http.StatusText(status),
		Content:     map[string]*huma.MediaType{jsonType: {Schema: schemaOf(registry, errorView{})}},
	}
	text := &huma.Schema{Type: huma.TypeString}
	switch {
	case status == http.StatusTooManyRequests, status == http.StatusServiceUnavailable, status == http.StatusConflict && rt.repeatable:
		response.Headers = map[string]*huma.Param{
			"Retry-After": {Description: "seconds until the next try", Schema: &huma.Schema{Type: huma.TypeInteger}},
		}
	case status == http.StatusUnauthorized:
		response.Headers = map[string]*huma.Param{"WWW-Authenticate": {Schema: text}}
	}
	return response
}

// operationID returns a name such as getApiV1TtsVoices.
func operationID(rt route) string {
	id := strings.ToLower(rt.method)
	for word := range strings.FieldsFuncSeq(rt.path, func(r rune) bool { return strings.ContainsRune("/-.{}", r) }) {
		id += strings.ToUpper(word[:1]) + word[1:]
	}
	return id
}

// pathParams returns the parameters in the braces of a path.
func pathParams(path string) []*huma.Param {
	var params []*huma.Param
	for part := range strings.SplitSeq(path, "/") {
		_, after, found := strings.Cut(part, "{")
		name, _, closed := strings.Cut(after, "}")
		if found && closed {
			params = append(params, &huma.Param{
				Name: name, In: "path", Required: true, Schema: &huma.Schema{Type: huma.TypeString},
			})
		}
	}
	return params
}

// idempotencyParam returns the header with which a call may be repeated.
func idempotencyParam() *huma.Param {
	shortest, longest := 1, service.MaxIdempotencyKey
	return &huma.Param{
		Name: idempotencyHeader, In: "header", Schema: &huma.Schema{
			Type: huma.TypeString, MinLength: &shortest, MaxLength: &longest, Pattern: "^[!-~]+$",
		},
		Description: "A random key for this call. The same request with the same key gets the answer of the first one again, " +
			"for 24 hours, and is not charged again.",
	}
}

// queryParams returns the fields of a struct as parameters of the query.
func queryParams(registry huma.Registry, query any) []*huma.Param {
	if query == nil {
		return nil
	}
	var params []*huma.Param
	for _, field := range reflect.VisibleFields(reflect.TypeOf(query)) {
		params = append(params, &huma.Param{Name: fieldName(field), In: "query", Schema: huma.SchemaFromField(registry, field, "")})
	}
	return params
}

// fieldName returns the name of a field in JSON and in the query.
func fieldName(field reflect.StructField) string {
	name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
	return name
}
