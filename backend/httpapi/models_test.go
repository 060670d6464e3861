package httpapi_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/httpapi"
	"github.com/voicewright/voicewright/backend/hub/hubtest"
	"github.com/voicewright/voicewright/backend/models/registry"
)

const tonesRepo = "acme/tones"

var tonesFile = bytes.Repeat([]byte("tone"), 1<<20) // 4 MB and a bit

// hubStudio returns a studio with a hub that has two models of the tone engine, one with a licence that must be accepted, and
// a model whose repository does not exist.
func hubStudio(t *testing.T) (*studio, *hubtest.Server) {
	t.Helper()
	server := hubtest.Start(hubtest.Repo{ID: tonesRepo, Files: map[string]hubtest.Content{
		"voice.tone": hubtest.Bytes(tonesFile), "owned/voice.tone": hubtest.Bytes([]byte("other")),
		"mixed/voice.tone": hubtest.Bytes([]byte("mixed")),
	}})
	t.Cleanup(server.Close)
	owned := tonesEntry(server, "owned", "owned/voice.tone", 5)
	owned.License = registry.License{Name: "Tone Licence", URL: "https://example.com/licence", AcceptRequired: true}
	missing := tonesEntry(server, "gone", "voice.tone", int64(len(tonesFile)))
	missing.Variants[0].Files[0].Repo = "acme/gone"
	known := []registry.Entry{tonesEntry(server, "tones", "voice.tone", int64(len(tonesFile))), owned, missing}
	return newStudio(t, studioOptions{hub: server, known: known}), server
}

func tonesEntry(server *hubtest.Server, name, path string, bytes int64) registry.Entry {
	return registry.Entry{
		Name: name, DisplayName: "Tones " + name, Engine: "tone", Key: name, Family: registry.Speech, Languages: []string{"en"},
		License: registry.License{Name: "CC0"}, SampleRate: 8000,
		Voices: []registry.Voice{{ID: "low", Name: "Low", Language: "en-GB", Gender: "male"}, {ID: "high", Name: "High", Language: "en"}},
		Variants: []registry.Variant{{Name: "fp32", MemoryMB: 20, Files: []registry.File{{
			Repo: tonesRepo, Revision: hubtest.CommitOf(tonesRepo), Path: path, Bytes: bytes, SHA256: server.SHA256(tonesRepo, path),
			Role: "graph", Pinned: true,
		}}}},
	}
}

func (s *studio) state(t *testing.T, name string) object {
	t.Helper()
	return s.do("GET", "/models/"+name, "").object(t)
}

func (s *studio) download(t *testing.T, name string) {
	t.Helper()
	w := s.watch(t, name)
	a := s.do("POST", "/models/download", fmt.Sprintf(`{"model_name":%q,"accept_license":true}`, name))
	require.Contains(t, []int{200, 202}, a.StatusCode, a.body)
	requireProgress(t, w.readAll(), "complete")
}

