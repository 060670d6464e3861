package httpapi

import (
	"reflect"

	"github.com/danielgtaylor/huma/v2"
)

// allowNull says in the document that fields which point to an object may be null; huma says so of plain values only.
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
