package api_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/api"
)

// The header Idempotency-Key as it is sent: absent, once with 1 to 255 visible characters, or wrong.
func TestIdempotencyKeys(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		values []string
		want   string // empty for a wrong one
	}{
		"one character":  {[]string{"k"}, "k"},
		"a UUID":         {[]string{"0f6c1a52-9c1e-4c3c-8a54-0e9f6f4b6d11"}, "0f6c1a52-9c1e-4c3c-8a54-0e9f6f4b6d11"},
		"all signs":      {[]string{"!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"}, "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"},
		"255 characters": {[]string{strings.Repeat("x", 255)}, strings.Repeat("x", 255)},
		"256 characters": {[]string{strings.Repeat("x", 256)}, ""},
		"empty":          {[]string{""}, ""},
		"a blank":        {[]string{" "}, ""},
		"blanks within":  {[]string{"a b"}, ""},
		"a tab":          {[]string{"a\tb"}, ""},
		"umlauts":        {[]string{"schlüssel"}, ""},
		"emoji":          {[]string{"🔑"}, ""},
		"DEL":            {[]string{"a\x7f"}, ""},
		"twice":          {[]string{"a", "a"}, ""},
		"twice, empty":   {[]string{"", ""}, ""},
	} {
		for path, body := range map[string]string{
			"/api/v1/tts/synthesize":          `{"text":"Hi.","voice":"` + voiceID + `","ttsModel":"providerA-v3"}`,
			"/api/v1/tts/synthesize-dialogue": `{"turns":[{"text":"Hi.","voice":"` + voiceID + `"}],"ttsModel":"providerA-v3"}`,
		} {
			f := newFixture()
			headers := []string{"X-API-Key", key}
			for _, value := range test.values {
				headers = append(headers, "Idempotency-Key", value)
			}
			w := f.send("POST", path, body, headers...)
			seen := f.stub.seen.synthesize.IdempotencyKey + f.stub.seen.dialogue.IdempotencyKey
			require.Equal(t, test.want, seen, name)
			if test.want == "" {
				requireError(t, w, http.StatusBadRequest, "")
				require.Contains(t, w.Body.String(), "Idempotency-Key", name)
				continue
			}
			require.Equal(t, http.StatusOK, w.Code, name)
		}
	}
	f := newFixture()
	w := f.sendWithKey("POST", "/api/v1/tts/synthesize", `{"text":"Hi.","-":"a field","IdempotencyKey":"b"}`)
	require.Equal(t, http.StatusOK, w.Code)
	require.Empty(t, f.stub.seen.synthesize.IdempotencyKey, "no field of the body is the key")
	w = f.send("GET", "/api/v1/user/credits", "", "X-API-Key", key, "Idempotency-Key", "", "Idempotency-Key", "ü")
	require.Equal(t, http.StatusOK, w.Code, "other routes do not know it")
}

// unpaid is a stub whose key belongs to an account that may only repeat calls.
type unpaid struct{ *stub }

var errUnpaid = &service.Error{Status: http.StatusForbidden, Code: service.CodePaidAccess, Sentence: "Pay first."}

func (s unpaid) KeyCaller(context.Context, string) (service.Caller, error) {
	return service.Caller{Account: account, Key: &record, Refused: errUnpaid}, errUnpaid
}

func (s unpaid) Synthesize(_ context.Context, c service.Caller, _ service.SynthesizeRequest) (service.Result, error) {
	return service.Result{File: service.NewFile{Name: audioName}}, c.Refused
}

func (s unpaid) SynthesizeDialogue(_ context.Context, c service.Caller, _ service.DialogueRequest) (service.Result, error) {
	return service.Result{File: service.NewFile{Name: audioName}}, c.Refused
}

// Who may only repeat calls gets no further than to the routes that repeat, and there the service decides.
func TestCallersWhoMayOnlyRepeat(t *testing.T) {
	t.Parallel()
	f := newFixture(func(o *api.Options) { o.Service = unpaid{&stub{}} })
	for _, path := range []string{"/api/v1/tts/synthesize", "/api/v1/tts/enhance", "/api/v1/user/api-keys"} {
		requireError(t, f.sendWithKey("POST", path, `{`), http.StatusForbidden, "PAID_ACCESS_REQUIRED")
	}
	repeat := []string{"X-API-Key", key, "Idempotency-Key", "k"}
	requireError(t, f.send("POST", "/api/v1/tts/enhance", `{`, repeat...), http.StatusForbidden, "PAID_ACCESS_REQUIRED")
	requireError(t, f.send("POST", "/api/v1/user/api-keys", `{`, repeat...), http.StatusForbidden, "PAID_ACCESS_REQUIRED")
	for _, path := range []string{"/api/v1/tts/synthesize", "/api/v1/tts/synthesize-dialogue"} {
		for _, header := range [][]string{
			{"k"}, {""}, {" "}, {"ü"}, {"a b"}, {strings.Repeat("x", 256)}, {"a", "a"}, {"", "k"},
		} {
			headers := []string{"X-API-Key", key}
			for _, value := range header {
				headers = append(headers, "Idempotency-Key", value)
			}
			for _, body := range []string{`{`, ``, `[]`, `{}`, `{"text":7}`, `{"turns":[{"text":7}]}`} {
				requireError(t, f.send("POST", path, body, headers...), http.StatusForbidden, "PAID_ACCESS_REQUIRED")
			}
		}
	}
}
