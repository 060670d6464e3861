package signin_test

import (
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/backend/hosted/signin"
	"github.com/voicewright/voicewright/backend/service/devidp/devidptest"
)

// TestSignInWithTheDevIDP: sign in, use, renew twice, sign out; afterwards the issuer accepts nothing of it.
func TestSignInWithTheDevIDP(t *testing.T) {
	t.Parallel()
	issuer, _ := devidptest.Start(t)
	l := newLab(t, signin.Config{Issuer: issuer, ClientID: clientID, Audience: devidptest.Audience})
	address, err := l.Start(t.Context(), true)
	require.NoError(t, err)
	require.Equal(t, address, <-l.opened)
	require.Equal(t, signin.Waiting, l.State().Status)
	require.Equal(t, address, l.State().URL)

	status, body, header := l.open(devidptest.Browse(t, address, "Ann@Example.org"))
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, body, "You are signed in. You can close this tab.")
	require.Contains(t, header.Get("Content-Security-Policy"), "default-src 'none'")
	require.NotContains(t, body, "src=")
	require.Equal(t, signin.State{Status: signin.Idle}, l.State())
	account, ok := l.Account()
	require.True(t, ok)
	require.Equal(t, "ann@example.org", account.Email)
	require.Equal(t, "ann@example.org", account.Name)

	first, err := l.Token(t.Context(), "")
	require.NoError(t, err)
	same, err := l.Token(t.Context(), "")
	require.NoError(t, err)
	require.Equal(t, first, same)
	second, err := l.Token(t.Context(), first)
	require.NoError(t, err)
	require.NotEqual(t, first, second)
	l.setNow(time.Now().Add(61 * time.Minute))
	third, err := l.Token(t.Context(), "")
	require.NoError(t, err)
	require.NotEqual(t, second, third)

	stored := l.secrets.value[signin.Secret]
	notice, err := l.SignOut(t.Context())
	require.NoError(t, err)
	require.Nil(t, notice)
	_, ok = l.Account()
	require.False(t, ok)
	_, err = l.Token(t.Context(), "")
	backendtest.RequireCode(t, backend.CodeHostedNotSignedIn, err)

	l.secrets.value[signin.Secret] = stored // as a thief has it
	_, err = l.Token(t.Context(), "")
	backendtest.RequireCode(t, backend.CodeHostedNotSignedIn, err)
	require.Empty(t, l.secrets.value)
}

// TestTheAddressForTheBrowser has all that the protocol asks for.
func TestTheAddressForTheBrowser(t *testing.T) {
	t.Parallel()
	l := newLab(t, newIssuer(t).config())
	_, query := l.start()
	require.Equal(t, "code", query.Get("response_type"))
	require.Equal(t, clientID, query.Get("client_id"))
	require.Equal(t, "S256", query.Get("code_challenge_method"))
	require.Len(t, query.Get("code_challenge"), 43)
	require.GreaterOrEqual(t, len(query.Get("state")), 22)
	require.GreaterOrEqual(t, len(query.Get("nonce")), 22)
	require.Equal(t, "openid profile email offline_access", query.Get("scope"))
	require.Equal(t, "https://service.test/", query.Get("audience"))
	require.Equal(t, "https://service.test/", query.Get("resource"))
	require.Regexp(t, `^http://127\.0\.0\.1:\d+/signed-in$`, query.Get("redirect_uri"))

	_, other := l.start()
	for _, name := range []string{"state", "nonce", "code_challenge"} {
		require.NotEqual(t, query.Get(name), other.Get(name))
	}
	require.NoError(t, l.Cancel())
}

// TestOnlyTheRightRequestEndsTheSignIn: others are refused, and the sign-in goes on.
func TestOnlyTheRightRequestEndsTheSignIn(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	l := newLab(t, i.config())
	_, query := l.start()
	i.setNonce(query.Get("nonce"))
	redirect, good := query.Get("redirect_uri"), url.Values{"code": {"good"}, "state": {query.Get("state")}}

	for name, c := range map[string]struct {
		address string
		change  func(*http.Request)
		status  int
	}{
		"wrong state":    {redirect + "?code=good&state=guess", nil, http.StatusBadRequest},
		"no state":       {redirect + "?code=good", nil, http.StatusBadRequest},
		"two states":     {redirect + "?" + good.Encode() + "&state=x", nil, http.StatusBadRequest},
		"another path":   {redirect + "/x?" + good.Encode(), nil, http.StatusNotFound},
		"favicon":        {strings.TrimSuffix(redirect, "/signed-in") + "/favicon.ico", nil, http.StatusNotFound},
		"another host":   {redirect + "?" + good.Encode(), func(r *http.Request) { r.Host = "evil.example" }, http.StatusMisdirectedRequest},
		"localhost":      {redirect + "?" + good.Encode(), func(r *http.Request) { r.Host = "localhost:" + r.URL.Port() }, http.StatusMisdirectedRequest},
		"another method": {redirect + "?" + good.Encode(), func(r *http.Request) { r.Method = http.MethodPost }, http.StatusMethodNotAllowed},
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, c.address, nil)
		require.NoError(t, err)
		if c.change != nil {
			c.change(req)
		}
		status, _, _ := l.do(req)
		require.Equal(t, c.status, status, name)
		require.Equal(t, signin.Waiting, l.State().Status, name)
	}
	require.Empty(t, i.requests())
	status, _, _ := l.come(query, good)
	require.Equal(t, http.StatusOK, status)

	err := l.Finish(t.Context(), redirect+"?"+good.Encode())
	backendtest.RequireCode(t, backend.CodeNotInProgress, err)
	require.ErrorContains(t, err, "used already")
	require.Eventually(t, func() bool { // the listener is closed
		c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", mustHost(t, redirect))
		if err == nil {
			_ = c.Close()
		}
		return err != nil
	}, 2*time.Minute, time.Millisecond)
}

