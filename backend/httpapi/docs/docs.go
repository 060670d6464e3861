// Package docs writes the page that describes the API, from its OpenAPI document.
package docs

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the style sheet
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

//go:embed page.css
var style string

// Policy returns the policy that lets the page load nothing; its only style sheet is allowed by hash.
func Policy() string {
	sum := sha256.Sum256([]byte(style))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

type group struct {
	Name       string
	Operations []operation
}

type operation struct {
	Method, Path, ID, Summary, Description string
	Open                                   bool
	Params                                 []field
	Bodies                                 []body
	Answers                                []answer
}

type body struct{ Type, Schema string }

type answer struct{ Status, Description, Schema string }

type schema struct {
	Name   string
	Fields []field
}

type field struct {
	Name, In, Type, Doc string
	Required            bool
}

// Page returns the page in HTML; spec is doc in JSON.
func Page(doc *huma.OpenAPI, spec []byte) []byte {
	var safe bytes.Buffer
	json.HTMLEscape(&safe, spec)
	var p page
	p.document(doc.Info.Title, doc.Info.Version, doc.Info.Description, groupsOf(doc), schemasOf(doc), safe.String())
	return []byte(p.text.String())
}

// groupsOf sorts the operations by their first path segment, then by path.
func groupsOf(doc *huma.OpenAPI) []group {
	byName := map[string][]operation{}
	for _, path := range sortedKeys(doc.Paths) {
		item := doc.Paths[path]
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Put, item.Patch, item.Delete} {
			if op != nil {
				byName[op.Tags[0]] = append(byName[op.Tags[0]], describeOperation(op))
			}
		}
	}
	groups := make([]group, 0, len(byName))
	for _, name := range sortedKeys(byName) {
		groups = append(groups, group{Name: name, Operations: byName[name]})
	}
	return groups
}

func describeOperation(op *huma.Operation) operation {
	d := operation{
		Method: op.Method, Path: op.Path, ID: op.OperationID, Summary: op.Summary,
		Description: op.Description, Open: op.Security != nil,
	}
	for _, p := range op.Parameters {
		d.Params = append(d.Params, field{
			Name: p.Name, In: p.In, Required: p.Required, Type: schemaText(p.Schema), Doc: p.Description,
		})
	}
	if op.RequestBody != nil {
		for _, ct := range sortedKeys(op.RequestBody.Content) {
			d.Bodies = append(d.Bodies, body{Type: ct, Schema: schemaText(op.RequestBody.Content[ct].Schema)})
		}
	}
	for _, status := range sortedKeys(op.Responses) {
		response := op.Responses[status]
		schemas := make([]string, 0, len(response.Content))
		for _, ct := range sortedKeys(response.Content) {
			schemas = append(schemas, ct+" "+schemaText(response.Content[ct].Schema))
		}
		d.Answers = append(d.Answers, answer{
			Status: status, Description: response.Description, Schema: strings.Join(schemas, ", "),
		})
	}
	return d
}

func schemasOf(doc *huma.OpenAPI) []schema {
	all := doc.Components.Schemas.Map()
	schemas := make([]schema, 0, len(all))
	for _, name := range sortedKeys(all) {
		s := schema{Name: name}
		for _, property := range sortedKeys(all[name].Properties) {
			p := all[name].Properties[property]
			s.Fields = append(s.Fields, field{
				Name: property, Type: schemaText(p), Doc: p.Description,
				Required: slices.Contains(all[name].Required, property),
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
		name := s.Ref[strings.LastIndexByte(s.Ref, '/')+1:]
		if s.Extensions[nullKey] != nil {
			name += " or null"
		}
		return name
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
