package docs_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	route       = regexp.MustCompile("`(GET|POST|PUT|PATCH|DELETE) (/[^`\\s?]*)[^`]*`")
	placeholder = regexp.MustCompile(`\{[^}]*\}`)
)

// TestRoutesExist looks for each route that a page names in the description of the local API, or of the service.
func TestRoutesExist(t *testing.T) {
	known := map[string]bool{}
	for _, file := range []string{"../backend/httpapi/testdata/openapi.json", "../backend/service/api/testdata/openapi.json"} {
		var described struct {
			Paths map[string]map[string]json.RawMessage `json:"paths"`
		}
		require.NoError(t, json.Unmarshal([]byte(read(t, file)), &described))
		for path, methods := range described.Paths {
			for method := range methods {
				known[strings.ToUpper(method)+" "+placeholder.ReplaceAllString(path, "{}")] = true
			}
		}
	}
	found := 0
	for _, page := range glob(t, "*.md", "../README.md") {
		if strings.HasPrefix(page, "service") { // which also names routes of providers
			continue
		}
		for _, m := range route.FindAllStringSubmatch(read(t, page), -1) {
			found++
			require.True(t, known[m[1]+" "+placeholder.ReplaceAllString(m[2], "{}")], "%s names %s %s", page, m[1], m[2])
		}
	}
	require.Greater(t, found, 10)
}
