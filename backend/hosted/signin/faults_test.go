package signin_test

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/backend/hosted/signin"
	"github.com/voicewright/voicewright/backend/service/identity/identitytest"
)

// finish signs in with what the issuer now answers, and returns the error.
func (l *lab) finish(i *issuer, change func(query, back url.Values)) error {
	l.Helper()
	_, query := l.start()
	i.setNonce(query.Get("nonce"))
	back := url.Values{"code": {"good"}, "state": {query.Get("state")}}
	if change != nil {
		change(query, back)
	}
	return l.Finish(l.Context(), back.Encode())
}

// TestWrongIDTokens sign nobody in.
func TestWrongIDTokens(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	l := newLab(t, i.config())
	for name, claims := range map[string]map[string]any{
		"nonce":           {"nonce": "another"},
		"no nonce":        {"nonce": nil},
		"audience":        {"aud": "another"},
		"issuer":          {"iss": "https://evil.example"},
		"no subject":      {"sub": ""},
		"another party":   {"aud": []string{clientID, "b"}, "azp": "b"},
		"another at_hash": {"at_hash": "AAAAAAAAAAAAAAAAAAAAAA"},
	} {
		i.set(claims)
		e := backendtest.Failure(t, backend.CodeHostedSignInFailed, l.finish(i, nil))
		require.Equal(t, "token", e.Params["reason"], name)
		require.Equal(t, signin.Failed, l.State().Status)
		require.Equal(t, e.Detail, l.State().Err.Detail)
	}
	i.set(nil)
	e := backendtest.Failure(t, backend.CodeHostedSignInFailed, l.finish(i, func(_, back url.Values) { back.Set("iss", "https://evil.example") }))
	require.Equal(t, "token", e.Params["reason"])
	e = backendtest.Failure(t, backend.CodeHostedSignInFailed, l.finish(i, func(_, back url.Values) { back.Set("code", "bad") }))
	require.Equal(t, "refused", e.Params["reason"])
	require.Equal(t, "invalid_grant", e.Params["error"])
	e = backendtest.Failure(t, backend.CodeHostedSignInFailed, l.finish(i, func(_, back url.Values) {
		back.Del("code")
		back.Set("error", "<script>")
	}))
	require.Empty(t, e.Params["error"])
	require.Empty(t, l.secrets.value)
	require.NoError(t, l.finish(i, nil))
}

// TestAForgedIDToken is signed with a key that the issuer does not publish.
func TestAForgedIDToken(t *testing.T) {
	t.Parallel()
	i, other := newIssuer(t), identitytest.New(t)
	l := newLab(t, i.config())
	other.Rotate()
	other.URL = i.URL
	i.Handle("/token", func(w http.ResponseWriter, r *http.Request) {
		i.mu.Lock()
		defer i.mu.Unlock()
		writeJSON(w, http.StatusOK, map[string]any{
			"access_token": "a", "token_type": "Bearer", "refresh_token": "r", "id_token": other.Token("ann", map[string]any{"aud": clientID, "nonce": i.nonce}),
		})
	})
	e := backendtest.Failure(t, backend.CodeHostedSignInFailed, l.finish(i, nil))
	require.Equal(t, "token", e.Params["reason"])
}

// TestAWrongClock is named, with how far it is off; a few minutes do not matter.
func TestAWrongClock(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	l := newLab(t, i.config())
	for off, words := range map[time.Duration]string{
		24 * time.Hour: "24 hours ahead of", -24 * time.Hour: "24 hours behind", 2 * time.Hour: "2 hours ahead of", 11 * time.Minute: "11 minutes ahead of", -10 * time.Minute: "10 minutes behind",
	} {
		l.setNow(time.Now().Add(off))
		e := backendtest.Failure(t, backend.CodeHostedSignInFailed, l.finish(i, nil))
		require.Equal(t, "clock", e.Params["reason"])
		require.Contains(t, e.Detail, "This computer's clock is about "+words)
		require.Contains(t, e.Remedy, "date and time")
	}
	for _, off := range []time.Duration{4 * time.Minute, 9 * time.Minute, -4 * time.Minute} {
		l.setNow(time.Now().Add(off))
		require.NoError(t, l.finish(i, nil))
	}
}