func TestModelEntry(t *testing.T) {
	t.Parallel()
	s, _ := hubStudio(t)
	shape := map[string]string{
		"model_name": "string", "display_name": "string", "engine": "string", "downloaded": "boolean", "size_mb": "integer",
		"loaded": "boolean", "family": "string", "variant": "string", "repo_id": "string", "revision": "string",
		"languages": "array", "license": "object", "voices": "integer", "cloning": "boolean", "memory_mb": "object",
		"fits": "string", "device": "string", "downloading": "null", "partial_mb": "integer", "error": "null",
		"last_used_at": "null", "rtf": "null", "shape": "null", "default": "boolean", "idle_unload_at": "null",
		"supported": "boolean", "mixes": "boolean", "steps": "boolean", "multilingual": "boolean",
		"language_notes": "object", "espeak_languages": "array",
		"device_requested": "string", "device_warning": "null",
	}
	var list struct{ Models []object }
	decode(t, s.do("GET", "/models/status", "").body, &list)
	require.Len(t, list.Models, 3)
	for _, m := range list.Models {
		requireShape(t, shape, m)
		one := s.state(t, m["model_name"].(string))
		require.Equal(t, []any{
			map[string]any{"id": "low", "name": "Low", "language": "en-GB", "gender": "male", "usable": true, "reason": ""},
			map[string]any{"id": "high", "name": "High", "language": "en", "gender": "", "usable": true, "reason": ""},
		}, one["voices_list"])
		require.Len(t, one["files"], 1)
		delete(one, "voices_list")
		delete(one, "files")
		require.Equal(t, m, one)
	}
	m := list.Models[0]
	require.Equal(t, "true true true false", fmt.Sprint(m["supported"], " ", m["mixes"], " ", m["steps"], " ", m["multilingual"]))
	require.Equal(t, false, m["downloaded"])
	require.Equal(t, "5", fmt.Sprint(m["size_mb"]), "4.19 MB are rounded up")
	require.Equal(t, tonesRepo, m["repo_id"])
	require.Equal(t, hubtest.CommitOf(tonesRepo), m["revision"])
	require.Equal(t, "yes", m["fits"])
	require.Equal(t, "20", fmt.Sprint(m["memory_mb"].(map[string]any)["estimate"]))
	require.Nil(t, m["memory_mb"].(map[string]any)["measured"])
}

// TestModelLife takes a model through the states of model-server.md.
func TestModelLife(t *testing.T) {
	t.Parallel()
	s, server := hubStudio(t)
	s.play(t, []scenario{
		{"load before download", "POST", "/models/load", `{"model_name":"tones"}`, nil, 409, []string{`"code":"model_not_downloaded"`}, nil},
		{"verify before download", "POST", "/models/tones/verify", "", nil, 409, []string{`"code":"model_not_downloaded"`}, nil},
		{"unload of what is not loaded", "POST", "/models/unload", `{"model_name":"tones"}`, nil, 200, []string{`"model_name":"tones"`, `"loaded":false`, `"freed_mb":0`}, nil},
		{"pause of nothing", "POST", "/models/tones/pause", "", nil, 409, []string{`"code":"not_in_progress"`}, nil},
		{"resume of nothing", "POST", "/models/tones/resume", "", nil, 409, []string{`"code":"not_in_progress"`}, nil},
		{"cancel of nothing", "POST", "/models/tones/cancel", "", nil, 409, []string{`"code":"not_in_progress"`}, nil},
	})
	w := s.watch(t, "tones")
	first, _ := w.next()
	require.Equal(t, "idle", first.Status, "a stream may be opened before the download")
	require.EqualValues(t, len(tonesFile), *first.Total)
	a := s.do("POST", "/models/download", `{"model_name":"tones"}`)
	require.Equal(t, 202, a.StatusCode)
	begun := a.object(t)
	require.Equal(t, []string{"model_name", "progress_url", "status"}, names(begun))
	require.Equal(t, "/models/progress/tones", begun["progress_url"])
	last := requireProgress(t, w.readAll(), "complete")
	require.EqualValues(t, len(tonesFile), *last.Current, "it reaches the bytes of all files")
	require.Equal(t, *last.Total, *last.Current)

	late := requireProgress(t, s.watch(t, "tones").readAll(), "complete")
	require.Equal(t, last, late, "a late reader gets the final state and the end")
	a = s.do("POST", "/models/download", `{"model_name":"tones"}`)
	require.Equal(t, 200, a.StatusCode)
	require.JSONEq(t, `{"model_name":"tones","status":"complete","progress_url":"/models/progress/tones"}`, a.body)

	a = s.do("POST", "/models/load", `{"model_name":"tones"}`)
	require.Equal(t, 200, a.StatusCode, a.body)
	loaded := a.object(t)
	require.Equal(t, []string{"device", "device_warning", "load_ms", "loaded", "memory_mb", "model_name"}, names(loaded))
	require.Equal(t, true, loaded["loaded"])
	require.Len(t, s.do("GET", "/models/loaded", "").items(t), 1)
	require.Equal(t, "loaded", s.state(t, "tones")["state"])
	a = s.do("POST", "/models/unload?force=true", `{"model_name":"tones"}`)
	require.Equal(t, []string{"freed_mb", "loaded", "model_name"}, names(a.object(t)))
	require.Equal(t, false, s.state(t, "tones")["loaded"])

	whole := s.do("POST", "/models/tones/verify", "").object(t)
	require.Equal(t, true, whole["ok"])
	require.Equal(t, fmt.Sprint(len(tonesFile)), fmt.Sprint(whole["bytes"]))
	a = s.do("DELETE", "/models/tones?force=false", "")
	require.Equal(t, 200, a.StatusCode, a.body)
	require.JSONEq(t, `{"model_name":"tones","downloaded":false,"freed_mb":5}`, a.body)
	require.Equal(t, false, s.state(t, "tones")["downloaded"])
	require.EqualValues(t, len(tonesFile), server.Bytes("voice.tone"), "each byte was fetched once")
	require.Len(t, s.do("GET", "/profiles?voice_type=preset", "").items(t), 2, "the profiles stay")
}

