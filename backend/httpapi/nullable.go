package httpapi

import (
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/voicewright/voicewright/backend/httpapi/docs"
	"github.com/voicewright/voicewright/backend/strictjson"
)

// allowNull marks fields that point to an object as nullable in the document; huma does so only for plain values. A schema that is
// one of two would not do, as huma takes every value for null.
func allowNull(r huma.Registry) {
	for name, schema := range r.Map() {
		t := r.TypeFromRef("#/components/schemas/" + name)
		if t == nil || t.Kind() != reflect.Struct {
			continue
		}
		for _, field := range strictjson.Fields(t) {
			p := schema.Properties[field.Name]
			if p != nil && p.Ref != "" && field.Type.Kind() == reflect.Pointer {
				schema.Properties[field.Name] = docs.OrNull(p)
			}
		}
	}
}
