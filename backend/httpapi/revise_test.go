package httpapi_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// TestReviseOverHTTP changes a text, takes it back, and levels it again.
func TestReviseOverHTTP(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	g := s.speak("Hello there. Goodbye.", "")
	path := "/generate/" + g["id"].(string)
	counts := func(o object) string { return fmt.Sprint(o["reused"], " ", o["generated"], " ", o["removed"]) }
	const changed = `{"text":"Hello there. Farewell."`
	dry := s.do("POST", path+"/revise", changed+`,"dry_run":true}`)
	require.Equal(t, 200, dry.StatusCode, dry.body)
	require.Equal(t, "1 1 1", counts(dry.object(t)))
	require.Contains(t, dry.body, `"quote":null`, "a local voice costs nothing")
	require.Equal(t, "Hello there. Goodbye.", s.do("GET", path, "").object(t)["text"])
	a := s.do("POST", path+"/revise", changed+`}`)
	require.Equal(t, 202, a.StatusCode, a.body)
	require.Equal(t, "1 1 1", counts(a.object(t)))
	require.NotEmpty(t, a.object(t)["audio_url"], "the former audio can be played")
	require.Contains(t, s.do("GET", path+"/events", "").body, `"status":"complete"`)
	now := s.do("GET", path, "").object(t)
	require.Equal(t, "Hello there. Farewell.", now["text"])
	require.Equal(t, true, now["can_undo"])
	for _, list := range []string{"/history", "/history?full=true"} {
		require.Contains(t, s.do("GET", list, "").body, `"can_undo":true`)
	}
	require.Equal(t, 200, s.do("POST", path+"/level", "").StatusCode)
	back := s.do("POST", path+"/revise/undo", "")
	require.Equal(t, 200, back.StatusCode, back.body)
	require.Equal(t, "Hello there. Goodbye.", back.object(t)["text"])
	require.Equal(t, false, back.object(t)["can_undo"])
	for _, c := range []struct {
		path, body, has string
		status          int
	}{
		{path + "/revise/undo", "", `"code":"nothing_to_undo"`, 409},
		{path + "/revise", `{"text":" "}`, `"string_too_short"`, 422},
		{path + "/revise", `{}`, `"missing"`, 422},
		{path + "/revise", `{"text":"x","pronunciations":{"":"a"}}`, `["body","pronunciations",""]`, 422},
		{path + "/revise", `{"text":"x","accept_credits":-1}`, `"accept_credits"`, 422},
		{"/generate/" + uuid.NewString() + "/revise", `{"text":"x"}`, "generation_not_found", 404},
		{"/generate/" + uuid.NewString() + "/level", "", "generation_not_found", 404},
	} {
		a := s.do("POST", c.path, c.body)
		require.Equal(t, c.status, a.StatusCode, a.body)
		require.Contains(t, a.body, c.has)
	}
}

// TestReviseComparesSettings sends the body of a request to generate with a dry run, which says what a change of the text keeps.
func TestReviseComparesSettings(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	g := s.speak("Hello there. Goodbye.", `,"speed":1.1`)
	path := "/generate/" + g["id"].(string) + "/revise"
	profile := fmt.Sprintf(`,"profile_id":%q`, g["profile_id"])
	for _, c := range []struct {
		sent      string
		different []any
	}{
		{"", []any{}},
		{profile + `,"speed":1.1,"format":"wav","normalize":true,"title":"A name"`, []any{}},
		{profile, []any{"speed"}},
		{`,"speed":1.1,"crossfade_ms":20,"pauses":{"scene":9}`, []any{"crossfade_ms", "pauses.scene"}},
	} {
		a := s.do("POST", path, `{"text":"Hello there. Farewell.","dry_run":true`+c.sent+`}`)
		require.Equal(t, 200, a.StatusCode, a.body)
		require.Equal(t, len(c.different) == 0, a.object(t)["same_settings"], c.sent)
		require.Equal(t, c.different, a.object(t)["different_settings"], c.sent)
	}
	for body, status := range map[string]int{
		`"speed":9`: 422, `"profile_id":"x"`: 404, `"pronunciations":{"":"x"}`: 422, `"voice":"nowhere:x"`: 404,
	} {
		a := s.do("POST", path, `{"text":"Hello.","dry_run":true,`+body+`}`)
		require.Equal(t, status, a.StatusCode, a.body)
	}
	a := s.do("POST", path, `{"text":"Hello there. Farewell.","speed":2}`)
	require.Equal(t, 202, a.StatusCode, a.body)
	require.NotContains(t, a.object(t), "same_settings")
}

// TestReviseComparesEverySetting goes over the fields of a request to generate as the interface lists them: a dry run reads each.
func TestReviseComparesEverySetting(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	var document struct {
		Components struct {
			Schemas map[string]struct {
				Properties map[string]any `json:"properties"`
			} `json:"schemas"`
		} `json:"components"`
	}
	decode(t, s.do("GET", "/openapi.json", "").body, &document)
	other := s.create(`{"name":"Otto"}`)["id"].(string)
	values := map[string]string{
		"profile_id": fmt.Sprintf("%q", other), "voice": `"nowhere:x"`, "model_name": `"nowhere"`, "language": `"xx"`, // refused
		"seed": "8", "speed": "1.25", "format": `"flac"`, "normalize": "false", "limit": "false", "max_chunk_chars": "200",
		"crossfade_ms": "30", "pauses": `{"scene":9}`, "verify": "true", "steps": "5", "pronunciations": `{"hello":"hallo"}`,
	}
	const others = "text title accept_license accept_credits hosted" // hosted: of no effect with a local voice
	path := "/generate/" + s.speak("Hello there. Goodbye.", `,"seed":7`)["id"].(string) + "/revise"
	for name := range document.Components.Schemas["GenerateRequest"].Properties {
		if slices.Contains(strings.Fields(others), name) {
			continue
		}
		require.Contains(t, values, name)
		a := s.do("POST", path, fmt.Sprintf(`{"text":"Hello there.","dry_run":true,%q:%s}`, name, values[name]))
		if a.StatusCode == 200 {
			require.Equal(t, false, a.object(t)["same_settings"], name)
			require.Contains(t, fmt.Sprint(a.object(t)["different_settings"]), name)
		} else {
			require.Contains(t, []string{"voice", "model_name", "language"}, name, a.body)
		}
	}
}
