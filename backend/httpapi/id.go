package httpapi

import (
	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"
)

// ID is a UUID of any version in a path, a query or a body. A malformed one is rejected with 422
// `uuid_parsing` before the handler runs; handlers get the canonical lower-case form.
type ID string

// Schema describes an ID as a string with the format uuid.
func (ID) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Format: "uuid"}
}

// Resolve converts an ID to its canonical form. The schema has rejected malformed ones.
func (id *ID) Resolve(huma.Context) []error {
	*id = ID(canonicalID(string(*id)))
	return nil
}

// canonicalID returns a UUID in lower case with hyphens, as it is stored, and anything else unchanged.
func canonicalID(id string) string {
	if u, err := uuid.Parse(id); err == nil {
		return u.String()
	}
	return id
}

var (
	_ huma.SchemaProvider = ID("")
	_ huma.Resolver       = (*ID)(nil)
)
