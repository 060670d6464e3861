package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

// TestScriptEvents hears when the work on the file of a script has ended, also in the background and when it failed.
func TestScriptEvents(t *testing.T) {
	t.Parallel()
	broken := make(chan bool, 1)
	s := newStudio(t, studioOptions{voice: newScripted(func(context.Context, int) error {
		select {
		case <-broken:
			return backend.E(backend.CodeEngineFailed, "The graph gave NaN.", "Try another seed.")
		default:
			return nil
		}
	})})
	next := s.listen()
	scriptEvent := func(status string) (id string) {
		t.Helper()
		for {
			name, data := next()
			var told struct{ ID, Status string }
			require.NoError(t, json.Unmarshal([]byte(data), &told))
			if name == "script" && told.Status == status {
				return told.ID
			}
		}
	}
	body := s.fill(`{"turns":[{"profile_id":"{profile}","text":"One."},{"profile_id":"{profile}","text":"Two."}]}`)
	send := func(headers ...string) answer { return s.do("POST", "/script", body, headers...) }

	a := send("Prefer: respond-async")
	require.Equal(t, 202, a.StatusCode, a.body)
	id := a.object(t)["id"].(string)
	require.Equal(t, id, scriptEvent("joined"))
	stored := s.do("GET", "/scripts/"+id, "").object(t)
	require.NotEmpty(t, stored["audio_url"], "the event comes after the row is stored")

	require.Equal(t, 200, s.do("POST", "/scripts/"+id+"/join", "").StatusCode)
	require.Equal(t, id, scriptEvent("joined"))
	require.Equal(t, send().object(t)["id"], scriptEvent("joined"))

	for query, kind := range map[string]string{"": "audio/wav", "?format=flac": "audio/flac", "?format=srt": "application/x-subrip"} {
		a := s.do("GET", "/scripts/"+id+"/export"+query, "")
		require.Equal(t, 200, a.StatusCode, a.body)
		require.Equal(t, kind, a.Header.Get("Content-Type"))
		require.Contains(t, a.Header.Get("Content-Disposition"), "attachment; filename=One.")
	}
	require.Equal(t, 422, s.do("GET", "/scripts/"+id+"/export?format=exe", "").StatusCode)
	require.Equal(t, 404, s.do("GET", "/scripts/"+itemID+"/export", "").StatusCode)

	broken <- true
	id = send("Prefer: respond-async").object(t)["id"].(string)
	require.Equal(t, id, scriptEvent("failed"))
	require.Empty(t, s.do("GET", "/scripts/"+id, "").object(t)["audio_url"])
	broken <- true
	a = send()
	require.Equal(t, 500, a.StatusCode, a.body)
	require.Equal(t, a.object(t)["params"].(map[string]any)["script_id"], scriptEvent("failed"))

	require.Equal(t, 204, s.do("DELETE", "/scripts/"+id, "").StatusCode)
	require.Equal(t, id, scriptEvent(""), "a plain change has no status")
}

// TestReviseScript changes one of three turns over the API, and takes it back once.
func TestReviseScript(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	next := s.listen()
	joined := func() {
		t.Helper()
		for {
			if name, data := next(); name == "script" && strings.Contains(data, `"joined"`) {
				return
			}
		}
	}
	body := func(texts ...string) string {
		var turns []string
		for _, text := range texts {
			turns = append(turns, s.fill(`{"profile_id":"{profile}","text":"`+text+`"}`))
		}
		return `{"turns":[` + strings.Join(turns, ",") + `],"title":"A play"}`
	}
	made := s.do("POST", "/script", body("One.", "Two.", "Three.")).object(t)
	joined()
	path := "/scripts/" + made["id"].(string)
	require.Equal(t, false, made["can_undo"])

	a := s.do("PUT", path, body("One.", "Four.", "Three."))
	require.Equal(t, 202, a.StatusCode, a.body)
	answer := a.object(t)
	require.Equal(t, "2 1 1", fmt.Sprint(answer["reused"], " ", answer["generated"], " ", answer["removed"]))
	require.Equal(t, "Four.", answer["turns"].([]any)[1].(map[string]any)["text"])
	joined()
	require.Equal(t, "Four.", s.do("GET", path, "").object(t)["turns"].([]any)[1].(map[string]any)["text"])

	a = s.do("POST", path+"/revise/undo", "")
	require.Equal(t, 200, a.StatusCode, a.body)
	require.Equal(t, "Two.", a.object(t)["turns"].([]any)[1].(map[string]any)["text"])
	a = s.do("POST", path+"/revise/undo", "")
	require.Equal(t, 409, a.StatusCode, a.body)
	require.Equal(t, "nothing_to_undo", a.object(t)["code"])

	require.Equal(t, 422, s.do("PUT", path, `{"turns":[]}`).StatusCode)
	require.Equal(t, 404, s.do("PUT", "/scripts/"+itemID, body("One.")).StatusCode)
	a = s.do("PUT", path, body("One.", strings.Repeat("word ", 220_000)))
	require.Equal(t, 422, a.StatusCode, "a long text is not refused for the size of its body")
}

// TestKeptTurns names the generation that a turn keeps.
func TestKeptTurns(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	body := func(id string) string {
		return s.fill(`{"turns":[{"profile_id":"{profile}","text":"One.","generation_id":"` + id + `"}]}`)
	}
	made := s.do("POST", "/script", s.fill(`{"turns":[{"profile_id":"{profile}","text":"One."},{"profile_id":"{profile}","text":"One."}]}`)).object(t)
	second := made["turns"].([]any)[1].(map[string]any)["id"].(string)
	path := "/scripts/" + made["id"].(string)
	for _, c := range [][2]string{{"PUT", path}, {"POST", "/script"}, {"POST", "/hosted/quote"}} {
		a := s.do(c[0], c[1], body("not-a-uuid"))
		require.Equal(t, 422, a.StatusCode, a.body)
		require.Contains(t, a.body, `"uuid_parsing"`, c)
		require.Contains(t, a.body, `"loc":["body","turns","0","generation_id"]`, c)
	}
	a := s.do("PUT", path, body(strings.ToUpper(second)))
	require.Equal(t, 202, a.StatusCode, a.body)
	require.Equal(t, second, a.object(t)["turns"].([]any)[0].(map[string]any)["id"])
}