func mustHost(t *testing.T, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	require.NoError(t, err)
	return u.Host
}

func TestARefusedSignIn(t *testing.T) {
	t.Parallel()
	l := newLab(t, newIssuer(t).config())
	_, query := l.start()
	status, body, _ := l.come(query, url.Values{"error": {"access_denied"}, "state": {query.Get("state")}})
	require.Equal(t, http.StatusBadRequest, status)
	require.Contains(t, body, "refused or cancelled")
	require.Equal(t, signin.Failed, l.State().Status)
	require.Equal(t, "denied", l.State().Err.Params["reason"])
	require.Empty(t, l.secrets.value)
}

func TestTimeLimitCancelAndRestart(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	l := newLab(t, i.config())
	backendtest.RequireCode(t, backend.CodeNotInProgress, l.Cancel())

	_, first := l.start()
	_, second := l.start() // replaces it
	require.Equal(t, signin.Waiting, l.State().Status)
	back := url.Values{"code": {"good"}, "state": {first.Get("state")}}
	requireInvalid(t, l.Finish(t.Context(), first.Get("redirect_uri")+"?"+back.Encode()))
	require.NoError(t, l.Cancel())
	require.Equal(t, signin.State{Status: signin.Idle}, l.State())
	back.Set("state", second.Get("state"))
	backendtest.RequireCode(t, backend.CodeNotInProgress, l.Finish(t.Context(), second.Get("redirect_uri")+"?"+back.Encode()))

	l.start()
	require.WithinDuration(t, time.Now().Add(2*time.Minute), l.State().Expires, time.Minute)
	l.timers.fire()
	require.Eventually(t, func() bool { return l.State().Status == signin.Failed }, 2*time.Minute, time.Millisecond)
	require.Equal(t, "timeout", l.State().Err.Params["reason"])
}

// TestFinish takes what a user copies from a browser on another machine.
func TestFinish(t *testing.T) {
	t.Parallel()
	for name, form := range map[string]string{
		"address": "http://127.0.0.1:1/signed-in?%s", "with blanks": "  http://127.0.0.1:1/signed-in?%s\r\n", "query": "%s", "query with ?": "?%s",
		"quoted": `"http://127.0.0.1:1/signed-in?%s"`, "fragment": "http://127.0.0.1:1/signed-in?%s#",
	} {
		i := newIssuer(t)
		l := newLab(t, i.config())
		address, query := l.start()
		i.setNonce(query.Get("nonce"))
		for _, wrong := range []string{"", "x", address, "https://evil.example/?code=good&state=" + query.Get("state"), "code=good", "%zz?code=1&state=2"} {
			requireInvalid(t, l.Finish(t.Context(), wrong))
		}
		good := url.Values{"code": {"good"}, "state": {query.Get("state")}}.Encode()
		require.NoError(t, l.Finish(t.Context(), strings.Replace(form, "%s", good, 1)), name)
		_, ok := l.Account()
		require.True(t, ok, name)
	}
}

// TestNothingIsSentToAnUnsafeIssuer nor offline.
func TestNothingIsSentToAnUnsafeIssuer(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	l := newLab(t, i.config())
	for _, unsafe := range []string{
		"http://issuer.example", "http://user@127.0.0.1:1", "ftp://127.0.0.1", "https://", "https://issuer.example?x=1", "://", "http://127.0.0.1.evil.example",
	} {
		l.config.Issuer = unsafe
		_, err := l.Start(t.Context(), false)
		backendtest.RequireCode(t, backend.CodeHostedNotConfigured, err)
	}
	l.config.Issuer = ""
	_, err := l.Start(t.Context(), false)
	backendtest.RequireCode(t, backend.CodeHostedNotConfigured, err)

	l.config = i.config()
	l.secrets.place = "none"
	_, err = l.Start(t.Context(), false)
	backendtest.RequireCode(t, backend.CodeSecretsUnavailable, err)
	require.ErrorContains(t, err, "no keychain")
	l.offline.Store(true)
	_, err = l.Start(t.Context(), false)
	backendtest.RequireCode(t, backend.CodeOffline, err)
	_, err = l.Token(t.Context(), "")
	backendtest.RequireCode(t, backend.CodeOffline, err)
	require.Zero(t, l.secrets.reads)
	require.Zero(t, i.Fetches("/.well-known/openid-configuration"))
}

func requireInvalid(t *testing.T, err error) {
	t.Helper()
	var invalid *backend.ValidationError
	require.ErrorAs(t, err, &invalid)
	require.Equal(t, []string{"body", "url"}, invalid.Fields[0].Loc)
}
