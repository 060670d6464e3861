package api

import "github.com/danielgtaylor/huma/v2"

// Describe returns the document, so that tests can check answers against its schemas.
func (a *API) Describe() *huma.OpenAPI { return a.describe() }
