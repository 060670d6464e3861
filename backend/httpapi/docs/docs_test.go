package docs_test

import (
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/httpapi/docs"
)

// TestPage writes a document whose texts look like HTML: all of it is shown, and none of it becomes part of the page.
func TestPage(t *testing.T) {
	t.Parallel()
	schemas := huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer)
	schemas.Map()["Cup"] = &huma.Schema{
		Type: huma.TypeObject, Required: []string{"size"},
		Properties: map[string]*huma.Schema{"size": {Type: huma.TypeString, Enum: []any{"small", "large"}, Description: "<b>litres</b>"}},
	}
	doc := &huma.OpenAPI{
		Info: &huma.Info{Title: "Tea", Version: "1.2", Description: "</script><script>alert(1)</script>"},
		Paths: map[string]*huma.PathItem{"/cups/{id}": {Get: &huma.Operation{
			Method: "GET", Path: "/cups/{id}", OperationID: "cup", Summary: "Get a cup", Tags: []string{"cups"},
			Responses: map[string]*huma.Response{"200": {Description: "The cup", Content: map[string]*huma.MediaType{
				"application/json": {Schema: &huma.Schema{Ref: "#/components/schemas/Cup"}},
			}}},
		}}},
		Components: &huma.Components{Schemas: schemas},
	}
	spec, err := doc.MarshalJSON()
	require.NoError(t, err)
	html := string(docs.Page(doc, spec))
	for _, shown := range []string{
		"GET /cups/{id}", "Get a cup.", "The cup", "application/json Cup", "string: small | large", "&lt;b&gt;litres&lt;/b&gt;",
	} {
		require.Contains(t, html, shown)
	}
	require.NotContains(t, html, "<script>alert")
	require.NotContains(t, html, "<b>litres")
	require.Contains(t, docs.Policy(), "default-src 'none'")
}
