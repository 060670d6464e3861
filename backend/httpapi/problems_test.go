package httpapi_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/httpapi"
)

// TestProblemBodies pins status and body of every code of decisions.md section 2.
func TestProblemBodies(t *testing.T) {
	t.Parallel()
	r := start(t, nil)
	var got strings.Builder
	for code, want := range map[string]int{
		"profile_not_found": 404, "generation_not_found": 404, "model_unknown": 404, "transcript_not_found": 404,
		"sample_not_found": 404, "draft_not_found": 404, "pronunciation_not_found": 404, "script_not_found": 404, "draft_changed": 409, "recording_busy": 409, "name_taken": 409, "model_not_downloaded": 409,
		"download_in_progress": 409, "not_in_progress": 409, "license_not_accepted": 409, "engine_mismatch": 409,
		"language_not_supported": 409, "nothing_to_speak": 422, "insufficient_disk": 507, "download_failed": 502,
		"hub_rate_limited": 503, "hub_gated": 403, "checksum_mismatch": 502, "out_of_memory": 507,
		"model_corrupt": 409, "unsupported_gpu": 409, "unsupported_cpu": 409, "engine_failed": 500,
		"runtime_missing": 503, "offline": 503, "queue_full": 503, "cancelled": 499, "unsupported_media": 415,
		"sample_rejected": 422, "audio_missing": 410, "no_audio_device": 503, "data_dir_locked": 409,
		"not_permitted": 507, "unauthorized": 401, "hosted_not_configured": 409, "address_in_use": 500,
		"hosted_not_signed_in": 401, "hosted_unreachable": 502, "hosted_answer_lost": 502, "hosted_link_expired": 410,
		"hosted_confirm": 409, "hosted_voice_not_found": 404, "hosted_bad_answer": 502, "secrets_unavailable": 409,
		"secret_not_found": 404, "hosted_500": 502, "restore_in_progress": 409, "updates_not_configured": 404, "updates_unreachable": 502, "updates_bad_answer": 502,
	} {
		a := r.do("DELETE", "/fail/"+code, "")
		require.Equal(t, want, a.StatusCode, code)
		require.JSONEq(t, fmt.Sprintf(
			`{"detail":"It failed.","code":%q,"remedy":"Mend it.","params":{"need":3},"generation_id":"g1"}`, code), a.body)
	}
	for _, c := range [][2]string{
		{"DELETE", "/fail/plain"},
		{"PATCH", "/panic"},
		{"DELETE", "/fail/busy"},
		{"DELETE", "/fail/hub_rate_limited"},
		{"GET", "/no/such/route"},
		{"PUT", "/health"},
		{"GET", "/stream/" + itemID},
	} {
		a := r.do(c[0], c[1], "")
		fmt.Fprintf(&got, "%s %s: %d retry %q allow %q %s", c[0], c[1], a.StatusCode,
			a.Header.Get("Retry-After"), a.Header.Get("Allow"), a.body)
	}
	a := r.do("GET", "/health", "", "Host: evil.example")
	fmt.Fprintf(&got, "wrong host: %d %s", a.StatusCode, a.body)
	a = r.do("GET", "/health", "", "Origin: http://evil.example")
	fmt.Fprintf(&got, "wrong origin: %d %s", a.StatusCode, a.body)
	a = r.do("GET", "/events", "", "-Authorization")
	fmt.Fprintf(&got, "no token: %d %s", a.StatusCode, a.body)
	golden(t, "problems.txt", got.String())

	require.NotContains(t, got.String(), "secret")
	require.Contains(t, r.log.String(), "request_id=req-1 method=DELETE route=\"DELETE /fail/{code}\"")
	require.Contains(t, r.log.String(), "method=PATCH route=\"PATCH /panic\"")
	require.NotContains(t, r.log.String(), token)
}

// TestStatusOfHostedService: the status of an answer of the hosted service is passed on where it says something to the caller.
func TestStatusOfHostedService(t *testing.T) {
	t.Parallel()
	r := start(t, nil)
	for path, want := range map[string]int{
		"hosted_text_too_long?status=400": 400, "hosted_402?status=402": 402, "hosted_429?status=429": 429, "hosted_451?status=451": 451,
		"hosted_provider_busy?status=503": 503, "hosted_500?status=500": 502, "hosted_502?status=502": 502, "hosted_302?status=302": 502,
		"hosted_bad_answer?status=200": 502, "hosted_not_signed_in?status=401": 401, "hosted_link_expired?status=404": 410,
		"model_unknown?status=402": 404,
	} {
		a := r.do("DELETE", "/fail/"+path+"&retry=7", "")
		require.Equal(t, want, a.StatusCode, path)
		require.Equal(t, "7", a.Header.Get("Retry-After"), path)
	}
}

