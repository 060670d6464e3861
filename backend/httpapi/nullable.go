package httpapi

import (
	"reflect"

	"github.com/danielgtaylor/huma/v2"
)

// allowNull marks fields that point to an object as nullable; huma does so only for plain values.
func allowNull(r huma.Registry) {
	for name, schema := range r.Map() {
		t := r.TypeFromRef("#/components/schemas/" + name)
		if t == nil || t.Kind() != reflect.Struct {
			continue
		}
		for field, ft := range jsonFields(t) {
			p := schema.Properties[field]
			if p != nil && p.Ref != "" && ft.Kind() == reflect.Pointer {
				schema.Properties[field] = &huma.Schema{
					AnyOf: []*huma.Schema{{Ref: p.Ref}, {Type: "null"}}, Description: p.Description,
				}
			}
		}
	}
}