// TestFaultyAnswers of the issuer are named, and none of their text is shown.
func TestFaultyAnswers(t *testing.T) {
	t.Parallel()
	html := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<html>CANARY</html>"))
	}
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, code, map[string]any{"error": "CANARY"}) }
	}
	document := func(i *issuer, key string, value any) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			d := i.document()
			d[key] = value
			writeJSON(w, http.StatusOK, d)
		}
	}
	for name, c := range map[string]struct {
		path    string
		handler func(*issuer) http.HandlerFunc
		code    backend.Code
	}{
		"discovery in HTML": {identitytest.DiscoveryPath, func(*issuer) http.HandlerFunc { return html }, backend.CodeHostedBadAnswer},
		"no discovery":      {identitytest.DiscoveryPath, func(*issuer) http.HandlerFunc { return http.NotFound }, backend.CodeHostedBadAnswer},
		"discovery down":    {identitytest.DiscoveryPath, func(*issuer) http.HandlerFunc { return status(503) }, backend.CodeHostedUnreachable},
		"another issuer":    {identitytest.DiscoveryPath, func(i *issuer) http.HandlerFunc { return document(i, "issuer", "https://evil.example") }, backend.CodeHostedBadAnswer},
		"token endpoint elsewhere": {identitytest.DiscoveryPath, func(i *issuer) http.HandlerFunc {
			return document(i, "token_endpoint", "http://evil.example/token")
		}, backend.CodeHostedBadAnswer},
		"no token endpoint": {identitytest.DiscoveryPath, func(i *issuer) http.HandlerFunc { return document(i, "token_endpoint", "") }, backend.CodeHostedBadAnswer},
		"discovery of wrong types": {identitytest.DiscoveryPath, func(i *issuer) http.HandlerFunc {
			return document(i, "scopes_supported", 1)
		}, backend.CodeHostedBadAnswer},
		"redirect to another host": {identitytest.DiscoveryPath, func(*issuer) http.HandlerFunc {
			return http.RedirectHandler("http://127.0.0.1:1/x", http.StatusFound).ServeHTTP
		}, backend.CodeHostedBadAnswer},
		"huge": {identitytest.DiscoveryPath, func(*issuer) http.HandlerFunc {
			return func(w http.ResponseWriter, _ *http.Request) {
				writeJSON(w, http.StatusOK, map[string]any{"x": strings.Repeat("x", 600<<10)})
			}
		}, backend.CodeHostedBadAnswer},
		"token in HTML": {"/token", func(*issuer) http.HandlerFunc { return html }, backend.CodeHostedBadAnswer},
		"token is a list": {"/token", func(*issuer) http.HandlerFunc {
			return func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, 200, []int{1}) }
		}, backend.CodeHostedBadAnswer},
		"token without token": {"/token", func(*issuer) http.HandlerFunc {
			return func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, 200, map[string]any{"x": 1}) }
		}, backend.CodeHostedBadAnswer},
		"token of wrong types": {"/token", func(*issuer) http.HandlerFunc {
			return func(w http.ResponseWriter, _ *http.Request) { writeJSON(w, 200, map[string]any{"access_token": 1}) }
		}, backend.CodeHostedBadAnswer},
		"token endpoint moved": {"/token", func(i *issuer) http.HandlerFunc {
			return http.RedirectHandler(i.URL+"/other", http.StatusTemporaryRedirect).ServeHTTP
		}, backend.CodeHostedBadAnswer},
		"token endpoint down": {"/token", func(*issuer) http.HandlerFunc { return status(500) }, backend.CodeHostedUnreachable},
		"cut off": {"/token", func(*issuer) http.HandlerFunc {
			return func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }
		}, backend.CodeHostedUnreachable},
		"keys in HTML": {identitytest.KeysPath, func(*issuer) http.HandlerFunc { return html }, backend.CodeHostedBadAnswer},
		"keys down":    {identitytest.KeysPath, func(*issuer) http.HandlerFunc { return status(503) }, backend.CodeHostedUnreachable},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			i := newIssuer(t)
			l := newLab(t, i.config())
			i.Handle(c.path, c.handler(i))
			var err error
			if c.path == identitytest.DiscoveryPath {
				_, err = l.Start(t.Context(), false)
				require.Equal(t, signin.Idle, l.State().Status)
			} else {
				err = l.finish(i, nil)
				require.Equal(t, signin.Failed, l.State().Status)
			}
			e := backendtest.Failure(t, c.code, err)
			require.NotContains(t, e.Detail+e.Remedy, "CANARY")
			require.Contains(t, e.Detail, "127.0.0.1", "the host is named")
			require.Empty(t, l.secrets.value)
		})
	}
}

// TestPlainOAuth: an issuer without ID tokens and refresh tokens signs in until the access token ends.
func TestPlainOAuth(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	l := newLab(t, i.config())
	i.Handle("/token", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, map[string]any{"access_token": "a", "token_type": "Bearer", "expires_in": "600"})
	})
	require.NoError(t, l.finish(i, nil))
	token, err := l.Token(t.Context(), "")
	require.NoError(t, err)
	require.Equal(t, "a", token)
	l.setNow(time.Now().Add(11 * time.Minute))
	_, err = l.Token(t.Context(), "")
	backendtest.RequireCode(t, backend.CodeHostedNotSignedIn, err)
	require.Empty(t, l.secrets.value)
}

// TestAWrongCertificate: nothing is sent, and the certificate is named.
func TestAWrongCertificate(t *testing.T) {
	t.Parallel()
	var requests atomic.Int32
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { requests.Add(1) }))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	l := newLab(t, signin.Config{Issuer: server.URL, ClientID: clientID})
	_, err := l.Start(t.Context(), false)
	require.ErrorContains(t, err, "certificate of the sign-in server")
	backendtest.RequireCode(t, backend.CodeHostedUnreachable, err)
	require.Zero(t, requests.Load())
}

// TestSessionsThatNobodyUsesAreEnded: one that is replaced, and one that cannot be stored.
func TestSessionsThatNobodyUsesAreEnded(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	l := signedIn(t, i)
	revocations := func() (tokens []string) {
		for _, form := range i.requests() {
			if form.Has("token") {
				tokens = append(tokens, form.Get("token"))
			}
		}
		return tokens
	}
	require.NoError(t, l.finish(i, nil))
	require.Equal(t, []string{"refresh-i"}, revocations())
	l.secrets.setFailure(backend.E(backend.CodeSecretsUnavailable, "The keychain is locked.", "Unlock it."))
	backendtest.RequireCode(t, backend.CodeSecretsUnavailable, l.finish(i, nil))
	require.Equal(t, []string{"refresh-i", "refresh-iii"}, revocations())
	require.Equal(t, "refresh-ii", l.secrets.refreshToken(t), "the one before stays")
}
