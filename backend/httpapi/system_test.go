package httpapi_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/updates"
)

func TestHealth(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	a := s.do("GET", "/health", "", "-Authorization")
	require.Equal(t, 200, a.StatusCode)
	require.JSONEq(t, `{"status":"ok","version":"1.2.3"}`, a.body)
}

func TestSystem(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	info := s.do("GET", "/system", "").object(t)
	requireShape(t, map[string]string{"os": "string", "arch": "string", "devices": "array", "offline": "boolean"}, info)
	require.Equal(t, "cpu", info["devices"].([]any)[0].(map[string]any)["id"])
	require.Equal(t, []any{map[string]any{
		"name": "espeak-ng", "version": "", "available": false, "install": map[string]any{
			"page": "https://example.org", "packages": []any{map[string]any{"systems": "Arch", "name": "espeak-ng", "command": "pacman -S espeak-ng"}},
		},
	}}, info["libraries"])
	for _, name := range []string{"memory", "disk", "libraries", "encoders"} {
		require.Contains(t, info, name)
	}
}

func TestUpdates(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	require.JSONEq(t, `{"address":""}`, s.do("GET", "/updates", "").body)
	a := s.do("POST", "/updates/check", "")
	require.Equal(t, 404, a.StatusCode)
	require.Equal(t, "updates_not_configured", a.object(t)["code"])

	asked := false
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = true
		_, _ = fmt.Fprintf(w, `{"version":"1.4.0","date":"2026-11-20","page":"http://%s/download","notes":"Faster."}`, r.Host)
	}))
	defer site.Close()
	offline := true
	s = newStudio(t, studioOptions{updates: updates.Options{
		Address: site.URL + "/updates.json", Version: "1.3.0", Offline: func() bool { return offline },
	}})
	require.Equal(t, site.URL+"/updates.json", s.do("GET", "/updates", "").object(t)["address"])
	a = s.do("POST", "/updates/check", "")
	require.Equal(t, 503, a.StatusCode)
	require.Equal(t, "offline", a.object(t)["code"])
	require.False(t, asked)
	offline = false
	a = s.do("POST", "/updates/check", "")
	require.Equal(t, 200, a.StatusCode)
	require.JSONEq(t, fmt.Sprintf(
		`{"current":"1.3.0","status":"newer","version":"1.4.0","date":"2026-11-20","page":"%s/download","notes":"Faster."}`, site.URL), a.body)
	site.Close()
	a = s.do("POST", "/updates/check", "")
	require.Equal(t, 502, a.StatusCode)
	require.Equal(t, "updates_unreachable", a.object(t)["code"])
}

func TestSettings(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	all := s.do("GET", "/settings", "").object(t)
	for key, want := range map[string]string{
		"speech.default_voice": "espeak:en-us", "speech.device": "auto", "models.idle_unload": "10m",
		"api.address": "127.0.0.1:7411", "hosted.base_url": "",
	} {
		require.Equal(t, want, all[key], key)
	}
	a := s.do("PUT", "/settings", `{"hosted.base_url":"http://127.0.0.1:9000","models.idle_unload":"0"}`)
	require.Equal(t, 200, a.StatusCode, a.body)
	all["hosted.base_url"], all["models.idle_unload"] = "http://127.0.0.1:9000", "0"
	require.Equal(t, all, a.object(t), "the others stay")
	require.Equal(t, all, s.do("GET", "/settings?describe=false&unknown=1", "").object(t))
	require.Equal(t, 200, s.do("PUT", "/settings", `{}`).StatusCode)

	for body, has := range map[string][]string{
		`{"no.such":"x"}`:                                    {`"loc":["body","no.such"]`},
		`{"models.idle_unload":"soon"}`:                      {`"loc":["body","models.idle_unload"]`},
		`{"models.idle_unload":10}`:                          {`"loc":["body","models.idle_unload"]`, `"type":"string_type"`},
		`{"network.offline":"true"}`:                         {`"loc":["body","network.offline"]`, `"type":"bool_type"`},
		`{"api.allow_hosts":"http://a.example"}`:             {`"loc":["body","api.allow_hosts"]`, `"type":"value_error"`},
		`{"speech.device":"tpu"}`:                            {`"loc":["body","speech.device"]`, `"type":"enum"`},
		`{"hosted.base_url":"x","speech.default_voice":"x"}`: {`"loc":["body","hosted.base_url"]`, `"loc":["body","speech.default_voice"]`},
		`{"hosted.base_url":"\ud800"}`:                       {`"type":"string_unicode"`},
		`[]`:                                                 {`"loc":["body"]`},
		``:                                                   {`"loc":["body"]`, `"type":"missing"`},
		`{"models.idle_unload":"1m","no.such":1}`:            {`"loc":["body","no.such"]`},
	} {
		a := s.do("PUT", "/settings", body)
		require.Equal(t, 422, a.StatusCode, body)
		requireInvalidOrProblem(t, a)
		for _, part := range has {
			require.Contains(t, a.body, part, body)
		}
	}
	require.Equal(t, all, s.do("GET", "/settings", "").object(t), "nothing is stored when one value is wrong")
	require.Equal(t, 413, s.do("PUT", "/settings", `{"hosted.base_url":"`+strings.Repeat("a", 2_000_000)+`"}`).StatusCode)
	require.Equal(t, 422, s.do("GET", "/settings?describe=maybe", "").StatusCode)

	described := s.do("GET", "/settings?describe=true", "").object(t)
	require.Len(t, described, len(all))
	for key, about := range described {
		o := object(about.(map[string]any))
		kind := "string"
		if o["type"] == "boolean" || o["type"] == "number" {
			kind = o["type"].(string)
		}
		requireShape(t, map[string]string{"value": kind, "type": "string", "default": kind, "range": "string"}, o)
		require.Equal(t, all[key], o["value"])
	}
}

