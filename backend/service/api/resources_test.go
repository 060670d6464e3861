package api_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/stretchr/testify/require"
)

// resource is one successful request of a route.
type resource struct {
	operation, method, path, body, bearer string
	status                                int
	answer                                string // empty: not JSON, or shown elsewhere
}

const (
	result    = `{"url":"https://voices.example/files/` + audioName + `","remainingCredits":990,"projectCreated":true}`
	oneVoice  = `{"id":"` + voiceID + `","name":"Alba","gender":"female","provider":"ProviderA","accent":"United Kingdom","language":"en","category":"narrator","preview_url":"https://voices.example/previews/` + voiceID + `.mp3","metadata":{"supported_models":["providerA-v3"]}}`
	keyRecord = `{"id":"` + voiceID + `","keyPrefix":"svc_sk_the-k","name":"laptop","createdAt":"2026-05-04T12:00:00.000Z","lastUsedAt":null,"revokedAt":null}`
	usageRow  = `{"id":"` + voiceID + `","createdAt":"2026-05-04T12:00:00.000Z","kind":"synthesize","provider":"ProviderA","model":"providerA-v3","title":"t","characters":12,"seconds":1.5,"credits":26,"status":"charged","url":"` + publicURL + `/files/` + audioName + `"}`
)

func resources() []resource {
	return []resource{
		{"POST /api/v1/tts/synthesize", "POST", "/api/v1/tts/synthesize", `{"text":"Hi","voice":"v","ttsModel":"m"}`, key, 200, result},
		{"POST /api/v1/tts/synthesize-dialogue", "POST", "/api/v1/tts/synthesize-dialogue", `{"turns":[],"ttsModel":"m"}`, key, 200, result},
		{"POST /api/v1/tts/enhance", "POST", "/api/v1/tts/enhance", `{"text":"<Hi> & ü"}`, key, 200, `{"text":"[laughs] <Hi> & ü","original":"<Hi> & ü"}`},
		{
			"POST /api/v1/tts/enhance-dialogue", "POST", "/api/v1/tts/enhance-dialogue",
			`{"turns":[{"id":"1","text":"a","voiceId":"v"},{"id":"2","text":"b"}]}`, key, 200,
			`{"turns":[{"id":"1","text":"a"},{"id":"2","text":"b"}],"fallback":true}`,
		},
		{"GET /api/v1/tts/voices", "GET", "/api/v1/tts/voices", "", key, 200, `{"voices":[` + oneVoice + `]}`},
		{
			"GET /api/v1/tts/filters", "GET", "/api/v1/tts/filters", "", key, 200,
			`{"providers":["ProviderA"],"genders":[],"languages":[],"accents":[],"categories":[]}`,
		},
		{"GET /api/v1/tts/models", "GET", "/api/v1/tts/models", "", key, 200, `{"version":"1","timestamp":"2026-05-04T12:00:00.000Z","models":[` +
			`{"id":"providerA-v3","name":"v3","provider":"ProviderA","description":"d","category":"Expressive","planRequired":"pro"},` +
			`{"id":"providerC-neural2","name":"Neural2","provider":"ProviderC","description":"e","category":"Standard","planRequired":null},` +
			`{"id":"providerC-wavenet","name":"Wavenet","provider":"ProviderC","description":"f","category":"Standard","planRequired":null}],` +
			`"metadata":{"total":3,"categories":["Expressive","Standard"],"note":""}}`},
		{"GET /api/v1/tts/prices", "GET", "/api/v1/tts/prices", "", key, 200, `{"prices":[{"model":"providerA-v3","creditsPer1000":2100},` +
			`{"model":"providerC-neural2","creditsPer1000":400},{"model":"providerC-wavenet","creditsPer1000":0}]}`},
		{"GET /api/v1/tts/favorites", "GET", "/api/v1/tts/favorites", "", key, 200, `{"favorites":[]}`},
		{"POST /api/v1/tts/favorites/toggle", "POST", "/api/v1/tts/favorites/toggle", `{"voiceId":"v"}`, key, 200, `{"success":true,"favorited":true}`},
		{
			"GET /api/v1/user/credits", "GET", "/api/v1/user/credits", "", key, 200,
			`{"credits":1000,"payg_credits":100,"plan":"pro","expiresAt":"2026-05-05T12:00:00.000Z"}`,
		},
		{"GET /api/v1/user/usage", "GET", "/api/v1/user/usage", "", key, 200, `{"usage":[` + usageRow + `],"nextCursor":"c2"}`},
		{"GET /api/v1/user/usage", "GET", "/api/v1/user/usage?limit=1&cursor=c2", "", token, 200, `{"usage":[` + usageRow + `],"nextCursor":null}`},
		{
			"POST /api/v1/user/subscription/check-renewal", "POST", "/api/v1/user/subscription/check-renewal", "", key, 200,
			`{"action":"subscription_expired_reset_to_free","credits":10005,"plan":"free","expiresAt":null}`,
		},
		{
			"POST /api/v1/user/api-keys", "POST", "/api/v1/user/api-keys", `{"name":"laptop"}`, token, 201,
			`{"success":true,"key":"` + key + `","apiKey":` + keyRecord + `}`,
		},
		{"POST /api/v1/user/api-keys", "POST", "/api/v1/user/api-keys", ``, token, 201, `{"success":true,"key":"` + key + `","apiKey":` + keyRecord + `}`},
		{
			"GET /api/v1/user/api-keys", "GET", "/api/v1/user/api-keys", "", token, 200, `{"success":true,"apiKeys":[` + strings.NewReplacer(
				`"lastUsedAt":null`, `"lastUsedAt":"2026-05-04T12:00:00.000Z"`, `"revokedAt":null`, `"revokedAt":"2026-05-04T13:00:00.000Z"`,
			).Replace(keyRecord) + `]}`,
		},
		{"DELETE /api/v1/user/api-keys/{id}", "DELETE", "/api/v1/user/api-keys/" + voiceID, "", token, 200, `{"success":true}`},
		{"GET /files/{name}", "GET", "/files/" + audioName, "", "", 200, ""},
		{"GET /previews/{voiceId}.mp3", "GET", "/previews/" + voiceID + ".mp3", "", "", 200, ""},
		{"GET /health", "GET", "/health", "", "", 200, `{"status":"ok","version":"test"}`},
		{"GET /ready", "GET", "/ready", "", "", 200, `{"status":"ok","version":"test"}`},
		{
			"GET /.well-known/voicewright", "GET", "/.well-known/voicewright", "", "", 200,
			`{"issuer":"https://issuer.example","client_id":"voicewright","audience":"voices","scopes":"","use_id_token":false,"idempotency_key":true}`,
		},
		{"GET /openapi.json", "GET", "/openapi.json", "", "", 200, ""},
		{"GET /metrics", "GET", "/metrics", "", "", 200, ""},
	}
}

