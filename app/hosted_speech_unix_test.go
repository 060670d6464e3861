//go:build unix

package app_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/hosted/hostedtest"
)

const speechPath = "/api/v1/tts/synthesize"

// hostedText returns the body of /generate for a text in a hosted voice.
func (s *server) hostedText(text string) string {
	s.t.Helper()
	return fmt.Sprintf(`{"profile_id":%q,"text":%q,"voice":"hosted:%s"}`, s.firstProfile(), text, hostedtest.VoiceID(0))
}

// speechFault is what goes wrong with a call of speech, and what the user notices.
type speechFault struct {
	name    string
	at      string // "" = the call of speech
	fault   hostedtest.Fault
	status  int // 0 = 200
	code    string
	says    string // in the sentence and the remedy
	calls   int
	charged int // of the calls, before a retry
}

var speechFaults = []speechFault{
	{name: "busy, with seconds", fault: hostedtest.Fault{Status: 503, Code: "PROVIDER_BUSY", RetryAfter: "1"}, calls: 2, charged: 1},
	{name: "busy, with a date", fault: hostedtest.Fault{Status: 503, Code: "SERVER_BUSY", RetryAfter: soon()}, calls: 2, charged: 1},
	{name: "busy, without a time", fault: hostedtest.Fault{Status: 503}, calls: 2, charged: 1},
	{name: "another call", fault: hostedtest.Fault{Status: 409, Code: "DUPLICATE_REQUEST", RetryAfter: "0"}, calls: 2, charged: 1},
	{name: "too many calls", fault: hostedtest.Fault{Status: 429, Code: "RATE_LIMITED", RetryAfter: "0"}, calls: 2, charged: 1},
	{name: "busy for an hour", fault: hostedtest.Fault{Status: 503, Code: "PROVIDER_BUSY", RetryAfter: "3600"}, status: 503, code: "hosted_provider_busy", says: "Nothing was charged", calls: 1},
	{name: "no credits", fault: hostedtest.Fault{Status: 402}, status: 402, code: "hosted_402", says: "enough credits", calls: 1},
	{name: "another plan", fault: hostedtest.Fault{Status: 403, Code: "PAID_ACCESS_REQUIRED"}, status: 403, code: "hosted_paid_access_required", says: "Pro or Max plan", calls: 1},
	{name: "a failure", fault: hostedtest.Fault{Status: 500}, status: 502, code: "hosted_500", says: "failed with status 500", calls: 1},
	{name: "a page of a gateway", fault: hostedtest.HTML(502), status: 502, code: "hosted_answer_lost", says: "did not go down", calls: 1},
	{name: "wrong JSON", fault: hostedtest.Fault{Body: `{"url":7}`, Charge: true}, status: 502, code: "hosted_bad_answer", says: "went down", calls: 1, charged: 1},
	{name: "cut before the answer", fault: hostedtest.Fault{Cut: hostedtest.CutBefore}, status: 502, code: "hosted_answer_lost", says: "went down", calls: 1, charged: 1},
	{name: "cut in the answer", fault: hostedtest.Fault{Cut: hostedtest.CutHalf}, status: 502, code: "hosted_answer_lost", says: "went down", calls: 1, charged: 1},
	{name: "cut after the answer", fault: hostedtest.Fault{Cut: hostedtest.CutAfter}, calls: 1, charged: 1},
	{name: "slow", fault: hostedtest.Fault{Slow: 20 * time.Millisecond}, calls: 1, charged: 1},
	{name: "audio cut in the middle", at: "/files/", fault: hostedtest.Fault{Cut: hostedtest.CutHalf}, calls: 1, charged: 1},
	{name: "an expired link", at: "/files/", fault: hostedtest.Fault{Status: 410}, status: 410, code: "hosted_link_expired", says: "24 hours", calls: 1, charged: 1},
}

// soon is the next second, as a date.
func soon() string { return time.Now().Add(time.Second).UTC().Format(http.TimeFormat) }