func TestModels(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	a := s.do("GET", "/models/status", "")
	require.Equal(t, 200, a.StatusCode)
	require.JSONEq(t, `{"models":[]}`, a.body)
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "voice.tone"), []byte("tone"), 0o600))
	shape := map[string]string{
		"model_name": "string", "display_name": "string", "engine": "string", "downloaded": "boolean", "size_mb": "integer",
		"loaded": "boolean", "family": "string", "languages": "array", "license": "object", "voices": "integer",
		"cloning": "boolean", "error": "null", "last_used_at": "null", "idle_unload_at": "null",
	}
	a = s.do("POST", "/models/import", fmt.Sprintf(`{"path":%q,"engine":"tone","name":"mine"}`, folder))
	require.Equal(t, 201, a.StatusCode, a.body)
	entry := a.object(t)
	requireShape(t, shape, entry)
	require.Equal(t, "mine", entry["model_name"])
	require.Equal(t, true, entry["downloaded"])
	require.Equal(t, "1", fmt.Sprint(entry["size_mb"]), "rounded up")
	require.FileExists(t, filepath.Join(folder, "voice.tone"), "the original stays")

	var list struct {
		Models []object `json:"models"`
	}
	decode(t, s.do("GET", "/models/status", "").body, &list)
	require.Len(t, list.Models, 1)
	requireShape(t, shape, list.Models[0])
	require.Equal(t, 200, s.do("POST", "/generate", s.fill(`{"profile_id":"{profile}","text":"Hello.","voice":"mine:high"}`)).StatusCode)
	decode(t, s.do("GET", "/models/status", "").body, &list)
	require.Equal(t, true, list.Models[0]["loaded"])
	requireUTC(t, list.Models[0]["last_used_at"])

	empty := t.TempDir()
	for body, want := range map[string]struct {
		status int
		has    string
	}{
		`{}`:                              {422, `"loc":["body","path"]`},
		`{"path":""}`:                     {422, `"loc":["body","path"]`},
		`{"path":5}`:                      {422, `"loc":["body","path"]`},
		`{"path":"/no/such/folder"}`:      {422, `"loc":["body","path"]`},
		fmt.Sprintf(`{"path":%q}`, empty): {409, `"code":"model_corrupt"`},
		fmt.Sprintf(`{"path":%q,"name":"mine"}`, folder):   {409, `"code":"name_taken"`},
		fmt.Sprintf(`{"path":%q,"name":"MINE"}`, folder):   {422, `"loc":["body","name"]`},
		fmt.Sprintf(`{"path":%q,"name":"status"}`, folder): {422, `"loc":["body","name"]`},
		fmt.Sprintf(`{"path":%q,"engine":"x"}`, folder):    {422, `"loc":["body","engine"]`},
	} {
		a := s.do("POST", "/models/import", body)
		require.Equal(t, want.status, a.StatusCode, "%s: %s", body, a.body)
		require.Contains(t, a.body, want.has, body)
	}
}

// listen opens the stream of all events; next waits for an event. No later event is missed.
func (s *studio) listen() (next func() (name, data string)) {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.srv.URL+"/events", nil)
	require.NoError(s.t, err)
	req.Header.Set("Authorization", "Bearer "+token)
	resp, err := s.client.Do(req)
	require.NoError(s.t, err)
	s.t.Cleanup(func() { _ = resp.Body.Close() })
	require.Equal(s.t, "text/event-stream", resp.Header.Get("Content-Type"))
	lines := bufio.NewScanner(resp.Body)
	require.True(s.t, lines.Scan()) // the comment that opens it
	return func() (name, data string) {
		s.t.Helper()
		for lines.Scan() {
			if value, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				data = value
				require.True(s.t, json.Valid([]byte(data)), data)
			}
			if value, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
				name = value
			}
			if lines.Text() == "" && name != "" {
				return name, data
			}
		}
		require.Fail(s.t, "the stream ended", "%v", lines.Err())
		return "", ""
	}
}

// TestEvents reads what the stream of the UI says about changes of all kinds.
func TestEvents(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	next := s.listen()
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.do("PUT", "/settings", `{"models.idle_unload":"5m"}`)
		s.importTones()
		s.create(`{"name":"New"}`)
		s.draft(`{"content":{}}`)
		s.word("lemma", "lemm ah", "")
		s.script()
		s.speak("Hello.", "")
		s.do("PUT", "/settings", `{"models.idle_unload":"6m"}`)
	}()
	seen := map[string]int{}
	for seen["settings"] < 2 {
		name, _ := next()
		seen[name]++
	}
	for _, name := range []string{"model", "profile", "draft", "pronunciation", "script", "generation"} {
		require.Positive(t, seen[name], "%s in %v", name, seen)
	}
	<-done
}

// TestOpenAPI compares the document from which the types of the page are generated; -update writes it.
func TestOpenAPI(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	a := s.do("GET", "/openapi.json", "")
	require.Equal(t, 200, a.StatusCode)
	var doc object
	require.NoError(t, json.Unmarshal([]byte(a.body), &doc))
	for path, methods := range doc["paths"].(map[string]any) {
		for method, op := range methods.(map[string]any) {
			parameters := fmt.Sprint(op.(map[string]any)["parameters"])
			for _, m := range regexp.MustCompile(`\{(\w+)\}`).FindAllStringSubmatch(path, -1) {
				require.Contains(t, parameters, "name:"+m[1], "%s %s reads its path", method, path)
			}
		}
	}
	pretty, err := json.MarshalIndent(doc, "", "  ")
	require.NoError(t, err)
	golden(t, "openapi.json", string(pretty)+"\n")
}
