package httpapi

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the page
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"
)

//go:embed docs.gohtml
var docsTemplate string

//go:embed docs.css
var docsStyle string

// docsPolicy returns the policy that lets the page load nothing; its only style sheet is allowed by hash.
func docsPolicy() string {
	sum := sha256.Sum256([]byte(docsStyle))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

// documents are the description of the API and its page.
type documents struct {
	*responder
	huma huma.API
	spec func() ([]byte, error)
	page func() ([]byte, error)
}

func newDocuments(answers *responder, api huma.API) *documents {
	d := &documents{responder: answers, huma: api}
	d.spec, d.page = sync.OnceValues(d.renderSpec), sync.OnceValues(d.renderDocs)
	return d
}

func (d *documents) routes(r *router) {
	r.mux.HandleFunc("GET /openapi.json", d.openapi)
	r.mux.HandleFunc("GET /docs", d.docs)
}

func (d *documents) openapi(w http.ResponseWriter, r *http.Request) {
	spec, err := d.spec()
	if err != nil {
		d.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", jsonType)
	_, _ = w.Write(spec)
}

func (d *documents) docs(w http.ResponseWriter, r *http.Request) {
	page, err := d.page()
	if err != nil {
		d.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", docsPolicy())
	_, _ = w.Write(page)
}

// renderSpec returns the OpenAPI document; call it after all routes are registered.
func (d *documents) renderSpec() ([]byte, error) {
	spec, err := json.Marshal(d.huma.OpenAPI())
	if err != nil {
		return nil, fmt.Errorf("encode openapi: %w", err)
	}
	return spec, nil
}

// docsPage is the data of the template.
type docsPage struct {
	Title, Version, Description string
	Style                       template.CSS
	Spec                        template.JS
	Groups                      []docsGroup
	Schemas                     []docsSchema
}

type docsGroup struct {
	Name       string
	Operations []docsOperation
}

type docsOperation struct {
	Method, Path, ID, Summary, Description string
	Open                                   bool
	Params                                 []docsField
	Bodies                                 []docsBody
	Answers                                []docsAnswer
}

type docsBody struct{ Type, Schema string }

type docsAnswer struct{ Status, Description, Schema string }

type docsSchema struct {
	Name   string
	Fields []docsField
}

type docsField struct {
	Name, In, Type, Doc string
	Required            bool
}

func (d *documents) renderDocs() ([]byte, error) {
	spec, err := d.spec()
	if err != nil {
		return nil, err
	}
	var safe bytes.Buffer
	json.HTMLEscape(&safe, spec)
	doc := d.huma.OpenAPI()
	page := docsPage{
		Title: doc.Info.Title, Version: doc.Info.Version, Description: doc.Info.Description,
		Style:  template.CSS(docsStyle),
		Spec:   template.JS(safe.String()), // escaped for HTML just above
		Groups: docsGroups(doc), Schemas: docsSchemas(doc),
	}
	t, err := template.New("docs").Parse(docsTemplate)
	if err != nil {
		return nil, fmt.Errorf("read docs page: %w", err)
	}
	var out bytes.Buffer
	if err := t.Execute(&out, page); err != nil {
		return nil, fmt.Errorf("write docs page: %w", err)
	}
	return out.Bytes(), nil
}

// docsGroups sorts the operations by their first path segment, then by path.
func docsGroups(doc *huma.OpenAPI) []docsGroup {
	byName := map[string][]docsOperation{}
	for _, path := range sortedKeys(doc.Paths) {
		item := doc.Paths[path]
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Put, item.Patch, item.Delete} {
			if op != nil {
				byName[op.Tags[0]] = append(byName[op.Tags[0]], describeOperation(op))
			}
		}
	}
	groups := make([]docsGroup, 0, len(byName))
	for _, name := range sortedKeys(byName) {
		groups = append(groups, docsGroup{Name: name, Operations: byName[name]})
	}
	return groups
}

func describeOperation(op *huma.Operation) docsOperation {
	d := docsOperation{
		Method: op.Method, Path: op.Path, ID: op.OperationID, Summary: op.Summary,
		Description: op.Description, Open: op.Security != nil,
	}
	for _, p := range op.Parameters {
		d.Params = append(d.Params, docsField{
			Name: p.Name, In: p.In, Required: p.Required, Type: schemaText(p.Schema), Doc: p.Description,
		})
	}
	if op.RequestBody != nil {
		for _, ct := range sortedKeys(op.RequestBody.Content) {
			d.Bodies = append(d.Bodies, docsBody{Type: ct, Schema: schemaText(op.RequestBody.Content[ct].Schema)})
		}
	}
	for _, status := range sortedKeys(op.Responses) {
		answer := op.Responses[status]
		schemas := make([]string, 0, len(answer.Content))
		for _, ct := range sortedKeys(answer.Content) {
			schemas = append(schemas, ct+" "+schemaText(answer.Content[ct].Schema))
		}
		d.Answers = append(d.Answers, docsAnswer{
			Status: status, Description: answer.Description, Schema: strings.Join(schemas, ", "),
		})
	}
	return d
}

func docsSchemas(doc *huma.OpenAPI) []docsSchema {
	all := doc.Components.Schemas.Map()
	schemas := make([]docsSchema, 0, len(all))
	for _, name := range sortedKeys(all) {
		s := docsSchema{Name: name}
		for _, field := range sortedKeys(all[name].Properties) {
			p := all[name].Properties[field]
			s.Fields = append(s.Fields, docsField{
				Name: field, Type: schemaText(p), Doc: p.Description,
				Required: slices.Contains(all[name].Required, field),
			})
		}
		schemas = append(schemas, s)
	}
	return schemas
}

// schemaText returns a short description of a schema: its type, items and limits.
func schemaText(s *huma.Schema) string {
	if s == nil {
		return ""
	}
	if s.Ref != "" {
		return s.Ref[strings.LastIndexByte(s.Ref, '/')+1:]
	}
	text := s.Type
	switch {
	case len(s.AnyOf) > 0:
		choices := make([]string, len(s.AnyOf))
		for i, choice := range s.AnyOf {
			choices[i] = schemaText(choice)
		}
		text = strings.Join(choices, " or ")
	case s.Items != nil:
		text = "list of " + schemaText(s.Items)
	case s.Format != "":
		text += " (" + s.Format + ")"
	}
	if len(s.Enum) > 0 {
		values := make([]string, len(s.Enum))
		for i, v := range s.Enum {
			values[i] = fmt.Sprint(v)
		}
		text += ": " + strings.Join(values, " | ")
	}
	if s.Minimum != nil {
		text += fmt.Sprintf(", from %v", *s.Minimum)
	}
	if s.Maximum != nil {
		text += fmt.Sprintf(", to %v", *s.Maximum)
	}
	if s.MinLength != nil {
		text += fmt.Sprintf(", at least %d characters", *s.MinLength)
	}
	if s.MaxLength != nil {
		text += fmt.Sprintf(", at most %d characters", *s.MaxLength)
	}
	return text
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
