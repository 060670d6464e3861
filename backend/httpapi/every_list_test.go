package httpapi_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// operation is what the OpenAPI document says of a GET route.
type operation struct {
	Responses map[string]struct {
		Content map[string]struct {
			Schema schemaRef `json:"schema"`
		} `json:"content"`
	} `json:"responses"`
}

type schemaRef struct {
	Ref        string         `json:"$ref"`
	Required   []string       `json:"required"`
	Properties map[string]any `json:"properties"`
}

// listRoutes returns the GET routes that answer with items, from the OpenAPI document, with the fields of their answers.
func listRoutes(t *testing.T, document string) map[string]schemaRef {
	t.Helper()
	var doc struct {
		Paths      map[string]map[string]json.RawMessage `json:"paths"`
		Components struct {
			Schemas map[string]schemaRef `json:"schemas"`
		} `json:"components"`
	}
	require.NoError(t, json.Unmarshal([]byte(document), &doc))
	out := map[string]schemaRef{}
	for path, methods := range doc.Paths {
		if methods["get"] == nil {
			continue
		}
		var get operation
		require.NoError(t, json.Unmarshal(methods["get"], &get))
		body := get.Responses["200"].Content["application/json"].Schema
		if body.Ref != "" {
			body = doc.Components.Schemas[strings.TrimPrefix(body.Ref, "#/components/schemas/")]
		}
		if body.Properties["items"] != nil {
			out[path] = body
		}
	}
	return out
}

// TestEveryListHasItsTotal: every list answers {"items","total","next_cursor"}, by the document and in fact.
func TestEveryListHasItsTotal(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	g := s.speak("Hello there.", "")
	profile := s.cloned("Ann")
	book := s.newBook()
	ids := strings.NewReplacer("{profile_id}", profile, "{book_id}", book["id"].(string), "{generation_id}", g["id"].(string), "{n}", "0")
	routes := listRoutes(t, s.do("GET", "/openapi.json", "").body)
	for _, path := range []string{
		"/profiles", "/profiles/{profile_id}/samples", "/books", "/books/{book_id}/check", "/history", "/history/{generation_id}/chunks/{n}/takes", "/scripts", "/transcriptions", "/speakers",
		"/drafts", "/pronunciations", "/models/loaded", "/models/catalogue", "/recordings/devices", "/hosted/voices", "/hosted/models",
	} {
		require.Contains(t, routes, path, "a list")
	}
	for path, body := range routes {
		for _, field := range []string{"items", "total", "next_cursor"} {
			require.Contains(t, body.Properties, field, path)
			require.Contains(t, body.Required, field, path)
		}
		a := s.do("GET", ids.Replace(path), "")
		if strings.HasPrefix(path, "/hosted/") || slices.Contains([]string{"/models/catalogue", "/recordings/devices"}, path) {
			continue // without a service, a hub, a microphone
		}
		require.Equal(t, 200, a.StatusCode, "%s: %s", path, a.body)
		list := a.object(t)
		require.Equal(t, json.Number(fmt.Sprint(len(list["items"].([]any)))), list["total"], path)
		require.Contains(t, list, "next_cursor", path)
		require.Nil(t, list["next_cursor"], path)
	}
}

// TestChangesOfNothing: what a PATCH or PUT leaves as it was has not been changed, and another change still is one.
func TestChangesOfNothing(t *testing.T) {
	t.Parallel()
	start := time.Now()
	var ticks atomic.Int64
	s := newStudio(t, studioOptions{clock: func() time.Time { return start.Add(time.Duration(ticks.Add(1)) * time.Minute) }})
	made := s.transcribe(2)
	segment := made["segments"].([]any)[0].(map[string]any)
	create := func(path, body string) object {
		t.Helper()
		a := s.do("POST", path, body)
		require.Contains(t, []int{200, 201}, a.StatusCode, "%s: %s", path, a.body)
		return a.object(t)
	}
	profile := create("/profiles", `{"name":"Ann","description":"calm","language":"en"}`)
	draft := create("/drafts", `{"name":"One","content":{"text":"Hello.","n":{"a":1,"b":[1,2]}}}`)
	word := create("/pronunciations", `{"word":"Nguyen","respelling":"win","language":"en"}`)
	g := s.speak("Hello.", "")
	for name, test := range map[string]struct {
		method, path string
		nothing      []string
		something    string
	}{
		"transcript": {"PATCH", "/transcriptions/" + made["id"].(string), []string{
			`{}`, fmt.Sprintf(`{"title":%q}`, made["title"]), `{"segments":[]}`,
			fmt.Sprintf(`{"segments":[{"id":%s,"text":%q,"speaker":" "}]}`, segment["id"], segment["text"]),
			fmt.Sprintf(`{"title":" %s ","segments":[{"id":%s,"text":"  %s "}]}`, made["title"], segment["id"], segment["text"]),
		}, `{"title":"Other"}`},
		"profile": {"PUT", "/profiles/" + profile["id"].(string), []string{
			`{}`, `{"name":"Ann"}`, `{"name":" Ann ","description":"calm","language":"en"}`,
		}, `{"description":"loud"}`},
		"draft": {"PUT", "/drafts/" + draft["id"].(string), []string{
			`{}`, `{"name":"One"}`, `{"content":{"text":"Hello.","n":{"a":1,"b":[1, 2]}}}`,
		}, `{"content":{"text":"Hello!"}}`},
		"pronunciation": {"PUT", "/pronunciations/" + word["id"].(string), []string{
			`{"word":"Nguyen","respelling":"win","language":"en"}`,
		}, `{"word":"Nguyen","respelling":"wen","language":"en"}`},
		"history": {"PATCH", "/history/" + g["id"].(string), []string{`{}`, `{"favorite":false}`, `{"title":""}`}, `{"favorite":true}`},
	} {
		t.Run(name, func(t *testing.T) {
			unsigned := func(o object) object {
				delete(o, "audio_url")
				return o
			}
			before := unsigned(s.do("GET", test.path, "").object(t))
			for _, body := range test.nothing {
				a := s.do(test.method, test.path, body)
				require.Equal(t, 200, a.StatusCode, "%s: %s", body, a.body)
				require.Equal(t, before, unsigned(a.object(t)), body)
				require.Equal(t, before, unsigned(s.do("GET", test.path, "").object(t)), body)
			}
			a := s.do(test.method, test.path, test.something)
			require.Equal(t, 200, a.StatusCode, a.body)
			after := a.object(t)
			require.NotEqual(t, before, unsigned(after))
			if before["updated_at"] != nil {
				require.NotEqual(t, before["updated_at"], after["updated_at"])
			}
		})
	}
}
