package client_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hosted/client"
	"github.com/voicewright/voicewright/backend/hosted/hostedtest"
)

const synthesize = "/api/v1/tts/synthesize"

// TestFaultsOfSpeech: a paid call is repeated only where nothing can have been charged, and each failure says whether it was.
func TestFaultsOfSpeech(t *testing.T) {
	t.Parallel()
	busy := hostedtest.Fault{Status: 503, Code: "PROVIDER_BUSY", RetryAfter: "3"}
	for name, c := range map[string]struct {
		faults  []hostedtest.Fault
		code    backend.Code // "" = it succeeds in the end
		outcome client.Outcome
		sent    int
		charged int
		waits   []time.Duration // nil = by backoff, which is not compared
		params  map[string]any
	}{
		"busy, with seconds":            {faults: []hostedtest.Fault{busy, busy}, sent: 3, charged: 1, waits: []time.Duration{3 * time.Second, 3 * time.Second}},
		"busy, with a date in the past": {faults: []hostedtest.Fault{{Status: 503, Code: "SERVER_BUSY", RetryAfter: "Thu, 01 Jan 2026 00:00:00 GMT"}}, sent: 2, charged: 1, waits: []time.Duration{0}},
		"busy, with a date":             {faults: []hostedtest.Fault{{Status: 503, RetryAfter: "Thu, 01 Jan 2026 00:00:09 GMT", Header: http.Header{"Date": {"Thu, 01 Jan 2026 00:00:00 GMT"}}}}, sent: 2, charged: 1, waits: []time.Duration{9 * time.Second}},
		"busy, without Retry-After":     {faults: []hostedtest.Fault{{Status: 503}}, sent: 2, charged: 1},
		"another call":                  {faults: []hostedtest.Fault{{Status: 409, Code: "DUPLICATE_REQUEST"}}, sent: 2, charged: 1},
		"too many calls":                {faults: []hostedtest.Fault{{Status: 429, RetryAfter: "1"}}, sent: 2, charged: 1, waits: []time.Duration{time.Second}},
		"busy for too long": {
			faults: []hostedtest.Fault{{Status: 503, Code: "PROVIDER_BUSY", RetryAfter: "3600"}},
			code:   "hosted_provider_busy", outcome: client.Refused, sent: 1, params: map[string]any{"status": 503, "retry_after": 3600},
		},
		"busy for ever": {
			faults: []hostedtest.Fault{busy, busy, busy, busy, busy},
			code:   "hosted_provider_busy", outcome: client.Refused, sent: 5, params: map[string]any{"status": 503, "retry_after": 3},
		},
		"no credits, with a code":    {faults: []hostedtest.Fault{{Status: 402, Code: "INSUFFICIENT_CREDITS"}}, code: "hosted_insufficient_credits", outcome: client.Refused, sent: 1, params: map[string]any{"status": 402}},
		"no credits, without a code": {faults: []hostedtest.Fault{{Status: 402}}, code: "hosted_402", outcome: client.Refused, sent: 1, params: map[string]any{"status": 402}},
		"the plan lacks it":          {faults: []hostedtest.Fault{{Status: 403, Code: "PAID_ACCESS_REQUIRED"}}, code: "hosted_paid_access_required", outcome: client.Refused, sent: 1, params: map[string]any{"status": 403}},
		"too long":                   {faults: []hostedtest.Fault{{Status: 400, Code: "TEXT_TOO_LONG"}}, code: "hosted_text_too_long", outcome: client.Refused, sent: 1, params: map[string]any{"status": 400}},
		"a code that is no code":     {faults: []hostedtest.Fault{{Status: 400, Code: "<b>x</b>"}}, code: "hosted_400", outcome: client.Refused, sent: 1, params: map[string]any{"status": 400}},
		"the service fails":          {faults: []hostedtest.Fault{{Status: 502}}, code: "hosted_502", outcome: client.Refused, sent: 1, params: map[string]any{"status": 502}},
		"a page of a gateway":        {faults: []hostedtest.Fault{hostedtest.HTML(502)}, code: "hosted_502", outcome: client.Lost, sent: 1, params: map[string]any{"status": 502}},
		"JSON of a gateway":          {faults: []hostedtest.Fault{{Status: 504, Body: `{"message":"Endpoint request timed out"}`, Charge: true}}, code: "hosted_504", outcome: client.Lost, sent: 1, charged: 1, params: map[string]any{"status": 504}},
		"a page instead of audio":    {faults: []hostedtest.Fault{hostedtest.HTML(200)}, code: "hosted_bad_answer", outcome: client.Lost, sent: 1, params: map[string]any{"status": 200}},
		"other JSON":                 {faults: []hostedtest.Fault{{Body: `[1]`}}, code: "hosted_bad_answer", outcome: client.Lost, sent: 1, params: map[string]any{"status": 200}},
		"no link":                    {faults: []hostedtest.Fault{{Body: `{"remainingCredits":1}`, Charge: true}}, code: "hosted_bad_answer", outcome: client.Lost, sent: 1, charged: 1, params: map[string]any{"status": 200}},
		"a link of another kind":     {faults: []hostedtest.Fault{{Body: `{"url":"file:///etc/passwd"}`}}, code: "hosted_bad_answer", outcome: client.Lost, sent: 1, params: map[string]any{"status": 200}},
		"cut before the answer":      {faults: []hostedtest.Fault{{Cut: hostedtest.CutBefore}}, code: "hosted_answer_lost", outcome: client.Lost, sent: 1, charged: 1},
		"cut after the headers":      {faults: []hostedtest.Fault{{Cut: hostedtest.CutHeaders}}, code: "hosted_answer_lost", outcome: client.Lost, sent: 1, charged: 1},
		"cut in the answer":          {faults: []hostedtest.Fault{{Cut: hostedtest.CutHalf}}, code: "hosted_answer_lost", outcome: client.Lost, sent: 1, charged: 1},
		"cut after the answer":       {faults: []hostedtest.Fault{{Cut: hostedtest.CutAfter}}, sent: 1, charged: 1},
		"no answer in time":          {faults: []hostedtest.Fault{{Hang: true}}, code: "hosted_answer_lost", outcome: client.Lost, sent: 1, charged: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, hostedtest.Options{}, func(o *client.Options) {
				if len(c.faults) > 0 && c.faults[0].Hang {
					o.Timeouts.Speech = 500 * time.Millisecond // the request is sent before, also on a busy machine
				}
			})
			s.service.Fault(synthesize, c.faults...)
			var busy []backend.Wait
			r := request()
			r.Waiting = func(w backend.Wait) { busy = append(busy, w) }
			result, err := s.client.Synthesize(t.Context(), r)
			require.Len(t, s.service.Requests(synthesize), c.sent)
			require.Equal(t, c.charged, s.service.Charged())
			require.Len(t, busy, len(s.waits), "the user sees each wait")
			if c.waits != nil {
				require.Equal(t, c.waits, s.waits)
			}
			if c.code == "" {
				require.NoError(t, err)
				require.NotEmpty(t, result.URL)
				return
			}
			var failed *client.Error
			require.ErrorAs(t, err, &failed)
			require.Equal(t, c.outcome, failed.Outcome)
			worded := client.AsError(err)
			require.Equal(t, c.code, worded.Code)
			require.Equal(t, c.params, worded.Params)
			require.NotEmpty(t, worded.Remedy)
			require.NotContains(t, worded.Detail+worded.Remedy, "<", "nothing of a page is shown")
		})
	}
}

