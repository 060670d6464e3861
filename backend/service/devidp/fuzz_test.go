package devidp_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service/devidp"
)

// FuzzForms: whatever a program on this machine sends, the issuer answers without a panic and leads to this machine only.
func FuzzForms(f *testing.F) {
	handler, err := devidp.New(devidp.Options{Issuer: "http://127.0.0.1:8080/dev-idp", ClientID: clientID, Audience: audience})
	require.NoError(f, err)
	f.Add("POST", "/oauth/token", "", "grant_type=authorization_code&code=x&client_id=voicewright&code_verifier=x", "")
	f.Add("POST", "/oauth/token", "", "grant_type=refresh_token&refresh_token=a.b&client_id=voicewright&scope=openid", "Basic dm9pY2V3cmlnaHQ6")
	f.Add("POST", "/oauth/token", "", "grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer&assertion=e30.e30.", "")
	f.Add("POST", "/revoke", "token=x", "client_id=voicewright&token_type_hint=access_token", "")
	f.Add("POST", "/revoke", "", "client_assertion_type=urn:ietf:params:oauth:client-assertion-type:jwt-bearer&client_assertion=e30.e30.", "")
	f.Add("GET", "/userinfo", "access_token=x", "", "Bearer e30.e30.")
	f.Add("GET", "/authorize", "response_type=code&client_id=voicewright&redirect_uri=http://127.0.0.1:9/cb&scope=openid&max_age=-1"+
		"&code_challenge=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA&code_challenge_method=S256&ui_locales=de+x&id_token_hint=e30.e30.", "", "")
	f.Add("GET", "/authorize/callback", "id=x", "", "")
	f.Add("GET", "/end_session", "id_token_hint=e30.e30.&post_logout_redirect_uri=http://127.0.0.1:9/&state=x", "", "")
	f.Add("POST", "/login", "id=x", "name=x", "")
	f.Fuzz(func(t *testing.T, method, path, query, body, authorization string) {
		if strings.ContainsFunc(query, unicode.IsControl) {
			return // net/http refuses it
		}
		if method != http.MethodPost {
			method = http.MethodGet
		}
		r := httptest.NewRequest(method, "http://127.0.0.1:8080/dev-idp/", strings.NewReader(body))
		r.URL.Path, r.URL.RawQuery, r.RemoteAddr = "/dev-idp/"+strings.TrimPrefix(path, "/"), query, "127.0.0.1:1"
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Authorization", authorization)
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if w.Code >= 500 {
			t.Errorf("the answer is %d %s", w.Code, w.Body)
		}
		if to, err := url.Parse(w.Header().Get("Location")); err != nil || to.Host != "" && to.Hostname() != "127.0.0.1" && to.Hostname() != "::1" {
			t.Errorf("the answer leads to %s", w.Header().Get("Location"))
		}
	})
}
