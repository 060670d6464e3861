package api_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
)

// Every error of the service becomes its status, code and headers, on every route that calls the service.
func TestErrors(t *testing.T) {
	t.Parallel()
	answer := func(status int, code service.Code, after time.Duration) error {
		return &service.Error{Status: status, Code: code, RetryAfter: after, Sentence: "What happened. What to do.", Cause: errors.New("cause")}
	}
	cases := []struct {
		name  string
		err   error
		want  int
		code  string
		after string
	}{
		{"too long", answer(400, service.CodeTextTooLong, 0), 400, "TEXT_TOO_LONG", ""},
		{"no code", answer(400, "", 0), 400, "", ""},
		{"credits", answer(402, service.CodeNoCredits, 0), 402, "INSUFFICIENT_CREDITS", ""},
		{"paid", answer(403, service.CodePaidAccess, 0), 403, "PAID_ACCESS_REQUIRED", ""},
		{"not found", answer(404, "", 0), 404, "", ""},
		{"duplicate", answer(409, service.CodeDuplicate, 0), 409, "DUPLICATE_REQUEST", ""},
		{"gone", answer(410, "", 0), 410, "", ""},
		{"key limit", answer(409, service.CodeKeyLimitReached, 0), 409, "KEY_LIMIT_REACHED", ""},
		{"rate", answer(429, service.CodeRateLimited, 1500*time.Millisecond), 429, "RATE_LIMITED", "2"},
		{"provider failed", answer(502, "", 0), 502, "", ""},
		{"server busy", answer(503, service.CodeServerBusy, 5*time.Second), 503, "SERVER_BUSY", "5"},
		{"provider busy", fmt.Errorf("wrapped: %w", answer(503, service.CodeProviderBusy, time.Millisecond)), 503, "PROVIDER_BUSY", "1"},
		{"store busy", fmt.Errorf("reserve: %w", service.ErrStoreBusy), 503, "", "2"},
		{"files down", fmt.Errorf("open file: %w", service.ErrFilesDown), 503, "", "2"},
		{"internal", errors.New("secret detail"), 500, "", ""},
		{"cancelled elsewhere", context.Canceled, 500, "", ""},
	}
	f := newFixture()
	document := f.Describe()
	closed := []string{"/health", "/openapi.json", "/metrics", "/.well-known/voicewright", "/api/v1/tts/models", "/api/v1/tts/prices", "/api/v1/user/credits"}
	for _, c := range cases {
		f.stub.fail = c.err
		for _, r := range resources() {
			if slices.Contains(closed, r.path) {
				continue // they call nothing that fails
			}
			w := f.send(r.method, r.path, r.body, "Authorization", "Bearer "+r.bearer)
			requireError(t, w, c.want, c.code)
			require.Equal(t, c.after, w.Header().Get("Retry-After"), c.name)
			require.NotContains(t, w.Body.String(), "secret detail")
			require.NotContains(t, w.Body.String(), "cause")
			if c.want == http.StatusInternalServerError {
				require.Contains(t, w.Body.String(), w.Header().Get("X-Request-Id"))
			}
			requireSchema(t, document, "POST /api/v1/tts/synthesize", 500, w.Body.Bytes())
		}
	}
	require.Contains(t, f.log.String(), "secret detail", "the log has the cause")
}

// Every status of the contract for a route is in the document.
func TestDocumentedStatuses(t *testing.T) {
	t.Parallel()
	document := newFixture().Describe()
	synthesis := "200 400 401 402 403 409 413 429 502 503"
	for operation, statuses := range map[string]string{
		"POST /api/v1/tts/synthesize":                  synthesis,
		"POST /api/v1/tts/synthesize-dialogue":         synthesis,
		"POST /api/v1/tts/enhance":                     "200 400 401 403 413 429 503",
		"POST /api/v1/tts/enhance-dialogue":            "200 400 401 403 413 429 503",
		"GET /api/v1/tts/voices":                       "200 401 403 429 503",
		"GET /api/v1/tts/filters":                      "200 401 403 429 503",
		"GET /api/v1/tts/models":                       "200 401 403 429 503",
		"GET /api/v1/tts/prices":                       "200 401 403 429 503",
		"GET /api/v1/tts/favorites":                    "200 401 403 429 503",
		"POST /api/v1/tts/favorites/toggle":            "200 400 401 403 404 413 429 503",
		"GET /api/v1/user/credits":                     "200 401 403 429 503",
		"GET /api/v1/user/usage":                       "200 400 401 403 429 503",
		"POST /api/v1/user/subscription/check-renewal": "200 401 403 429 503",
		"POST /api/v1/user/api-keys":                   "201 400 401 403 409 413 429 503",
		"GET /api/v1/user/api-keys":                    "200 401 403 429 503",
		"DELETE /api/v1/user/api-keys/{id}":            "200 401 403 404 429 503",
		"GET /files/{name}":                            "200 206 404 410 416 429",
		"GET /previews/{voiceId}.mp3":                  "200 206 404 416 502 503",
		"GET /ready":                                   "200 503",
		"GET /.well-known/voicewright":                 "200 404",
	} {
		method, path, _ := strings.Cut(operation, " ")
		item := document.Paths[path]
		require.NotNil(t, item, path)
		op := item.Get
		switch method {
		case "POST":
			op = item.Post
		case "DELETE":
			op = item.Delete
		}
		require.NotNil(t, op, operation)
		for _, status := range append(strings.Fields(statuses), "500") {
			require.Contains(t, op.Responses, status, operation)
		}
	}
}

// A panic ends one request: 500 with the id of the request, which the log has too, and the next request works.
func TestPanic(t *testing.T) {
	t.Parallel()
	f := newFixture()
	f.stub.panic = "boom"
	w := f.sendWithKey("POST", "/api/v1/tts/synthesize", `{"text":"canary text"}`)
	requireError(t, w, 500, "")
	id := w.Header().Get("X-Request-Id")
	require.Contains(t, w.Body.String(), id)
	require.Contains(t, f.log.String(), id)
	require.Contains(t, f.log.String(), "boom")
	require.NotContains(t, f.log.String(), "canary text")
	f.stub.panic = nil
	require.Equal(t, 200, f.sendWithKey("POST", "/api/v1/tts/synthesize", `{}`).Code)
}

// A client that went away is no failure of the service.
func TestClientGone(t *testing.T) {
	t.Parallel()
	f := newFixture()
	f.stub.fail = errors.New("interrupted")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := httptest.NewRequestWithContext(ctx, "GET", "/api/v1/tts/voices", http.NoBody)
	r.Header.Set("X-API-Key", key)
	w := httptest.NewRecorder()
	f.ServeHTTP(w, r)
	require.Equal(t, 499, w.Code)
	require.NotContains(t, f.log.String(), "ERROR")
}