func TestNothingSentIsSentAgain(t *testing.T) {
	t.Parallel()
	s := start(t, hostedtest.Options{})
	s.base = hostedtest.Closed(t)
	_, err := s.client.Synthesize(t.Context(), request())
	var failed *client.Error
	require.ErrorAs(t, err, &failed)
	require.Equal(t, client.NotSent, failed.Outcome)
	require.Len(t, s.waits, 2)
	require.Equal(t, backend.CodeHostedUnreachable, client.AsError(err).Code)
}

// TestFreeCallsAreRepeated: a call that costs nothing is sent again after a lost answer, and fails as unreachable at last.
func TestFreeCallsAreRepeated(t *testing.T) {
	t.Parallel()
	s := start(t, hostedtest.Options{})
	cut := hostedtest.Fault{Cut: hostedtest.CutHalf}
	s.service.Fault("/api/v1/user/credits", cut, cut)
	got, err := s.client.Credits(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 100_000, got.Credits)
	s.service.Fault("/api/v1/tts/enhance", cut, cut, cut)
	_, err = s.client.Enhance(t.Context(), client.EnhanceRequest{Text: "a"})
	require.Equal(t, backend.CodeHostedUnreachable, client.AsError(err).Code)
	s.service.Fault("/api/v1/tts/favorites/toggle", cut)
	_, err = s.client.ToggleFavorite(t.Context(), hostedtest.VoiceID(1))
	require.Error(t, err, "a second toggle would undo the first")
	require.Len(t, s.service.Requests("/api/v1/tts/favorites/toggle"), 1)
}