// TestHostedSpeechSurvives every fault of the service: nothing is paid twice, and the user reads what happened.
func TestHostedSpeechSurvives(t *testing.T) {
	t.Parallel()
	service := hostedtest.Start(t, hostedtest.Options{Prefix: "/api-root"})
	u := newUser(t)
	s := u.serveHosted(service.URL)
	for _, c := range speechFaults {
		calls, charged := len(service.Requests(speechPath)), service.Charged()
		service.Fault(cmp.Or(c.at, speechPath), c.fault)
		status, body := s.request("POST", "/generate", s.hostedText(c.name+"."))
		assert.Equal(t, c.calls, len(service.Requests(speechPath))-calls, c.name)
		assert.Equal(t, c.charged, service.Charged()-charged, c.name)
		if c.code == "" {
			require.Equal(t, http.StatusOK, status, "%s: %s", c.name, body)
			assert.FileExists(t, parseJSON(t, body)["audio_path"].(string))
			continue
		}
		assert.Equal(t, c.status, status, "%s: %s", c.name, body)
		s.retryFailed(c, body)
		assert.Equal(t, c.calls+1, len(service.Requests(speechPath))-calls, "%s: the user's retry is one call", c.name)
	}
	require.Zero(t, service.Unused())
	_, list := s.request("GET", "/history?limit=100", "")
	for _, row := range parseJSON(t, list)["items"].([]any) {
		status, body := s.request("DELETE", "/history/"+row.(object)["id"].(string), "")
		require.Equal(t, http.StatusNoContent, status, body)
	}
	require.Eventually(t, func() bool { // the parts, from which a changed text is made, go with their generation
		parts, err := os.ReadDir(filepath.Join(u.data, "audio", "hosted"))
		return err == nil && len(parts) == 0
	}, testTimeout, 5*time.Millisecond)
}

// retryFailed checks the answer of a failed generation and its row in the history, and retries it.
func (s *server) retryFailed(c speechFault, body string) {
	t := s.t
	t.Helper()
	answer := parseJSON(t, body)
	assert.Equal(t, c.code, answer["code"], c.name)
	assert.Contains(t, fmt.Sprint(answer["detail"], " ", answer["remedy"]), c.says, c.name)
	assert.NotContains(t, body, "<", c.name)
	id, _ := answer["generation_id"].(string)
	require.NotEmpty(t, id, "%s: %s", c.name, body)
	_, row := s.request("GET", "/history/"+id, "")
	shown := parseJSON(t, row)
	assert.Equal(t, "failed", shown["status"], c.name)
	assert.Equal(t, c.code, shown["error"].(object)["code"], c.name)
	status, body := s.request("POST", "/generate/"+id+"/retry", "")
	require.Equal(t, http.StatusAccepted, status, "%s: %s", c.name, body)
	require.Eventually(t, func() bool {
		_, row = s.request("GET", "/history/"+id, "")
		return parseJSON(t, row)["status"] == "complete"
	}, testTimeout, 5*time.Millisecond, c.name)
}

// TestHostedScriptWithoutCredits: the price of all turns is compared with the credits before the first one is paid, and nothing is
// written.
func TestHostedScriptWithoutCredits(t *testing.T) {
	t.Parallel()
	service := hostedtest.Start(t, hostedtest.Options{})
	s := newUser(t).serveHosted(service.URL)
	service.SetCredits(3000)
	turn := s.hostedText(strings.Repeat("a", 1000)) // 1,890 credits: enough for one
	local := fmt.Sprintf(`{"profile_id":%q,"text":"Local.","voice":"espeak:en-us"}`, s.firstProfile())
	script := `{"turns":[` + turn + `,` + local + `,` + turn + `]`
	status, body := s.request("POST", "/script", script+`}`)
	require.Equal(t, http.StatusPaymentRequired, status, body)
	answer := parseJSON(t, body)
	require.Equal(t, "hosted_insufficient_credits", answer["code"])
	require.InDelta(t, 3780, answer["params"].(object)["credits"], 0)
	require.InDelta(t, 3000, answer["params"].(object)["credits_left"], 0)

	s.request("PUT", "/settings", `{"hosted.warn_credits":3780,"hosted.ask_credits":3780}`)
	_, body = s.request("POST", "/hosted/quote", script+`}`)
	quote := parseJSON(t, body)
	require.Equal(t, []any{3780.0, true, true}, []any{quote["credits"], quote["warn"], quote["ask"]})
	status, body = s.request("POST", "/script", script+`,"accept_credits":3779}`)
	require.Equal(t, http.StatusConflict, status, body)
	require.Equal(t, "hosted_confirm", parseJSON(t, body)["code"])
	_, body = s.request("GET", "/history", "")
	require.Empty(t, parseJSON(t, body)["items"])
	require.Zero(t, service.Charged())
}

