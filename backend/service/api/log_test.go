package api_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/api"
)

// The log has one line a request and nothing of what a user sent: no text, title, credential, link, path or query.
func TestLog(t *testing.T) {
	t.Parallel()
	f := newFixture()
	body := `{"text":"canary-text","title":"canary-title","voice":"canary-voice","ttsModel":"canary-model"}`
	for _, send := range []func(){
		func() { f.sendWithKey("POST", "/api/v1/tts/synthesize?canary-query=1", body) },
		func() { f.sendWithKey("POST", "/api/v1/tts/enhance", `{"text":1,"canary-field":"canary-text"}`) },
		func() { f.sendWithKey("POST", "/api/v1/tts/enhance", `{"canary-field":1,"canary-field":2}`) },
		func() {
			f.send("POST", "/api/v1/user/api-keys", `{"name":"canary-name"}`, "Authorization", "Bearer "+token)
		},
		func() { f.send("GET", "/api/v1/user/credits", "", "X-API-Key", service.KeyPrefix+"canary-key") },
		func() { f.send("GET", "/api/v1/user/credits", "", "Authorization", "Bearer canary.token") },
		func() { f.send("GET", "/canary-path", "", "X-Request-Id", "canary-id", "User-Agent", "canary-agent") },
		func() { f.send("GET", "/files/"+audioName+"?canary-query=1", "") },
		func() { f.send("GET", "/files/canary-file-name-of-enough-characters.mp3", "") },
		func() { f.sendWithKey("DELETE", "/api/v1/user/api-keys/canary-id", "") },
		func() { f.send("CANARY-METHOD", "/health", "") },
	} {
		send()
	}
	f.stub.fail = &service.Error{Status: 502, Sentence: "The provider failed.", Cause: errors.New("connection reset")}
	f.sendWithKey("POST", "/api/v1/tts/synthesize", body)
	log := f.log.String()
	require.NotContains(t, strings.ToLower(log), "canary")
	for _, secret := range []string{key, token, audioName, service.KeyPrefix} {
		require.NotContains(t, log, secret)
	}
	require.Contains(t, log, "connection reset")
	lines := strings.Split(strings.TrimSpace(log), "\n")
	require.Len(t, lines, 12)
	for _, line := range lines {
		var entry map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &entry))
		require.NotEmpty(t, entry["request_id"])
		require.NotEmpty(t, entry["route"])
		require.NotZero(t, entry["status"])
		require.Contains(t, entry, "duration_ms")
		known := strings.Contains(line, "/api/") && entry["status"] != 401.0
		require.Equal(t, known, entry["account"] == account.LogID(), line)
		require.Equal(t, known, entry["account"] != nil, line)
	}
	require.NotContains(t, log, account.Subject)
}

// Metrics count requests by route and status and what happened to credits. No label has anything of a user.
func TestMetrics(t *testing.T) {
	t.Parallel()
	m := api.NewMetrics()
	f := newFixture(func(o *api.Options) { o.Metrics = m })
	f.sendWithKey("GET", "/api/v1/tts/voices?x=canary", "")
	f.send("GET", "/api/v1/tts/voices", "")
	f.send("GET", "/canary", "")
	f.send("CANARY", "/health", "")
	f.send("GET", "/files/canary", "")
	m.Reserved()
	m.Reserved()
	m.Reserved()
	m.Reserved()
	event := service.SynthesisEvent{Provider: service.ProviderB, Status: 200, Credits: 30, Characters: 12, Took: time.Second}
	m.Synthesis(event)
	event.Status = 503
	m.Synthesis(event)
	event.Status, event.Cancelled = 500, true
	m.Synthesis(event)
	m.Enhancement(true)
	m.Repaired(2)
	w := f.send("GET", "/metrics", "")
	require.Equal(t, 200, w.Code)
	text := w.Body.String()
	for _, line := range []string{
		`voicewright_requests_total{route="GET /api/v1/tts/voices",status="200"} 1`,
		`voicewright_requests_total{route="GET /api/v1/tts/voices",status="401"} 1`,
		`voicewright_requests_total{route="unknown",status="404"} 1`,
		`voicewright_requests_total{route="/health",status="405"} 1`,
		`voicewright_requests_total{route="GET /files/{name}",status="404"} 1`,
		`voicewright_request_seconds_count{route="GET /api/v1/tts/voices"} 2`,
		`voicewright_syntheses_total{outcome="charged",provider="ProviderB"} 1`,
		`voicewright_syntheses_total{outcome="busy",provider="ProviderB"} 1`,
		`voicewright_syntheses_total{outcome="cancelled",provider="ProviderB"} 1`,
		`voicewright_credits_total{movement="charged",provider="ProviderB"} 30`,
		`voicewright_credits_total{movement="refunded",provider="ProviderB"} 60`,
		`voicewright_characters_total{provider="ProviderB"} 12`,
		`voicewright_reservations_held 1`,
		`voicewright_enhancements_total{outcome="fallback"} 1`,
		`voicewright_repaired_total 2`,
	} {
		require.Contains(t, text, line+"\n")
	}
	require.NotRegexp(t, regexp.MustCompile(`(?i)canary`), text)

	var none *api.Metrics // a service without --metrics
	none.Reserved()
	none.Synthesis(event)
	none.Enhancement(false)
	none.Repaired(1)
	require.Equal(t, http.StatusNotFound, newFixture(func(o *api.Options) { o.Metrics = nil }).send("GET", "/metrics", "").Code)
}
