package httpapi

import (
	"github.com/danielgtaylor/huma/v2"

	"github.com/voicewright/voicewright/backend"
)

// exportFormat is one of backend.ExportFormats.
type exportFormat string

// Schema implements huma.SchemaProvider.
func (exportFormat) Schema(huma.Registry) *huma.Schema { return enumOf(backend.ExportFormats()) }

func enumOf(values []string) *huma.Schema {
	schema := &huma.Schema{Type: huma.TypeString}
	for _, value := range values {
		schema.Enum = append(schema.Enum, value)
	}
	return schema
}