// TestHostedTokenExpires in the middle: it is refreshed once, and then the user is asked to sign in.
func TestHostedTokenExpires(t *testing.T) {
	t.Parallel()
	issuer := newCanaryIssuer(t)
	service := hostedtest.Start(t, hostedtest.Options{Issuer: issuer.URL})
	service.SetTokens(canaryAccess)
	s := newUser(t).serve()
	s.request("PUT", "/settings", `{"hosted.base_url":"`+service.URL+`","secrets.allow_file":true,"hosted.client_id":"canary-client"}`)
	status, body := s.request("POST", "/hosted/login", "")
	require.Equal(t, http.StatusAccepted, status, body)
	issuer.signIn(t, parseJSON(t, body)["authorization_url"].(string))
	require.Eventually(t, func() bool {
		_, status := s.request("GET", "/hosted/status", "")
		return parseJSON(t, status)["signed_in"] == true
	}, testTimeout, 5*time.Millisecond)

	speech := s.hostedText("Hello.")
	status, body = s.request("GET", "/hosted/voices", "")
	require.Equal(t, http.StatusOK, status, body)
	service.SetTokens(canaryRenewed)
	status, body = s.request("POST", "/generate", speech)
	require.Equal(t, http.StatusOK, status, body)
	require.Equal(t, 1, issuer.refreshed)
	require.Equal(t, 1, service.Charged())

	service.SetTokens("none.of.these")
	status, body = s.request("POST", "/generate", speech)
	require.Equal(t, http.StatusUnauthorized, status, body)
	answer := parseJSON(t, body)
	require.Equal(t, "hosted_not_signed_in", answer["code"])
	require.Equal(t, "Sign in again on the Account screen, or run `voicewright hosted login`.", answer["remedy"])
	require.Equal(t, 1, service.Charged())
}

// TestHostedModelOfAVoice: the price and the call follow the voice, and a profile has a model that the service has.
func TestHostedModelOfAVoice(t *testing.T) {
	t.Parallel()
	service := hostedtest.Start(t, hostedtest.Options{})
	s := newUser(t).serveHosted(service.URL)
	call := func(want int, method, path string, body object) object {
		t.Helper()
		raw, err := json.Marshal(body)
		require.NoError(t, err)
		status, answer := s.request(method, path, string(raw))
		require.Equal(t, want, status, answer)
		return parseJSON(t, answer)
	}
	speech := object{"profile_id": s.firstProfile(), "text": strings.Repeat("a", 1000), "voice": "hosted:" + hostedtest.VoiceID(0)}
	for _, model := range []string{"", "providerA-v3", "providerB-2-5-pro", "providerC-wavenet"} {
		speech["model_name"] = model
		require.EqualValues(t, 1890, call(200, "POST", "/hosted/quote", speech)["credits"], model)
		turn := object{"profile_id": speech["profile_id"], "text": speech["text"], "voice": speech["voice"], "model_name": model}
		require.EqualValues(t, 1890, call(200, "POST", "/hosted/quote", object{"turns": []object{turn}})["credits"], model)
	}
	speech["text"], speech["wait"] = "Hello.", true
	require.Equal(t, "providerA-v3", call(200, "POST", "/generate", speech)["model_name"])
	require.Contains(t, service.Requests("/api/v1/tts/synthesize")[0].Body, `"ttsModel":"providerA-v3"`)

	profile := object{"name": "Ann", "voice_type": "hosted", "hosted_voice_id": hostedtest.VoiceID(0), "hosted_model_id": "providerA-v9"}
	refused := call(400, "POST", "/profiles", profile)
	require.Equal(t, "hosted_model_unknown", refused["code"])
	require.NotEmpty(t, refused["remedy"])
	profile["hosted_model_id"] = "providerA-flash-v2-5"
	path := "/profiles/" + call(200, "POST", "/profiles", profile)["id"].(string)
	require.Equal(t, "hosted_model_unknown", call(400, "PUT", path, object{"hosted_model_id": "x"})["code"])
	require.Equal(t, "Anna", call(200, "PUT", path, object{"name": "Anna"})["name"])
	call(200, "PUT", "/settings", object{"network.offline": true})
	require.Equal(t, "x", call(200, "PUT", path, object{"hosted_model_id": "x"})["hosted_model_id"], "nobody can say while offline")
}
