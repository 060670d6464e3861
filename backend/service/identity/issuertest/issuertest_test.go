package issuertest_test

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service/identity/issuertest"
)

const (
	redirect = "http://127.0.0.1:4711/signed-in"
	verifier = "a-verifier-of-forty-three-characters-or-more"
)

// app is a client of a stub that can be made to ask for anything.
type app struct {
	*testing.T
	*issuertest.Issuer
	document map[string]any
}

func newApp(t *testing.T, kind issuertest.Kind) *app {
	t.Helper()
	a := &app{T: t, Issuer: issuertest.Start(t, kind)}
	_, a.document = a.send(http.MethodGet, strings.TrimSuffix(a.URL, "/")+"/.well-known/openid-configuration", "")
	require.Equal(t, a.URL, a.document["issuer"])
	return a
}

// send makes a request, and returns where a redirect leads, which is not followed, or the answer.
func (a *app) send(method, address, body string) (to string, answer map[string]any) {
	a.Helper()
	req, err := http.NewRequestWithContext(a.Context(), method, address, strings.NewReader(body))
	require.NoError(a, err)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(req)
	require.NoError(a, err)
	_ = json.NewDecoder(res.Body).Decode(&answer) // a redirect has none
	require.NoError(a, res.Body.Close())
	return res.Header.Get("Location"), answer
}

// authorize opens the sign-in page with changes to a good request, and returns where the browser is sent, or the error that it sees.
func (a *app) authorize(changes url.Values) (back url.Values, failure string) {
	a.Helper()
	sum := sha256.Sum256([]byte(verifier))
	q := url.Values{
		"client_id": {a.ClientID}, "redirect_uri": {redirect}, "response_type": {"code"}, "state": {"s"}, "nonce": {"n"}, "scope": {"openid email"},
		"code_challenge": {base64.RawURLEncoding.EncodeToString(sum[:])}, "code_challenge_method": {"S256"},
	}
	for name, values := range changes {
		q[name] = values
	}
	location, answer := a.send(http.MethodGet, a.document["authorization_endpoint"].(string)+"?"+q.Encode(), "")
	if location == "" {
		return nil, answer["error"].(string)
	}
	to, err := url.Parse(location)
	require.NoError(a, err)
	require.Equal(a, "s", to.Query().Get("state"))
	return to.Query(), to.Query().Get("error")
}

// exchange requests tokens with changes to a good request, and returns the answer.
func (a *app) exchange(code string, changes url.Values) map[string]any {
	a.Helper()
	form := url.Values{
		"client_id": {a.ClientID}, "grant_type": {"authorization_code"}, "code": {code}, "code_verifier": {verifier}, "redirect_uri": {redirect},
	}
	if a.Secret != "" {
		form.Set("client_secret", a.Secret)
	}
	for name, values := range changes {
		form[name] = values
	}
	_, answer := a.send(http.MethodPost, a.document["token_endpoint"].(string), form.Encode())
	return answer
}

// TestStubsRefuse what the documents of all issuers say that they refuse.
func TestStubsRefuse(t *testing.T) {
	for _, kind := range issuertest.Kinds() {
		t.Run(kind.Name, func(t *testing.T) {
			t.Parallel()
			a := newApp(t, kind)
			for name, changes := range map[string]url.Values{
				"another client":    {"client_id": {"another"}},
				"another path":      {"redirect_uri": {"http://127.0.0.1:4711/other"}},
				"localhost":         {"redirect_uri": {"http://localhost:4711/signed-in"}},
				"another host":      {"redirect_uri": {"https://evil.example/signed-in"}},
				"tokens at once":    {"response_type": {"token"}},
				"no PKCE":           {"code_challenge": nil},
				"plain PKCE":        {"code_challenge_method": {"plain"}},
				"no client, no URI": {"client_id": nil, "redirect_uri": nil},
			} {
				back, failure := a.authorize(changes)
				require.NotEmpty(t, failure, name)
				require.False(t, back.Has("code"), name)
			}
			for name, changes := range map[string]url.Values{
				"another client":   {"client_id": {"another"}},
				"another code":     {"code": {"guess"}},
				"another verifier": {"code_verifier": {"guess"}},
				"another address":  {"redirect_uri": {"http://127.0.0.1:4712/signed-in"}},
				"another grant":    {"grant_type": {"password"}},
				"a wider scope":    {"scope": {"openid email phone"}},
			} {
				back, failure := a.authorize(nil)
				require.Empty(t, failure)
				require.NotEmpty(t, a.exchange(back.Get("code"), changes)["error"], name)
			}
			back, _ := a.authorize(nil)
			tokens := a.exchange(back.Get("code"), nil)
			require.NotEmpty(t, tokens["id_token"])
			require.Empty(t, tokens["refresh_token"], "nobody asked for it")
			require.NotEmpty(t, a.exchange(back.Get("code"), nil)["error"], "a code works once")
		})
	}
}

// TestWhatOneStubRefuses is what sets the issuers apart.
func TestWhatOneStubRefuses(t *testing.T) {
	kinds := map[string]issuertest.Kind{}
	for _, kind := range issuertest.Kinds() {
		kinds[kind.Name] = kind
	}
	for name, changes := range map[string]url.Values{
		"offline_access": {"scope": {"openid offline_access"}}, "audience": {"audience": {"x"}}, "resource": {"resource": {"https://x.example"}},
	} {
		_, failure := newApp(t, kinds[issuertest.Google]).authorize(changes)
		require.NotEmpty(t, failure, name)
	}
	for _, secret := range []string{"", "another"} {
		a := newApp(t, kinds[issuertest.Google])
		back, _ := a.authorize(nil)
		require.NotEmpty(t, a.exchange(back.Get("code"), url.Values{"client_secret": {secret}})["error"])
	}
	entra := newApp(t, kinds[issuertest.Entra])
	back, failure := entra.authorize(url.Values{"resource": {"api://x"}})
	require.Equal(t, "invalid_request", failure)
	require.Contains(t, back.Get("error_description"), "AADSTS901002")
	_, failure = entra.authorize(url.Values{"scope": {"openid https://voice.example.org/speak"}})
	require.Equal(t, "invalid_scope", failure)
	back, _ = entra.authorize(nil)
	require.Contains(t, entra.exchange(back.Get("code"), url.Values{"client_secret": {"x"}})["error_description"], "AADSTS700025")
}
