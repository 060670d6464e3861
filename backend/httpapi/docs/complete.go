package docs

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// object is a JSON object of the document.
type object = map[string]any

const (
	formType   = "multipart/form-data"
	jsonType   = "application/json"
	schemasRef = "#/components/schemas/"
)

// formats are the formats of values that have this name everywhere in requests.
var formats = map[string]string{"language": "bcp47", "cursor": "cursor", "path": "path"}

// controls are the control characters that are no white space, in a pattern.
const controls = `\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f`

// patterns are those of fields that are never empty. Their service checks them, so that its error names all that are wrong.
var patterns = map[string]string{
	"word":       `^[^\[\]<>|` + controls + `]*[^\s\[\]<>|` + controls + `][^\[\]<>|` + controls + `]*$`,
	"respelling": `^[^|` + controls + `]*[^\s|` + controls + `][^|` + controls + `]*$`,
}

// alternatives are the fields that name what another request uploads: without a file, a request has one of them.
var alternatives = []string{"generation_id", "recording_id"}

// oneOf are the fields of schemas of which a request has exactly one.
var oneOf = map[string][]string{"HostedEnhanceRequest": {"text", "turns"}}

// Complete adds to an OpenAPI document in JSON what huma cannot say: that null is as good as an optional field that is not there,
// what a form has in place of the JSON body, and what values are besides strings.
func Complete(spec []byte) ([]byte, error) {
	var d document
	if err := json.Unmarshal(spec, &d.root); err != nil {
		return nil, fmt.Errorf("read openapi: %w", err)
	}
	d.schemas = at(at(d.root, "components"), "schemas")
	d.writeNulls()
	requests, answers := map[string]bool{}, map[string]bool{}
	var bodies []any
	for _, path := range at(d.root, "paths") {
		for _, operation := range path.(object) {
			op, _ := operation.(object)
			d.separateForm(at(at(op, "requestBody"), "content"))
			delete(at(at(op, "responses"), "204"), "content")
			alsoProblem(at(at(at(at(op, "responses"), "422"), "content"), jsonType))
			d.names(op["requestBody"], requests)
			bodies = append(bodies, op["requestBody"])
			d.names(op["responses"], answers)
			parameters, _ := op["parameters"].([]any)
			for _, p := range parameters {
				parameter := p.(object)
				name, _ := parameter["name"].(string)
				describe(name, at(parameter, "schema"))
				emptyIsAbsent(parameter)
			}
		}
	}
	for name := range requests {
		if !answers[name] {
			d.completeRequest(at(d.schemas, name))
			bodies = append(bodies, d.schemas[name])
		}
	}
	d.separateOptions(bodies, requests, answers)
	for name, fields := range oneOf {
		onlyOne(at(d.schemas, name), fields)
	}
	return json.Marshal(d.root)
}

// emptyIsAbsent says of a parameter of the query that an empty value counts as absent.
func emptyIsAbsent(parameter object) {
	schema := at(parameter, "schema")
	switch {
	case parameter["in"] != "query":
	case parameter["required"] != true:
		parameter["allowEmptyValue"] = true
	case schema["type"] == "string" && schema["minLength"] == nil:
		schema["minLength"] = 1
	}
}

// nullKey marks a schema of OrNull.
const nullKey = "x-null"

// OrNull returns a reference to a schema that may be null. It checks only what is there; Complete writes the null into the document.
func OrNull(ref *huma.Schema) *huma.Schema {
	return &huma.Schema{Ref: ref.Ref, Description: ref.Description, Extensions: map[string]any{nullKey: true}}
}

// writeNulls completes the schemas of OrNull.
func (d *document) writeNulls() {
	for _, schema := range d.schemas {
		for _, property := range at(schema.(object), "properties") {
			if p := property.(object); p[nullKey] != nil {
				delete(p, nullKey)
				orNull(p)
			}
		}
	}
}

