package docs_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/httpapi/docs"
)

// TestComplete describes a request, a form and an answer.
func TestComplete(t *testing.T) {
	t.Parallel()
	spec := `{
		"paths": {"/things": {"post": {
			"parameters": [
				{"name": "cursor", "in": "query", "schema": {"type": "string"}},
				{"name": "text", "in": "query", "required": true, "schema": {"type": "string"}}
			],
			"requestBody": {"content": {
				"application/json": {"schema": {"$ref": "#/components/schemas/New"}},
				"multipart/form-data": {"schema": {"allOf": [
					{"$ref": "#/components/schemas/New"}, {"properties": {"file": {"type": "string", "format": "binary"}}}
				]}}
			}},
			"responses": {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}}}, "204": {"content": {}}}
		}}},
		"components": {"schemas": {
			"New": {"type": "object", "required": ["name"], "properties": {
				"name": {"type": "string", "minLength": 1},
				"respelling": {"type": "string"},
				"chunks": {"type": "object", "additionalProperties": {"type": "integer"}},
				"kind": {"type": "string", "enum": ["a", "b"]},
				"shared": {"$ref": "#/components/schemas/Shared"},
				"recording_id": {"type": "string"}
			}},
			"Thing": {"type": "object", "properties": {"shared": {"$ref": "#/components/schemas/Shared"}}},
			"Shared": {"type": "object", "properties": {"x": {"type": "string"}}}
		}}
	}`
	want := `{
		"paths": {"/things": {"post": {
			"parameters": [
				{"name": "cursor", "in": "query", "allowEmptyValue": true, "schema": {"type": "string", "format": "cursor"}},
				{"name": "text", "in": "query", "required": true, "schema": {"type": "string", "minLength": 1}}
			],
			"requestBody": {"content": {
				"application/json": {"schema": {"allOf": [{"$ref": "#/components/schemas/New"}, {"oneOf": [
					{"required": ["recording_id"], "properties": {"recording_id": {"not": {"type": "null"}}}}
				]}]}},
				"multipart/form-data": {"schema": {"type": "object", "required": ["name", "file"], "properties": {
					"name": {"type": "string", "minLength": 1, "pattern": "\\S"},
					"chunks": {"type": "object", "additionalProperties": {"type": "integer"}, "propertyNames": {"pattern": "^(0|[1-9]\\d{0,17})$"}},
					"respelling": {"type": "string", "minLength": 1, "pattern": "^[^|\\x00-\\x08\\x0e-\\x1f\\x7f-\\x84\\x86-\\x9f]*[^\\s|\\x00-\\x08\\x0e-\\x1f\\x7f-\\x84\\x86-\\x9f][^|\\x00-\\x08\\x0e-\\x1f\\x7f-\\x84\\x86-\\x9f]*$"},
					"kind": {"type": "string", "enum": ["a", "b"]},
					"shared": {"$ref": "#/components/schemas/SentShared"},
					"file": {"type": "string", "format": "binary"}
				}}}
			}},
			"responses": {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}}}, "204": {}}
		}}},
		"components": {"schemas": {
			"New": {"type": "object", "required": ["name"], "properties": {
				"name": {"type": "string", "minLength": 1, "pattern": "\\S"},
				"chunks": {
					"type": ["object", "null"], "additionalProperties": {"type": "integer"}, "propertyNames": {"pattern": "^(0|[1-9]\\d{0,17})$"}
				},
				"respelling": {"type": ["string", "null"], "minLength": 1, "pattern": "^[^|\\x00-\\x08\\x0e-\\x1f\\x7f-\\x84\\x86-\\x9f]*[^\\s|\\x00-\\x08\\x0e-\\x1f\\x7f-\\x84\\x86-\\x9f][^|\\x00-\\x08\\x0e-\\x1f\\x7f-\\x84\\x86-\\x9f]*$"},
				"kind": {"type": ["string", "null"], "enum": ["a", "b", null]},
				"shared": {"anyOf": [{"$ref": "#/components/schemas/SentShared"}, {"type": "null"}]},
				"recording_id": {"type": ["string", "null"]}
			}},
			"Thing": {"type": "object", "properties": {"shared": {"$ref": "#/components/schemas/Shared"}}},
			"Shared": {"type": "object", "properties": {"x": {"type": "string"}}},
			"SentShared": {"type": "object", "properties": {"x": {"type": ["string", "null"]}}}
		}}
	}`
	got, err := docs.Complete([]byte(spec))
	require.NoError(t, err)
	require.JSONEq(t, want, string(got))
}

// TestWords are in the document as values of a list, and as a pattern of a text.
func TestWords(t *testing.T) {
	t.Parallel()
	words, err := json.Marshal(docs.Words("one", "two"))
	require.NoError(t, err)
	got, err := docs.Complete([]byte(`{"paths": {"/": {"post": {"requestBody": {"content": {"application/json": {"schema":
		{"$ref": "#/components/schemas/New"}}}}}}}, "components": {"schemas": {"New": {"properties": {"words": ` + string(words) + `}}}}}`))
	require.NoError(t, err)
	require.Contains(t, string(got), `"pattern":"^(one|two)(, *(one|two))*$"`)
	require.Contains(t, string(got), `"enum":["one","two"]`)
}
