package httpapi_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMethodsOfEachPath: a path answers 405 to the methods that the document does not give it, and Allow has those that it does,
// also where a sibling with a parameter in its place takes them.
func TestMethodsOfEachPath(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	var doc struct {
		Paths map[string]map[string]any
	}
	require.NoError(t, json.Unmarshal([]byte(s.do("GET", "/openapi.json", "").body), &doc))
	for path, operations := range doc.Paths {
		if strings.Contains(path, "{path}") { // of the hosted service
			continue
		}
		var has []string
		for method := range operations {
			has = append(has, strings.ToUpper(method))
		}
		if slices.Contains(has, http.MethodGet) {
			has = append(has, http.MethodHead)
		}
		slices.Sort(has)
		for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"} {
			if slices.Contains(has, method) {
				continue
			}
			a := s.do(method, strings.NewReplacer("{", "", "}", "").Replace(path), "")
			require.Equal(t, http.StatusMethodNotAllowed, a.StatusCode, method+" "+path)
			require.Equal(t, strings.Join(has, ", "), a.Header.Get("Allow"), method+" "+path)
		}
	}
}

// TestMissingBodyInOpenAIShape names no field, as the body has none.
func TestMissingBodyInOpenAIShape(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	a := s.do("POST", "/v1/audio/speech", "")
	require.Equal(t, 422, a.StatusCode)
	require.JSONEq(t, `{"error":{"message":"Field required","type":"invalid_request_error","param":null,"code":"missing"}}`, a.body)
}
