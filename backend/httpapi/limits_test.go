package httpapi_test

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// fields are those of an object in JSON.
type fields = map[string]any

// sent are the values of a document that a request is made of.
type sent struct {
	schemas fields
	wrong   map[string]any // a body with one value that is out of range, by the place of the value in JSON
}

// add adds the bodies for the limits of a schema; in makes a body of a value at this place.
func (s *sent) add(schema fields, at []string, in func(value any) any) {
	if len(at) > 6 {
		return
	}
	if ref, ok := schema["$ref"].(string); ok {
		s.add(s.schemas[ref[strings.LastIndex(ref, "/")+1:]].(fields), at, in)
		return
	}
	for _, key := range []string{"anyOf", "allOf"} {
		parts, _ := schema[key].([]any)
		for _, part := range parts {
			s.add(part.(fields), at, in)
		}
	}
	place, _ := json.Marshal(at)
	if limit, ok := schema["maximum"].(float64); ok {
		s.wrong[string(place)] = in(limit + 1)
	}
	if schema["enum"] != nil {
		s.wrong[string(place)] = in("no such value")
	}
	properties, _ := schema["properties"].(fields)
	for name, property := range properties {
		s.add(property.(fields), append(at[:len(at):len(at)], name), func(value any) any { return in(fields{name: value}) })
	}
	if items, ok := schema["items"].(fields); ok {
		s.add(items, append(at[:len(at):len(at)], "0"), func(value any) any { return in([]any{value}) })
	}
}

// TestLimitsOfEachBody: what the document says of a value of a request is checked, however deep in the body it is and whoever reads it.
func TestLimitsOfEachBody(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	var doc struct {
		Paths      map[string]map[string]fields
		Components struct{ Schemas fields }
	}
	require.NoError(t, json.Unmarshal([]byte(s.do("GET", "/openapi.json", "").body), &doc))
	parameter := regexp.MustCompile(`\{[^}]*id\}`)
	tried, accepted := 0, []string{}
	for path, operations := range doc.Paths {
		if strings.HasPrefix(path, "/v1/") { // in OpenAI's shape
			continue
		}
		address := parameter.ReplaceAllString(path, "0197a3c0-0000-7000-8000-000000000000")
		address = strings.NewReplacer("{n}", "1", "{", "", "}", "").Replace(address)
		for method, operation := range operations {
			body, _ := operation["requestBody"].(fields)
			content, _ := body["content"].(fields)
			media, _ := content["application/json"].(fields)
			schema, _ := media["schema"].(fields)
			found := sent{doc.Components.Schemas, map[string]any{}}
			found.add(schema, []string{"body"}, func(value any) any { return value })
			for place, wrong := range found.wrong {
				tried++
				text, err := json.Marshal(wrong)
				require.NoError(t, err)
				a := s.do(strings.ToUpper(method), address, string(text))
				field := strings.Join(strings.SplitN(place, ",", 3)[:2], ",") // its service may name the field alone
				if a.StatusCode != http.StatusUnprocessableEntity || !strings.Contains(a.body, `"loc":`+strings.TrimSuffix(field, "]")) {
					accepted = append(accepted, method+" "+path+" "+string(text)+" "+a.body)
				}
			}
		}
	}
	require.Empty(t, accepted)
	require.Greater(t, tried, 60)
}