// Event returns the schema of an event of a stream, which is what tools take the schema of the stream for.
func Event() *huma.Schema {
	text := &huma.Schema{Type: huma.TypeString}
	return &huma.Schema{
		Type: huma.TypeObject, Description: "each event", Required: []string{"data"},
		Properties: map[string]*huma.Schema{"event": text, "id": text, "data": {Type: huma.TypeString, Description: "JSON"}},
	}
}

// wordsKey is the key of the words of a schema that Words made.
const wordsKey = "x-words"

// Words returns the schema of words, as a list or separated by commas. The route checks which they are, because its error says so;
// Complete writes them into the document.
func Words[T ~string](allowed ...T) *huma.Schema {
	known := map[string]any{wordsKey: allowed}
	one := &huma.Schema{Type: huma.TypeString, Extensions: known}
	return &huma.Schema{AnyOf: []*huma.Schema{one, {Type: huma.TypeArray, Items: one}}}
}

// describeWords completes a schema of Words.
func describeWords(schema object) {
	options, _ := schema["anyOf"].([]any)
	for _, option := range options {
		one := option.(object)
		if items := at(one, "items"); items[wordsKey] != nil {
			items["enum"] = items[wordsKey]
			delete(items, wordsKey)
		}
		if known, ok := one[wordsKey].([]any); ok {
			var words []string
			for _, word := range known {
				words = append(words, word.(string))
			}
			either := "(" + strings.Join(words, "|") + ")"
			one["pattern"] = "^" + either + "(, *" + either + ")*$"
			delete(one, wordsKey)
		}
	}
}

// alsoProblem adds to the answer about wrong values the one about a value that is right and cannot be used, such as a text without
// letters.
func alsoProblem(answer object) {
	schema := at(answer, "schema")
	if schema["$ref"] == schemasRef+"ValidationError" {
		answer["schema"] = object{"anyOf": []any{schema, object{"$ref": schemasRef + "Problem"}}}
	}
}

// document is the document, and the schemas in it by name.
type document struct{ root, schemas object }

// at returns the object under a name, an empty one where there is none.
func at(o object, name string) object {
	found, _ := o[name].(object)
	if found == nil {
		return object{}
	}
	return found
}

// names adds the names of all schemas that a value refers to, directly or by others.
func (d *document) names(value any, found map[string]bool) {
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			d.names(item, found)
		}
	case object:
		ref, _ := v["$ref"].(string)
		if name, ok := strings.CutPrefix(ref, schemasRef); ok && !found[name] {
			found[name] = true
			d.names(d.schemas[name], found)
		}
		for _, item := range v {
			d.names(item, found)
		}
	}
}

// sentPrefix begins the names of schemas of requests that answers have too, where their fields are not null.
const sentPrefix = "Sent"

// separateOptions makes for requests schemas of their own in the place of those that answers have too.
func (d *document) separateOptions(bodies []any, requests, answers map[string]bool) {
	for name := range requests {
		if !answers[name] {
			continue
		}
		own := copyOf(d.schemas[name]).(object)
		d.completeRequest(own)
		d.schemas[sentPrefix+name] = own
		bodies = append(bodies, own)
	}
	var replace func(value any)
	replace = func(value any) {
		switch v := value.(type) {
		case []any:
			for _, item := range v {
				replace(item)
			}
		case object:
			ref, _ := v["$ref"].(string)
			if name, ok := strings.CutPrefix(ref, schemasRef); ok && requests[name] && answers[name] {
				v["$ref"] = schemasRef + sentPrefix + name
			}
			for _, item := range v {
				replace(item)
			}
		}
	}
	replace(bodies)
}

// copyOf returns a deep copy of a JSON value.
func copyOf(value any) any {
	switch v := value.(type) {
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = copyOf(item)
		}
		return out
	case object:
		out := make(object, len(v))
		for name, item := range v {
			out[name] = copyOf(item)
		}
		return out
	default:
		return v
	}
}

