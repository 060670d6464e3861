package httpapi

import (
	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"
)

// ID is a UUID of any version in a path, a query or a body. A malformed one is answered with 422
// `uuid_parsing` before the handler runs; handlers see it in the canonical lower-case form.
type ID string

// Schema says that an ID is a string with the format of a UUID.
func (ID) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Format: "uuid"}
}

// Resolve brings a well-formed ID into its canonical form. The schema has refused others.
func (id *ID) Resolve(huma.Context) []error {
	*id = ID(canonicalID(string(*id)))
	return nil
}

// canonicalID writes a UUID in lower case with hyphens, as the store has it, and leaves anything else alone.
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