func names(o object) []string {
	var out []string
	for name := range o {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

func TestModelErrors(t *testing.T) {
	t.Parallel()
	s, _ := hubStudio(t)
	s.play(t, []scenario{
		{"unknown", "GET", "/models/none", "", nil, 404, []string{`"code":"model_unknown"`}, nil},
		{"unknown progress", "GET", "/models/progress/none", "", nil, 404, []string{`"code":"model_unknown"`}, nil},
		{"unknown download", "POST", "/models/download", `{"model_name":"none"}`, nil, 404, []string{`"code":"model_unknown"`}, nil},
		{"unknown load", "POST", "/models/load", `{"model_name":"none"}`, nil, 404, []string{`"code":"model_unknown"`}, nil},
		{"unknown unload", "POST", "/models/unload", `{"model_name":"none"}`, nil, 404, []string{`"code":"model_unknown"`}, nil},
		{"unknown delete", "DELETE", "/models/none", "", nil, 404, []string{`"code":"model_unknown"`}, nil},
		{"unknown verify", "POST", "/models/none/verify", "", nil, 404, []string{`"code":"model_unknown"`}, nil},
		{"unknown pause", "POST", "/models/none/pause", "", nil, 404, []string{`"code":"model_unknown"`}, nil},
		{"no name", "POST", "/models/download", `{}`, nil, 422, []string{`"loc":["body","model_name"]`, `"type":"missing"`}, nil},
		{"a number", "POST", "/models/load", `{"model_name":7}`, nil, 422, []string{`"type":"string_type"`}, nil},
		{"empty", "POST", "/models/unload", `{"model_name":""}`, nil, 422, []string{`"type":"string_too_short"`}, nil},
		{"no body", "POST", "/models/download", "", nil, 422, []string{`"loc":["body"]`}, nil},
		{"wrong force", "DELETE", "/models/tones?force=perhaps", "", nil, 422, []string{`"loc":["query","force"]`}, nil},
		{"reserved words win", "GET", "/models/status", "", nil, 200, []string{`"models":[`}, nil},
		{"no such method", "PUT", "/models/tones", "", nil, 405, nil, nil},
		{
			"licence, download", "POST", "/models/download", `{"model_name":"owned"}`, nil, 409,
			[]string{`"code":"license_not_accepted"`, `https://example.com/licence`, `accept_license`},
			nil,
		},
		{"licence, load", "POST", "/models/load", `{"model_name":"owned"}`, nil, 409, []string{`"code":"license_not_accepted"`}, nil},
		{
			"licence, speak", "POST", "/generate", `{"profile_id":"{profile}","text":"Hello.","voice":"owned:low"}`, nil, 409,
			[]string{`"code":"license_not_accepted"`, `"generation_id"`},
			nil,
		},
	})
	require.Equal(t, false, s.state(t, "owned")["license"].(map[string]any)["accepted"])
}

func TestAcceptLicense(t *testing.T) {
	t.Parallel()
	s, _ := hubStudio(t)
	a := s.do("POST", "/generate", s.fill(`{"profile_id":"{profile}","text":"Hello.","voice":"owned:low","accept_license":true}`))
	require.Equal(t, 200, a.StatusCode, a.body)
	require.Equal(t, "tone", a.object(t)["engine"])
	owned := s.state(t, "owned")
	require.Equal(t, true, owned["downloaded"])
	require.Equal(t, true, owned["license"].(map[string]any)["accepted"])
	require.Equal(t, 200, s.do("POST", "/models/load", `{"model_name":"owned"}`).StatusCode)

	s, _ = hubStudio(t)
	s.download(t, "owned")
	require.Equal(t, true, s.state(t, "owned")["license"].(map[string]any)["accepted"])
}

func TestDamagedModel(t *testing.T) {
	t.Parallel()
	s, server := hubStudio(t)
	s.download(t, "tones")
	blobs, err := filepath.Glob(filepath.Join(s.models, "models--acme--tones", "blobs", "*"))
	require.NoError(t, err)
	require.Len(t, blobs, 1)
	damaged := bytes.Clone(tonesFile)
	damaged[7] ^= 1
	require.NoError(t, os.Chmod(blobs[0], 0o600))
	require.NoError(t, os.WriteFile(blobs[0], damaged, 0o600))
	o := s.do("POST", "/models/tones/verify", "").object(t)
	require.Equal(t, false, o["ok"])
	require.Equal(t, "model_corrupt", o["error"].(map[string]any)["code"])
	require.Equal(t, "broken", s.state(t, "tones")["state"])
	require.Equal(t, false, s.state(t, "tones")["downloaded"])
	s.downloadAgain(t, "tones")
	require.Equal(t, true, s.do("POST", "/models/tones/verify", "").object(t)["ok"])
	require.EqualValues(t, 2*len(tonesFile), server.Bytes("voice.tone"))
}

func TestRegister(t *testing.T) {
	t.Parallel()
	s, server := hubStudio(t)
	entry := tonesEntry(server, "mine", "owned/voice.tone", 5)
	body, err := json.Marshal(entry)
	require.NoError(t, err)
	a := s.do("POST", "/models/register", string(body))
	require.Equal(t, 201, a.StatusCode, a.body)
	require.Equal(t, "mine", a.object(t)["model_name"])
	require.Equal(t, false, a.object(t)["downloaded"])
	s.download(t, "mine")
	broken := strings.Replace(string(body), `"sample_rate":8000`, `"sample_rate":8`, 1)
	s.play(t, []scenario{
		{"taken", "POST", "/models/register", string(body), nil, 409, []string{`"code":"name_taken"`}, nil},
		{"known", "POST", "/models/register", strings.Replace(string(body), `"mine"`, `"tones"`, 1), nil, 409, []string{`"code":"name_taken"`}, nil},
		{"nothing", "POST", "/models/register", `{}`, nil, 422, []string{`"loc":["body","model_name"]`, `"type":"missing"`}, nil},
		{"wrong", "POST", "/models/register", strings.Replace(broken, `"mine"`, `"other"`, 1), nil, 422, []string{`"loc":["body","sample_rate"]`}, nil},
		{"wrong type", "POST", "/models/register", `{"model_name":"other","variants":7}`, nil, 422, []string{`"loc":["body","variants"]`}, nil},
		{"route word", "POST", "/models/register", strings.Replace(string(body), `"mine"`, `"status"`, 1), nil, 422, []string{`"loc":["body","model_name"]`}, nil},
		{"no key", "POST", "/models/register", `{"catalogue":"piper"}`, nil, 422, []string{`"loc":["body","key"]`}, nil},
		{"no text", "POST", "/models/register", `{"catalogue":"piper","key":5}`, nil, 422, []string{`"type":"string_type"`}, nil},
		{"other catalogue", "POST", "/models/register", `{"catalogue":"cars","key":"x"}`, nil, 422, []string{`"loc":["body","catalogue"]`}, nil},
		{"not an object", "POST", "/models/register", `[]`, nil, 422, []string{`"loc":["body"]`}, nil},
	})
}

// TestUnusableVoices hides the profiles of voices that this build cannot speak, unless they are asked for.
func TestUnusableVoices(t *testing.T) {
	t.Parallel()
	s, server := hubStudio(t)
	entry := tonesEntry(server, "mixed", "mixed/voice.tone", 5)
	entry.Voices[1].Usable, entry.Voices[1].Reason = new(false), "This build has no phonemes for it."
	body, err := json.Marshal(entry)
	require.NoError(t, err)
	require.Equal(t, 201, s.do("POST", "/models/register", string(body)).StatusCode)
	s.download(t, "mixed")
	require.Len(t, s.do("GET", "/profiles?voice_type=preset", "").items(t), 1)
	all := s.do("GET", "/profiles?voice_type=preset&usable=all", "").items(t)
	require.Len(t, all, 2)
	require.Equal(t, false, all[0]["usable"])
	require.Equal(t, "This build has no phonemes for it.", all[0]["reason"])
	require.Equal(t, 422, s.do("GET", "/profiles?usable=perhaps", "").StatusCode)
}

func TestCatalogue(t *testing.T) {
	t.Parallel()
	s, server := hubStudio(t)
	raw, err := os.ReadFile(filepath.Join("..", "models", "registry", "testdata", "voices.json"))
	require.NoError(t, err)
	server.Add(hubtest.Repo{ID: registry.PiperRepo, Files: map[string]hubtest.Content{registry.PiperVoices: hubtest.Bytes(raw)}})
	a := s.do("GET", "/models/catalogue?engine=piper&search=lessac&language=en", "")
	require.Equal(t, 200, a.StatusCode, a.body)
	list := a.object(t)
	requireShape(t, map[string]string{"items": "array", "total": "integer"}, list)
	require.Len(t, list["items"], 1)
	item := object(list["items"].([]any)[0].(map[string]any))
	require.Equal(t, []string{"key", "language", "license", "name", "quality", "registered", "size_mb", "speakers"}, names(item))
	require.Equal(t, false, item["registered"])
	require.JSONEq(t, `{"items":[],"total":0,"next_cursor":null}`, s.do("GET", "/models/catalogue?search=nothing", "").body)
	require.Equal(t, 422, s.do("GET", "/models/catalogue?engine=cars", "").StatusCode)

	a = s.do("POST", "/models/register", `{"catalogue":"piper","key":"en_US-lessac-medium"}`)
	require.Equal(t, 201, a.StatusCode, a.body)
	require.Equal(t, "piper-en_US-lessac-medium", a.object(t)["model_name"])
	require.Equal(t, "piper", s.state(t, "piper-en_US-lessac-medium")["engine"])
	require.Contains(t, s.do("GET", "/models/catalogue?search=lessac", "").body, `"registered":true`)
	a = s.do("POST", "/models/register", `{"catalogue":"piper","key":"none"}`)
	require.Equal(t, 422, a.StatusCode)
	require.Contains(t, a.body, `"loc":["body","key"]`)
}

func TestVoiceSample(t *testing.T) {
	t.Parallel()
	s, _ := hubStudio(t)
	for path, code := range map[string]string{"tones/voices/low": "sample_unavailable", "none/voices/low": "model_unknown"} {
		a := s.do("GET", "/models/"+path+"/sample", "")
		require.Equal(t, 404, a.StatusCode)
		require.Equal(t, code, a.object(t)["code"])
	}
}

func TestModelsDirectory(t *testing.T) {
	t.Parallel()
	s, _ := hubStudio(t)
	s.download(t, "tones")
	d := s.do("GET", "/models/directory", "").object(t)
	require.Equal(t, []string{"adopting", "free_bytes", "moved_bytes", "moving", "path", "used_bytes"}, names(d))
	require.Equal(t, s.models, d["path"])
	to := filepath.Join(t.TempDir(), "elsewhere")
	a := s.do("PUT", "/models/directory", fmt.Sprintf(`{"path":%q}`, to))
	require.Equal(t, 200, a.StatusCode, a.body)
	require.Equal(t, to, a.object(t)["path"])
	require.Equal(t, to, s.do("GET", "/settings", "").object(t)["models.directory"])
	require.Equal(t, true, s.state(t, "tones")["downloaded"])
	require.Equal(t, 200, s.do("POST", "/models/load", `{"model_name":"tones"}`).StatusCode)
	require.NoDirExists(t, s.models)
	for _, path := range []string{"relative", to, filepath.Join(to, "below"), ""} {
		a := s.do("PUT", "/models/directory", fmt.Sprintf(`{"path":%q}`, path))
		require.Equal(t, 422, a.StatusCode, path)
		require.Contains(t, a.body, `"loc":["body","path"]`)
	}
	adopt := t.TempDir()
	put := func(query string) answer {
		return s.do("PUT", "/models/directory", fmt.Sprintf(`{"path":%q%s}`, adopt, query))
	}
	require.Contains(t, put(`,"adopt":true`).body, `"path_no_models"`)
	require.NoError(t, os.MkdirAll(filepath.Join(adopt, "models--acme--tones", "blobs"), 0o700))
	a = put("")
	require.Equal(t, 422, a.StatusCode)
	require.Contains(t, a.body, `"type":"path_not_empty","ctx":{"adopt":true}`)
	a = put(`,"adopt":true`)
	require.Equal(t, 200, a.StatusCode, a.body)
	require.Equal(t, adopt, s.do("GET", "/settings", "").object(t)["models.directory"])
	require.Equal(t, false, s.state(t, "tones")["downloaded"])
	require.DirExists(t, to)
}

// BenchmarkStatus measures GET /models/status with 300 models, from outside.
func BenchmarkStatus(b *testing.B) {
	server := hubtest.Start(hubtest.Repo{ID: tonesRepo, Files: map[string]hubtest.Content{"voice.tone": hubtest.Bytes(tonesFile)}})
	b.Cleanup(server.Close)
	known := make([]registry.Entry, 300)
	for i := range known {
		known[i] = tonesEntry(server, fmt.Sprintf("tones-%d", i), "voice.tone", int64(len(tonesFile)))
	}
	s := newStudio(b, studioOptions{hub: server, known: known})
	var times []time.Duration
	for b.Loop() {
		start := time.Now()
		a := s.do("GET", "/models/status", "")
		times = append(times, time.Since(start))
		require.Equal(b, 200, a.StatusCode)
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[95*(len(times)-1)/100].Microseconds())/1000, "p95-ms")
}

func TestLocalPath(t *testing.T) {
	t.Parallel()
	drive := "/C:/m/x.bin"
	if runtime.GOOS == "windows" {
		drive = `C:\m\x.bin`
	}
	for path, want := range map[string]string{
		"/m/x.bin": "/m/x.bin", `C:\m\x.bin`: `C:\m\x.bin`, "x.bin": "x.bin", "/m/50%.bin": "/m/50%.bin",
		"file:///m/a%20b.bin": "/m/a b.bin", "file://localhost/m/x.bin": "/m/x.bin", "FILE://LocalHost/m/x.bin": "/m/x.bin",
		"file:/m/x.bin": "/m/x.bin", "file:///C:/m/x.bin": drive,
	} {
		got, err := httpapi.LocalPath(path)
		require.NoError(t, err, path)
		require.Equal(t, want, got, path)
	}
	for _, path := range []string{"file://server/m/x.bin", "file://C:/m/x.bin", "file://server"} {
		_, err := httpapi.LocalPath(path)
		var invalid *backend.ValidationError
		require.ErrorAs(t, err, &invalid, path)
		require.Equal(t, []string{"body", "path"}, invalid.Fields[0].Loc, path)
	}
}
