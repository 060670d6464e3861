package docs

import (
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/voicewright/voicewright/backend/strictjson"
)

// Config returns the OpenAPI document without routes. Types have the names that name gives them, and decode reads bodies. huma's own
// pages are off: ours need the token or load no external asset.
func Config(version string, name func(t reflect.Type, hint string) string, decode func(data []byte, v any) error) huma.Config {
	c := huma.DefaultConfig("Voicewright", version)
	c.Info.Description = "The local API of Voicewright, which turns text into speech on this machine. " +
		"Send the token as `Authorization: Bearer TOKEN`."
	c.Info.License = &huma.License{Name: "Apache-2.0", Identifier: "Apache-2.0"}
	c.OpenAPIPath, c.DocsPath, c.SchemasPath = "", "", ""
	c.CreateHooks = nil
	c.AllowAdditionalPropertiesByDefault = true
	c.Formats = map[string]huma.Format{
		jsonType: {Marshal: huma.DefaultJSONFormat.Marshal, Unmarshal: decode},
		"json":   {Marshal: huma.DefaultJSONFormat.Marshal, Unmarshal: decode},
	}
	c.Components.Schemas = huma.NewMapRegistry(schemasRef, name)
	c.Components.SecuritySchemes = map[string]*huma.SecurityScheme{"bearer": {Type: "http", Scheme: "bearer"}}
	c.Security = []map[string][]string{{"bearer": {}}}
	return c
}

// AllowNull marks fields that point to an object as nullable in the document; huma does so only for plain values. A schema that is
// one of two would not do, as huma takes every value for null.
func AllowNull(r huma.Registry) {
	for name, schema := range r.Map() {
		t := r.TypeFromRef(schemasRef + name)
		if t == nil || t.Kind() != reflect.Struct {
			continue
		}
		for _, field := range strictjson.Fields(t) {
			p := schema.Properties[field.Name]
			if p != nil && p.Ref != "" && field.Type.Kind() == reflect.Pointer {
				schema.Properties[field.Name] = OrNull(p)
			}
		}
	}
}