func TestOpenAPIAndDocs(t *testing.T) {
	t.Parallel()
	r := start(t, nil)
	spec := r.do("GET", "/openapi.json", "")
	require.Equal(t, "application/json", spec.Header.Get("Content-Type"))
	var doc struct {
		OpenAPI    string                               `json:"openapi"`
		Paths      map[string]map[string]map[string]any `json:"paths"`
		Components struct {
			Schemas map[string]any `json:"schemas"`
		} `json:"components"`
	}
	require.NoError(t, json.Unmarshal([]byte(spec.body), &doc))
	require.Equal(t, "3.1.0", doc.OpenAPI)
	for _, path := range []string{"/health", "/events", "/audio/{id}", "/echo"} {
		require.Contains(t, doc.Paths, path)
	}
	require.Contains(t, doc.Paths["/echo"]["post"]["responses"], "422")
	require.Contains(t, doc.Components.Schemas, "ValidationError")
	require.Contains(t, doc.Components.Schemas, "Problem")
	require.NotContains(t, spec.body, "$schema")
	for _, path := range []string{"/openapi.yaml", "/openapi-3.0.json", "/schemas/ValidationError.json"} {
		require.Equal(t, 404, r.do("GET", path, "").StatusCode, path)
	}

	page := r.do("GET", "/docs", "", "-Authorization")
	require.Contains(t, page.Header.Get("Content-Security-Policy"), "default-src 'none'")
	require.Contains(t, page.body, "GET /health")
	require.NotContains(t, page.body, "http://")
	require.NotContains(t, page.body, "https://")
	_, script, ok := strings.Cut(page.body, `<script type="application/json" id="openapi">`)
	require.True(t, ok)
	embedded, _, _ := strings.Cut(script, "</script>")
	require.JSONEq(t, spec.body, embedded)
}

func TestUI(t *testing.T) {
	t.Parallel()
	r := start(t, nil)
	a := r.do("GET", "/", "", "-Authorization")
	require.Contains(t, a.body, "<title>UI</title>")
	require.Contains(t, a.Header.Get("Content-Security-Policy"), "default-src 'self'")
	require.Equal(t, "no-cache", a.Header.Get("Cache-Control"))
	require.Equal(t, "off", a.Header.Get("X-DNS-Prefetch-Control"), "the browser resolves no host of a link")
	a = r.do("GET", "/assets/app.js", "", "-Authorization")
	require.Equal(t, "text/javascript; charset=utf-8", a.Header.Get("Content-Type"))
	require.Contains(t, a.Header.Get("Cache-Control"), "immutable")
	require.Equal(t, 200, r.do("GET", "/studio/new", "", "-Authorization", "Accept: text/html").StatusCode)
	require.Equal(t, 401, r.do("GET", "/studio/new", "", "-Authorization", "Accept: application/json").StatusCode)
	require.Equal(t, 404, r.do("GET", "/assets", "").StatusCode, "folders are not listed")
	require.Equal(t, 404, r.do("GET", "/assets/", "").StatusCode)
	require.Equal(t, 404, r.do("GET", "/%2e%2e/%2e%2e/etc/passwd", "").StatusCode)

	bare := start(t, func(o *httpapi.Options) { o.UI = nil })
	require.Equal(t, 404, bare.do("GET", "/", "").StatusCode)
}

// TestAnswersToLargeWrongRequests are small, whatever and however much is wrong.
func TestAnswersToLargeWrongRequests(t *testing.T) {
	t.Parallel()
	s := newStudio(t, studioOptions{})
	many := func(n int, item func(i int) string) string {
		items := make([]string, n)
		for i := range items {
			items[i] = item(i)
		}
		return strings.Join(items, ",")
	}
	long := strings.Repeat("ü", 250_000)
	for name, c := range map[string]struct{ method, path, body string }{
		"unknown settings":      {"PUT", "/settings", "{" + many(40_000, func(i int) string { return fmt.Sprintf(`"no.such.%d":1`, i) }) + "}"},
		"a long unknown one":    {"PUT", "/settings", `{"` + long + `":1}`},
		"a long value":          {"PUT", "/settings", `{"speech.device":"` + long + `"}`},
		"strings with NUL":      {"POST", "/generate", `{"a":[` + many(100_000, func(int) string { return `"\u0000"` }) + `]}`},
		"a long voice":          {"POST", "/generate", `{"profile_id":"00000000-0000-4000-8000-000000000000","text":"a","voice":"` + long + `"}`},
		"turns":                 {"POST", "/script", `{"turns":[` + many(100_000, func(int) string { return `{"text":1}` }) + `]}`},
		"a long model":          {"POST", "/models/load", `{"model_name":"` + long + `"}`},
		"a long model in a URL": {"GET", "/models/" + strings.Repeat("a", 100_000), ""},
		"a long id":             {"GET", "/history/" + strings.Repeat("a", 100_000), ""},
		"ids":                   {"POST", "/history/favorite", `{"favorite":true,"ids":[` + many(100_000, func(int) string { return `"x"` }) + `]}`},
		"words": {"POST", "/generate", `{"profile_id":"00000000-0000-4000-8000-000000000000","text":"a","pronunciations":{` +
			many(20_000, func(i int) string { return fmt.Sprintf(`"w%d":""`, i) }) + `}}`},
		"speech of OpenAI": {"POST", "/v1/audio/speech", `{"model":"` + long + `","input":"a","voice":"alloy"}`},
	} {
		a := s.do(c.method, c.path, c.body)
		require.GreaterOrEqual(t, a.StatusCode, 400, name)
		require.Less(t, a.StatusCode, 500, name)
		require.Less(t, len(a.body), 64<<10, name)
		require.True(t, utf8.ValidString(a.body), name)
	}
	a := s.do("PUT", "/settings", "{"+many(30, func(i int) string { return fmt.Sprintf(`"no.such.%d":1`, i) })+"}")
	require.Contains(t, a.body, `"msg":"10 more values are wrong","type":"too_many_errors"`)
}
