package httpapi_test

import (
	"encoding/json"
	"net/http"
	"regexp"
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

// TestQueryOfEachRoute: whatever serves a route, a value that is no text, or that is given twice, is refused by its name, and an
// empty one counts as absent, as the document says.
func TestQueryOfEachRoute(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	var doc struct {
		Paths map[string]map[string]struct {
			Parameters []struct {
				Name, In        string
				Required        bool
				AllowEmptyValue bool
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(s.do("GET", "/openapi.json", "").body), &doc))
	parameter := regexp.MustCompile(`\{[^}]*id\}`)
	tried := 0
	for path, operations := range doc.Paths {
		address := parameter.ReplaceAllString(path, "0197a3c0-0000-7000-8000-000000000000")
		address = strings.NewReplacer("{n}", "1", "{take}", "1", "{", "", "}", "").Replace(address)
		for method, operation := range operations {
			for _, p := range operation.Parameters {
				if p.In != "query" {
					continue
				}
				tried++
				ask := func(query string) answer { return s.do(strings.ToUpper(method), address+"?"+query, "") }
				named, name := `"loc":["query","`+p.Name+`"]`, method+" "+path+" "+p.Name
				for query, kind := range map[string]string{
					p.Name + "=%zz": "string_unicode", p.Name + "=%00": "string_unicode",
					p.Name + "=&" + p.Name + "=": "value_error", p.Name + "=1&" + p.Name + "=x": "value_error",
				} {
					a := ask(query)
					require.Equal(t, http.StatusUnprocessableEntity, a.StatusCode, name+query+a.body)
					require.Contains(t, a.body, named, name+query)
					require.Contains(t, a.body, kind, name+query)
				}
				require.Equal(t, !p.Required, p.AllowEmptyValue, name)
				if !p.Required {
					require.NotContains(t, ask(p.Name+"=").body, named, name)
				}
				require.NotContains(t, ask("other=%zz&other=1").body, "string_unicode", name)
			}
		}
	}
	require.Greater(t, tried, 80)
}

// TestMissingBodyInOpenAIShape names no field, as the body has none.
func TestMissingBodyInOpenAIShape(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	a := s.do("POST", "/v1/audio/speech", "")
	require.Equal(t, 422, a.StatusCode)
	require.JSONEq(t, `{"error":{"message":"Field required","type":"invalid_request_error","param":null,"code":"missing"}}`, a.body)
}
