package httpapi_test

import (
	"fmt"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

// TestReviseOverHTTP changes a text, takes it back, and levels it again.
func TestReviseOverHTTP(t *testing.T) {
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
		{path + "/revise", `{"text":"x","accept_credits":-1}`, `"accept_credits"`, 422},
		{"/generate/" + uuid.NewString() + "/revise", `{"text":"x"}`, "generation_not_found", 404},
		{"/generate/" + uuid.NewString() + "/level", "", "generation_not_found", 404},
	} {
		a := s.do("POST", c.path, c.body)
		require.Equal(t, c.status, a.StatusCode, a.body)
		require.Contains(t, a.body, c.has)
	}
}