// Every route answers as the contract says, field by field, and every answer fits its schema in the document.
func TestResources(t *testing.T) {
	t.Parallel()
	f := newFixture()
	document := f.Describe()
	tested := map[string]bool{}
	for _, c := range resources() {
		tested[c.operation] = true
		t.Run(c.method+" "+c.path, func(t *testing.T) {
			var headers []string
			if c.bearer != "" {
				headers = []string{"Authorization", "Bearer " + c.bearer}
			}
			w := f.send(c.method, c.path, c.body, headers...)
			require.Equal(t, c.status, w.Code, w.Body.String())
			require.Equal(t, "nosniff", w.Header().Get("X-Content-Type-Options"))
			require.Equal(t, "no-referrer", w.Header().Get("Referrer-Policy"))
			require.NotEmpty(t, w.Header().Get("X-Request-Id"))
			require.Empty(t, w.Header().Get("Access-Control-Allow-Origin"))
			if strings.HasPrefix(c.path, "/api/") {
				require.Equal(t, "no-store", w.Header().Get("Cache-Control"))
			}
			if c.answer != "" {
				require.Equal(t, "application/json", w.Header().Get("Content-Type"))
				require.Equal(t, c.answer, strings.TrimSpace(w.Body.String()))
				requireSchema(t, document, c.operation, c.status, w.Body.Bytes())
			}
		})
	}
	for path, item := range document.Paths {
		for method, op := range map[string]*huma.Operation{"GET": item.Get, "POST": item.Post, "DELETE": item.Delete} {
			if op != nil {
				require.True(t, tested[method+" "+path], "%s %s has no test", method, path)
			}
		}
		require.Nil(t, item.Put)
		require.Nil(t, item.Patch)
	}
}

// requireSchema checks an answer against the schema of its status in the document.
func requireSchema(t *testing.T, document *huma.OpenAPI, operation string, status int, answer []byte) {
	t.Helper()
	method, path, _ := strings.Cut(operation, " ")
	item := document.Paths[path]
	require.NotNil(t, item, operation)
	op := map[string]*huma.Operation{"GET": item.Get, "POST": item.Post, "DELETE": item.Delete}[method]
	require.NotNil(t, op, operation)
	response := op.Responses[jsonNumber(status)]
	require.NotNil(t, response, "%s has no status %d", operation, status)
	var value any
	require.NoError(t, json.Unmarshal(answer, &value))
	var found huma.ValidateResult
	huma.Validate(document.Components.Schemas, response.Content["application/json"].Schema, huma.NewPathBuffer(nil, 0),
		huma.ModeReadFromServer, value, &found)
	require.Empty(t, found.Errors, "%s %d: %s", operation, status, answer)
}

func jsonNumber(n int) string {
	data, _ := json.Marshal(n)
	return string(data)
}