// separateForm puts a schema of its own on a form with a file. The JSON body names a recording or a generation instead; where it can
// name none, there is only the form.
func (d *document) separateForm(content object) {
	form := at(at(content, formType), "schema")
	parts, _ := form["allOf"].([]any)
	if len(parts) != 2 {
		return
	}
	ref, _ := parts[0].(object)["$ref"].(string)
	body := at(d.schemas, strings.TrimPrefix(ref, schemasRef))
	properties := maps.Clone(at(body, "properties"))
	maps.Copy(properties, at(parts[1].(object), "properties"))
	var instead []string
	for _, name := range alternatives {
		if properties[name] != nil {
			instead = append(instead, name)
			delete(properties, name)
		}
	}
	required, _ := body["required"].([]any)
	at(content, formType)["schema"] = object{
		"type": "object", "properties": described(properties), "required": append(slices.Clone(required), "file"),
	}
	if len(instead) == 0 {
		delete(content, jsonType)
		return
	}
	named := object{}
	onlyOne(named, instead)
	at(content, jsonType)["schema"] = object{"allOf": []any{object{"$ref": ref}, named}}
}

// onlyOne has a schema require exactly one of these fields, which is then not null.
func onlyOne(schema object, fields []string) {
	var options []any
	for _, name := range fields {
		options = append(options, object{"required": []any{name}, "properties": object{name: object{"not": object{"type": "null"}}}})
	}
	schema["oneOf"] = options
}

// described returns copies of the properties of a form with what describe says of them.
func described(properties object) object {
	out := object{}
	for name, property := range properties {
		p := maps.Clone(property.(object))
		describe(name, p)
		out[name] = p
	}
	return out
}

// completeRequest describes the fields of a schema that only requests have.
func (d *document) completeRequest(schema object) {
	required, _ := schema["required"].([]any)
	properties := at(schema, "properties")
	for name, property := range properties {
		p := property.(object)
		describe(name, p)
		if items := at(p, "items"); items["properties"] != nil {
			d.completeRequest(items)
		}
		if p["properties"] != nil {
			d.completeRequest(p)
		}
		if !slices.Contains(required, any(name)) {
			properties[name] = orNull(p)
		}
	}
}

// describe adds to a schema what every value of its name is, which keys it has, and that a text which may not be empty has more than
// spaces.
func describe(name string, schema object) {
	if format := formats[name]; format != "" && schema["type"] == "string" {
		schema["format"] = format
	}
	if pattern := patterns[name]; pattern != "" && schema["type"] == "string" {
		schema["minLength"], schema["pattern"] = 1, pattern
	}
	if schema["minLength"] != nil && schema["pattern"] == nil && schema["type"] == "string" {
		schema["pattern"] = `\S`
	}
	describeWords(schema)
	switch value := at(schema, "additionalProperties"); {
	case len(value) == 0:
	case name == "pronunciations":
		value["minLength"], value["pattern"] = 1, patterns["respelling"]
		schema["propertyNames"] = object{"minLength": 1, "pattern": patterns["word"]}
	case name == "chunks":
		schema["propertyNames"] = object{"pattern": `^(0|[1-9]\d{0,17})$`}
	}
}

// orNull returns a schema that allows null too.
func orNull(schema object) object {
	null := object{"type": "null"}
	if schema["$ref"] != nil {
		ref := object{"$ref": schema["$ref"]}
		delete(schema, "$ref")
		schema["anyOf"] = []any{ref, null}
		return schema
	}
	if options, ok := schema["anyOf"].([]any); ok && !slices.ContainsFunc(options, func(o any) bool { return o.(object)["type"] == "null" }) {
		schema["anyOf"] = append(slices.Clone(options), null)
	}
	if kind, ok := schema["type"].(string); ok {
		schema["type"] = []any{kind, "null"}
		if values, ok := schema["enum"].([]any); ok {
			schema["enum"] = append(slices.Clone(values), nil)
		}
	}
	return schema
}