func TestTokenIsRefreshedOnce(t *testing.T) {
	t.Parallel()
	s := start(t, hostedtest.Options{})
	s.creds.key, s.creds.token, s.creds.next = "", "expired", hostedtest.Token
	_, err := s.client.Synthesize(t.Context(), request())
	require.NoError(t, err)
	require.Equal(t, 1, s.creds.refreshes)
	require.Equal(t, 1, s.service.Charged())

	s.service.SetTokens("another")
	s.creds.next = "refused as well"
	_, err = s.client.Synthesize(t.Context(), request())
	worded := client.AsError(err)
	require.Equal(t, backend.CodeHostedNotSignedIn, worded.Code)
	require.Equal(t, map[string]any{"reason": "session", "status": 401}, worded.Params)
	require.Equal(t, "Sign in again on the Account screen, or run `voicewright hosted login`.", worded.Remedy)
	require.Len(t, s.service.Requests(synthesize), 4)

	s.creds.key = "svc_sk_revoked"
	_, err = s.client.Credits(t.Context())
	require.Equal(t, map[string]any{"reason": "key", "status": 401}, client.AsError(err).Params)
	require.Len(t, s.service.Requests("/api/v1/user/credits"), 1, "a key is not refreshed")
}

// TestCredentialStays: an address that is not safe gets no credential, and one that redirects does not lead it elsewhere.
func TestCredentialStays(t *testing.T) {
	t.Parallel()
	for base, want := range map[string]backend.Code{
		"": backend.CodeHostedNotConfigured, "http://service.example": backend.CodeHostedNotConfigured,
		"ftp://127.0.0.1": backend.CodeHostedNotConfigured, "https://user:pass@service.example": backend.CodeHostedNotConfigured,
		"https://service.example/?x": backend.CodeHostedNotConfigured, "https://\x7f": backend.CodeHostedNotConfigured,
	} {
		s := start(t, hostedtest.Options{})
		s.base = base
		_, err := s.client.Voices(t.Context())
		require.Equal(t, want, client.AsError(err).Code, base)
		require.Zero(t, s.creds.asked, "no credential is read for %q", base)
	}
	s := start(t, hostedtest.Options{})
	s.offline = true
	_, err := s.client.Voices(t.Context())
	require.Equal(t, backend.CodeOffline, client.AsError(err).Code)
	require.Equal(t, true, client.AsError(err).Params["hosted"], "the page words it for hosted voices")
	require.Zero(t, s.creds.asked)
	s.offline = false
	other := hostedtest.Start(t, hostedtest.Options{})
	for range 2 {
		s.service.Fault("/", hostedtest.Fault{Redirect: other.URL + synthesize})
		_, err = s.client.Synthesize(t.Context(), request())
	}
	worded := client.AsError(err)
	require.Equal(t, backend.CodeHostedBadAnswer, worded.Code)
	require.Contains(t, worded.Detail, strings.TrimPrefix(other.URL, "http://"), "the user can judge the other host")
	require.Empty(t, other.Requests("/"))
	s.service.Fault("/", hostedtest.Fault{Redirect: other.URL + "/x"})
	_, err = s.client.Ping(t.Context(), s.base)
	require.Equal(t, backend.CodeHostedBadAnswer, client.AsError(err).Code)
	require.Empty(t, other.Requests("/"))
}

// TestProxy: the proxy of the environment is used for https, sees no credential, and is not used for this machine.
func TestProxy(t *testing.T) {
	for _, variable := range []string{"HTTPS_PROXY", "https_proxy", "ALL_PROXY"} {
		t.Run(variable, func(t *testing.T) { testProxy(t, variable) })
	}
}

func testProxy(t *testing.T, variable string) {
	seen := make(chan *http.Request, 10)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen <- r
		w.WriteHeader(http.StatusForbidden)
	}))
	t.Cleanup(proxy.Close)
	t.Setenv(variable, proxy.URL)
	t.Setenv("HTTP_PROXY", proxy.URL)
	t.Setenv("NO_PROXY", "direct.invalid")
	s := start(t, hostedtest.Options{})
	_, err := s.client.Voices(t.Context())
	require.NoError(t, err)
	require.Empty(t, seen)
	s.base = "https://service.invalid"
	_, err = s.client.Synthesize(t.Context(), request())
	require.Equal(t, backend.CodeHostedUnreachable, client.AsError(err).Code)
	var failed *client.Error
	require.ErrorAs(t, err, &failed)
	require.Equal(t, client.NotSent, failed.Outcome)
	r := <-seen
	require.Equal(t, "CONNECT service.invalid:443", r.Method+" "+r.Host)
	require.Empty(t, r.Header.Get("Authorization"))
	for len(seen) > 0 {
		<-seen
	}
	s.base = "https://direct.invalid"
	_, err = s.client.Voices(t.Context())
	require.Equal(t, backend.CodeHostedUnreachable, client.AsError(err).Code)
	require.Empty(t, seen)
}

func TestCancelledCallEndsAtOnce(t *testing.T) {
	t.Parallel()
	s := start(t, hostedtest.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	s.service.Fault(synthesize, hostedtest.Fault{Hang: true, Before: cancel})
	_, err := s.client.Synthesize(ctx, request())
	var failed *client.Error
	require.ErrorAs(t, err, &failed)
	require.Equal(t, client.Lost, failed.Outcome, "it may have been charged")
	require.Equal(t, backend.CodeCancelled, client.AsError(err).Code)
}
