package devidp_test

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	goidc "github.com/coreos/go-oidc/v3/oidc"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	"golang.org/x/oauth2"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/devidp"
	"github.com/voicewright/voicewright/backend/service/identity"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	clientID = "voicewright"
	audience = "voicewright-service"
)

// lab is the issuer behind a listener, and an app that signs in to it.
type lab struct {
	*testing.T
	issuer   string
	server   *httptest.Server
	client   *http.Client // follows no redirects
	provider *goidc.Provider
	config   oauth2.Config
}

// open starts the issuer on a port that is free, or on the port of address.
func open(t *testing.T, address, file string, now func() time.Time) *lab {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", address)
	require.NoError(t, err)
	issuer := "http://" + listener.Addr().String() + "/dev-idp"
	handler, err := devidp.New(devidp.Options{Issuer: issuer, ClientID: clientID, Audience: audience, File: file, Now: now})
	require.NoError(t, err)
	server := &httptest.Server{Listener: listener, Config: &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}}
	server.Start()
	t.Cleanup(server.Close)

	l := &lab{T: t, issuer: issuer, server: server, client: server.Client()}
	l.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	l.provider, err = goidc.NewProvider(l.ctx(), issuer)
	require.NoError(t, err)
	l.config = oauth2.Config{
		ClientID: clientID, Endpoint: l.provider.Endpoint(), RedirectURL: "http://127.0.0.1:54321/callback",
		Scopes: []string{goidc.ScopeOpenID, "email", "profile", goidc.ScopeOfflineAccess},
	}
	return l
}

func start(t *testing.T) *lab { return open(t, "127.0.0.1:0", "", nil) }

func (l *lab) ctx() context.Context { return goidc.ClientContext(l.Context(), l.client) }

// get returns status, body and Location of an address.
func (l *lab) get(address string) (int, string, *url.URL) {
	l.Helper()
	req, err := http.NewRequestWithContext(l.Context(), http.MethodGet, address, nil)
	require.NoError(l, err)
	return l.do(req)
}

func (l *lab) post(address string, form url.Values) (int, string, *url.URL) {
	l.Helper()
	req, err := http.NewRequestWithContext(l.Context(), http.MethodPost, address, strings.NewReader(form.Encode()))
	require.NoError(l, err)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return l.do(req)
}

func (l *lab) do(req *http.Request) (int, string, *url.URL) {
	l.Helper()
	res, err := l.client.Do(req)
	require.NoError(l, err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	require.NoError(l, err)
	location, _ := res.Location() // nil without one
	return res.StatusCode, string(body), location
}

// login opens the page that an authorization address leads to.
func (l *lab) login(authorize string) *url.URL {
	l.Helper()
	status, body, page := l.get(authorize)
	require.Equal(l, http.StatusFound, status, body)
	require.Equal(l, l.issuer+"/login", page.Scheme+"://"+page.Host+page.Path)
	return page
}

// callback signs in on the page and returns the address of the app that the browser opens then.
func (l *lab) callback(page *url.URL, name string) *url.URL {
	l.Helper()
	status, body, location := l.post(page.String(), url.Values{"name": {name}})
	require.Equal(l, http.StatusSeeOther, status, body)
	status, body, location = l.get(location.String())
	require.Equal(l, http.StatusFound, status, body)
	return location
}

// code signs in and returns a code with its verifier.
func (l *lab) code(name string) (code, verifier string) {
	l.Helper()
	verifier = oauth2.GenerateVerifier()
	back := l.callback(l.login(l.config.AuthCodeURL("s", oauth2.S256ChallengeOption(verifier))), name)
	require.NotEmpty(l, back.Query().Get("code"), back.String())
	return back.Query().Get("code"), verifier
}

func (l *lab) tokens(name string) *oauth2.Token {
	l.Helper()
	code, verifier := l.code(name)
	token, err := l.config.Exchange(l.ctx(), code, oauth2.VerifierOption(verifier))
	require.NoError(l, err)
	return token
}

func (l *lab) refresh(token *oauth2.Token) (*oauth2.Token, error) {
	return l.config.TokenSource(l.ctx(), &oauth2.Token{RefreshToken: token.RefreshToken}).Token()
}

func (l *lab) userinfo(token *oauth2.Token) (*goidc.UserInfo, error) {
	return l.provider.UserInfo(l.ctx(), oauth2.StaticTokenSource(token))
}

// verify checks an access token as the service does.
func (l *lab) verify(token *oauth2.Token) (service.Identity, error) {
	v, err := identity.New(l.Context(), identity.Options{Issuer: l.issuer, Audience: audience, HTTP: l.server.Client()})
	require.NoError(l, err)
	defer v.Close()
	return v.Verify(l.Context(), token.AccessToken)
}

// TestSignIn is what the app does: code with PKCE, state and nonce; the tokens; refresh; userinfo; revocation.
func TestSignIn(t *testing.T) {
	for _, redirect := range []string{"http://127.0.0.1:54321/callback", "http://127.0.0.1", "http://[::1]:1/", "http://[::1]:54321/any/path?x=1"} {
		t.Run(redirect, func(t *testing.T) {
			l := start(t)
			l.config.RedirectURL = redirect
			verifier := oauth2.GenerateVerifier()
			page := l.login(l.config.AuthCodeURL("the state", oauth2.S256ChallengeOption(verifier), goidc.Nonce("the nonce")))
			back := l.callback(page, " Ann@Example.com ")
			registered, err := url.Parse(redirect)
			require.NoError(t, err)
			require.Equal(t, registered.Scheme+registered.Host+registered.Path, back.Scheme+back.Host+back.Path)
			require.Equal(t, registered.Query().Get("x"), back.Query().Get("x"))
			require.Equal(t, "the state", back.Query().Get("state"))

			token, err := l.config.Exchange(l.ctx(), back.Query().Get("code"), oauth2.VerifierOption(verifier))
			require.NoError(t, err)
			require.Equal(t, "Bearer", token.TokenType)
			require.WithinDuration(t, time.Now().Add(time.Hour), token.Expiry, time.Minute)
			id, err := l.provider.Verifier(&goidc.Config{ClientID: clientID}).Verify(l.ctx(), token.Extra("id_token").(string))
			require.NoError(t, err)
			require.Equal(t, "the nonce", id.Nonce)
			require.Equal(t, "ann@example.com", id.Subject)
			require.NoError(t, id.VerifyAccessToken(token.AccessToken))

			who, err := l.verify(token)
			require.NoError(t, err)
			require.Equal(t, service.Identity{Subject: "ann@example.com", Email: "ann@example.com"}, who)
			info, err := l.userinfo(token)
			require.NoError(t, err)
			require.Equal(t, "ann@example.com", info.Subject)
			require.Equal(t, "ann@example.com", info.Email)

			fresh, err := l.refresh(token)
			require.NoError(t, err)
			require.NotEqual(t, token.RefreshToken, fresh.RefreshToken)
			require.NotEqual(t, token.AccessToken, fresh.AccessToken)
			who, err = l.verify(fresh)
			require.NoError(t, err)
			require.Equal(t, "ann@example.com", who.Subject)

			status, body, _ := l.post(l.issuer+"/revoke", url.Values{"token": {fresh.RefreshToken}, "client_id": {clientID}})
			require.Equal(t, http.StatusOK, status, body)
			_, err = l.refresh(fresh)
			require.ErrorContains(t, err, "invalid_grant")
			_, err = l.userinfo(fresh)
			require.Error(t, err)
		})
	}
}

func TestNames(t *testing.T) {
	l := start(t)
	for _, c := range []struct {
		name string
		want service.Identity
	}{
		{"ann@example.com", service.Identity{Subject: "ann@example.com", Email: "ann@example.com"}},
		{"  ANN@Example.COM", service.Identity{Subject: "ann@example.com", Email: "ann@example.com"}},
		{"Ann", service.Identity{Subject: "ann"}},
		{"Zoe\u0308", service.Identity{Subject: "zoë"}},
		{"Zo\u00eb", service.Identity{Subject: "zoë"}},
		{strings.Repeat("ü", 255), service.Identity{Subject: strings.Repeat("ü", 255)}},
		{`<script>"&'`, service.Identity{Subject: `<script>"&'`}},
	} {
		who, err := l.verify(l.tokens(c.name))
		require.NoError(t, err, c.name)
		require.Equal(t, c.want, who)
	}
	for _, name := range []string{"", "   ", strings.Repeat("x", 256), "a\x00b", "a\xffb"} {
		page := l.login(l.config.AuthCodeURL("s", oauth2.S256ChallengeOption("v")))
		status, body, _ := l.post(page.String(), url.Values{"name": {name}})
		require.Equal(t, http.StatusUnprocessableEntity, status, name)
		require.Contains(t, body, "Enter an email address or a name of 1 to 255 characters.")
	}
}

// TestAuthorizeRefuses: what is wrong with a redirect address stays here, other mistakes go to the app.
func TestAuthorizeRefuses(t *testing.T) {
	l := start(t)
	challenge := oauth2.S256ChallengeFromVerifier("v")
	good := url.Values{
		"response_type": {"code"}, "client_id": {clientID}, "redirect_uri": {"http://127.0.0.1:9/cb"}, "scope": {"openid"},
		"state": {"s"}, "code_challenge": {challenge}, "code_challenge_method": {"S256"},
	}
	with := func(name string, values ...string) url.Values {
		changed := url.Values{}
		for k, v := range good {
			changed[k] = v
		}
		changed[name] = values
		return changed
	}
	for name, query := range map[string]url.Values{
		"no redirect":                 with("redirect_uri"),
		"redirect elsewhere":          with("redirect_uri", "https://evil.example/cb"),
		"http elsewhere":              with("redirect_uri", "http://evil.example/cb"),
		"localhost":                   with("redirect_uri", "http://localhost:9/cb"),
		"host that begins alike":      with("redirect_uri", "http://127.0.0.1.evil.example/cb"),
		"host that hides as a user":   with("redirect_uri", "http://127.0.0.1:9@evil.example/cb"),
		"escaped host":                with("redirect_uri", "http://127.0.0.1%3A9%2Fcb%23@evil.example"),
		"escaped twice":               with("redirect_uri", "http://127.0.0.1:9%2523@evil.example/cb"),
		"backslash":                   with("redirect_uri", `http://127.0.0.1:9\@evil.example/cb`),
		"line break":                  with("redirect_uri", "http://127.0.0.1:9/cb\r\nX: y"),
		"fragment":                    with("redirect_uri", "http://127.0.0.1:9/cb#x"),
		"script":                      with("redirect_uri", "javascript:alert(1)"),
		"https of this machine":       with("redirect_uri", "https://127.0.0.1:9/cb"),
		"another address of loopback": with("redirect_uri", "http://127.1:9/cb"),
		"redirect twice":              with("redirect_uri", "http://127.0.0.1:9/cb", "http://127.0.0.1:10/cb"),
		"state twice":                 with("state", "a", "b"),
		"unknown client":              with("client_id", "other"),
		"no client":                   with("client_id"),
		"huge":                        with("state", strings.Repeat("x", 40<<10)),
	} {
		t.Run(name, func(t *testing.T) {
			status, body, location := l.get(l.issuer + "/authorize?" + query.Encode())
			require.Equal(t, http.StatusBadRequest, status, body)
			require.Nil(t, location)
		})
	}
	for name, query := range map[string]url.Values{
		"no PKCE":         with("code_challenge"),
		"plain PKCE":      with("code_challenge_method", "plain"),
		"PKCE by default": with("code_challenge_method"),
		"short challenge": with("code_challenge", "x"),
		"implicit":        with("response_type", "id_token token"),
		"hybrid":          with("response_type", "code id_token"),
		"no type":         with("response_type"),
		"fragment":        with("response_mode", "fragment"),
		"form":            with("response_mode", "form_post"),
		"no scope":        with("scope"),
		"silent":          with("prompt", "none"),
		"request object":  with("request", "eyJhbGciOiJub25lIn0.e30."),
	} {
		t.Run(name, func(t *testing.T) {
			status, body, location := l.get(l.issuer + "/authorize?" + query.Encode())
			if location == nil { // form_post answers with a page
				require.Contains(t, body, "error")
				return
			}
			require.Equal(t, http.StatusFound, status, body)
			require.Equal(t, "127.0.0.1:9", location.Host)
			require.Contains(t, location.RawQuery+location.Fragment, "error=")
			require.NotContains(t, location.RawQuery+location.Fragment, "code=")
		})
	}
}

func TestTokenEndpointRefuses(t *testing.T) {
	l := start(t)
	form := func(code, verifier string) url.Values {
		return url.Values{
			"grant_type": {"authorization_code"}, "client_id": {clientID}, "code": {code},
			"redirect_uri": {l.config.RedirectURL}, "code_verifier": {verifier},
		}
	}
	for name, change := range map[string]func(url.Values){
		"wrong verifier":     func(f url.Values) { f.Set("code_verifier", oauth2.GenerateVerifier()) },
		"no verifier":        func(f url.Values) { f.Del("code_verifier") },
		"challenge returned": func(f url.Values) { f.Set("code_verifier", oauth2.S256ChallengeFromVerifier(f.Get("code_verifier"))) },
		"another redirect":   func(f url.Values) { f.Set("redirect_uri", "http://127.0.0.1:54322/callback") },
		"another client":     func(f url.Values) { f.Set("client_id", "other") },
		"no client":          func(f url.Values) { f.Del("client_id") },
		"unknown code":       func(f url.Values) { f.Set("code", "x") },
		"no code":            func(f url.Values) { f.Del("code") },
		"unknown grant":      func(f url.Values) { f.Set("grant_type", "password") },
		"client credentials": func(f url.Values) { f.Set("grant_type", "client_credentials") },
		"JWT grant": func(f url.Values) {
			f.Set("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer")
			f.Set("assertion", "eyJhbGciOiJub25lIn0.e30.")
		},
		"two codes":       func(f url.Values) { f.Add("code", "x") },
		"odd field names": func(f url.Values) { f.Set("scope.0", "x"); f.Set("code[0]", "x"); f.Set(".", "x"); f.Del("code") },
	} {
		t.Run(name, func(t *testing.T) {
			code, verifier := l.code("ann")
			f := form(code, verifier)
			change(f)
			status, body, _ := l.post(l.issuer+"/oauth/token", f)
			require.GreaterOrEqual(t, status, 400, body)
			require.Less(t, status, 500, body)
			require.NotContains(t, body, "access_token")
		})
	}
	t.Run("code used twice", func(t *testing.T) {
		code, verifier := l.code("ann")
		status, _, _ := l.post(l.issuer+"/oauth/token", form(code, verifier))
		require.Equal(t, http.StatusOK, status)
		status, body, _ := l.post(l.issuer+"/oauth/token", form(code, verifier))
		require.Equal(t, http.StatusBadRequest, status, body)
	})
	t.Run("Basic authentication that cannot be read", func(t *testing.T) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, l.issuer+"/oauth/token", strings.NewReader("grant_type=authorization_code"))
		require.NoError(t, err)
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.SetBasicAuth("%zz", "")
		status, _, _ := l.do(req)
		require.Equal(t, http.StatusBadRequest, status)
	})
	t.Run("a form in parts", func(t *testing.T) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, l.issuer+"/oauth/token", strings.NewReader("--x--"))
		require.NoError(t, err)
		req.Header.Set("Content-Type", "multipart/form-data; boundary=x")
		status, _, _ := l.do(req)
		require.Equal(t, http.StatusUnsupportedMediaType, status)
	})
	t.Run("GET", func(t *testing.T) {
		status, _, _ := l.get(l.issuer + "/oauth/token?" + form("x", "y").Encode())
		require.Equal(t, http.StatusMethodNotAllowed, status)
	})
}

func TestASignInHasOneCode(t *testing.T) {
	l := start(t)
	page := l.login(l.config.AuthCodeURL("s", oauth2.S256ChallengeOption("v")))
	status, _, callback := l.post(page.String(), url.Values{"name": {"ann"}})
	require.Equal(t, http.StatusSeeOther, status)
	status, _, _ = l.post(page.String(), url.Values{"name": {"eve"}})
	require.Equal(t, http.StatusBadRequest, status, "another user for the same request")
	status, _, back := l.get(callback.String())
	require.Equal(t, http.StatusFound, status)
	require.NotEmpty(t, back.Query().Get("code"))
	for range 2 {
		status, _, back = l.get(callback.String())
		require.Equal(t, http.StatusBadRequest, status)
		require.Nil(t, back)
	}
	status, body, _ := l.get(page.String())
	require.Equal(t, http.StatusBadRequest, status)
	require.Contains(t, body, "This sign-in has ended or was used already.")
}

func TestNobodySignsInWithoutTheForm(t *testing.T) {
	l := start(t)
	page := l.login(l.config.AuthCodeURL("s", oauth2.S256ChallengeOption("v")))
	status, _, back := l.get(l.issuer + "/authorize/callback?" + page.RawQuery)
	require.Equal(t, http.StatusFound, status)
	require.Equal(t, "interaction_required", back.Query().Get("error"))
	status, _, _ = l.get(page.String() + "&name=ann")
	require.Equal(t, http.StatusOK, status)
	status, _, _ = l.post(page.String()+"&name=ann", nil)
	require.Equal(t, http.StatusUnprocessableEntity, status)
}

// TestRefreshTokensRotate: the second use of a refresh token means that two have it, and ends the sign-in of both.
func TestRefreshTokensRotate(t *testing.T) {
	l := start(t)
	first := l.tokens("ann")
	other := l.tokens("ann")
	second, err := l.refresh(first)
	require.NoError(t, err)
	third, err := l.refresh(second)
	require.NoError(t, err)
	_, err = l.refresh(first)
	require.ErrorContains(t, err, "invalid_grant")
	_, err = l.refresh(third)
	require.ErrorContains(t, err, "invalid_grant")
	_, err = l.refresh(other)
	require.NoError(t, err, "another sign-in of the same user")

	l.config.Scopes = []string{goidc.ScopeOpenID}
	require.Empty(t, l.tokens("ann").RefreshToken, "without offline_access")
}

func TestRevocation(t *testing.T) {
	l := start(t)
	revoke := func(token string, form url.Values) int {
		form.Set("token", token)
		status, _, _ := l.post(l.issuer+"/revoke", form)
		return status
	}
	client := func() url.Values { return url.Values{"client_id": {clientID}} }
	token := l.tokens("ann")
	session, _, _ := strings.Cut(token.RefreshToken, ".")
	require.Equal(t, http.StatusOK, revoke("unknown", client()))
	require.Equal(t, http.StatusOK, revoke(session, client()))
	require.Equal(t, http.StatusOK, revoke(session+".guess", client()))
	require.Equal(t, http.StatusUnauthorized, revoke(token.AccessToken, url.Values{"client_id": {"other"}}))
	_, err := l.userinfo(token)
	require.NoError(t, err)

	require.Equal(t, http.StatusOK, revoke(token.AccessToken, client()))
	_, err = l.userinfo(token)
	require.Error(t, err)
	_, err = l.refresh(token)
	require.ErrorContains(t, err, "invalid_grant")
}

func TestEndSession(t *testing.T) {
	l := start(t)
	token, other := l.tokens("ann"), l.tokens("ben")
	hint := url.Values{"id_token_hint": {token.Extra("id_token").(string)}}

	evil := url.Values{"client_id": {clientID}, "post_logout_redirect_uri": {"https://evil.example"}}
	status, _, location := l.get(l.issuer + "/end_session?" + evil.Encode())
	require.Equal(t, http.StatusBadRequest, status)
	require.Nil(t, location)
	_, err := l.userinfo(token)
	require.NoError(t, err)

	hint.Set("post_logout_redirect_uri", "http://127.0.0.1:9/out")
	hint.Set("state", "x")
	status, _, location = l.get(l.issuer + "/end_session?" + hint.Encode())
	require.Equal(t, http.StatusFound, status)
	require.Equal(t, "http://127.0.0.1:9/out?state=x", location.String())
	_, err = l.userinfo(token)
	require.Error(t, err)
	_, err = l.userinfo(other)
	require.NoError(t, err)

	status, _, location = l.get(l.issuer + "/end_session")
	require.Equal(t, http.StatusFound, status)
	status, body, _ := l.get(location.String())
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, body, "You are signed out.")
}

// TestSignInsSurviveARestart with a file; without one, nothing does.
func TestSignInsSurviveARestart(t *testing.T) {
	file := filepath.Join(t.TempDir(), "dev-idp.json")
	l := open(t, "127.0.0.1:0", file, nil)
	token := l.tokens("ann")
	l.server.Close()
	info, err := os.Stat(file)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	content, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NotContains(t, string(content), token.RefreshToken)

	l = open(t, l.server.Listener.Addr().String(), file, nil)
	_, err = l.verify(token)
	require.NoError(t, err)
	_, err = l.userinfo(token)
	require.NoError(t, err)
	_, err = l.refresh(token)
	require.NoError(t, err)

	for _, broken := range []string{"", "{}", "x", `{"key":"AAAA"}`, strings.Replace(string(content), `"sessions":{`, `"sessions":{"x":null,`, 1)} {
		require.NoError(t, os.WriteFile(file, []byte(broken), 0o600))
		_, err = devidp.New(devidp.Options{Issuer: l.issuer, ClientID: clientID, Audience: audience, File: file})
		require.ErrorContains(t, err, "delete it to start anew")
		kept, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, broken, string(kept))
	}
}

func TestThingsExpire(t *testing.T) {
	now := time.Now()
	l := open(t, "127.0.0.1:0", "", func() time.Time { return now })
	page := l.login(l.config.AuthCodeURL("s", oauth2.S256ChallengeOption("v")))
	code, verifier := l.code("ann")
	token := l.tokens("ann")

	now = now.Add(61 * time.Second)
	_, err := l.config.Exchange(l.ctx(), code, oauth2.VerifierOption(verifier))
	require.ErrorContains(t, err, "invalid_grant")
	now = now.Add(10 * time.Minute)
	status, _, _ := l.post(page.String(), url.Values{"name": {"ann"}})
	require.Equal(t, http.StatusBadRequest, status)
	now = now.Add(29 * 24 * time.Hour)
	token, err = l.refresh(token)
	require.NoError(t, err)
	now = now.Add(31 * 24 * time.Hour)
	_, err = l.refresh(token)
	require.ErrorContains(t, err, "invalid_grant")
}

// TestManySignIns: those that nobody finishes do not fill the memory, and the newest work.
func TestManySignIns(t *testing.T) {
	l := start(t)
	address := l.config.AuthCodeURL("s", oauth2.S256ChallengeOption("v"))
	first := l.login(address)
	for range 1000 {
		l.login(address)
	}
	status, _, _ := l.get(first.String())
	require.Equal(t, http.StatusBadRequest, status)
	l.tokens("ann")
}

func TestOnlyThisMachine(t *testing.T) {
	handler, err := devidp.New(devidp.Options{Issuer: "http://127.0.0.1:8080/dev-idp", ClientID: clientID, Audience: audience})
	require.NoError(t, err)
	for _, c := range []struct {
		name, remote, host string
		header             map[string]string
		status             int
	}{
		{"program", "127.0.0.1:1", "127.0.0.1:8080", nil, 200},
		{"program, IPv6", "[::1]:1", "[::1]:8080", nil, 200},
		{"program, by name", "127.0.0.1:1", "localhost:8080", nil, 200},
		{"IPv4 in IPv6", "[::ffff:127.0.0.1]:1", "127.0.0.1", nil, 200},
		{"network", "192.168.1.7:1", "127.0.0.1:8080", nil, 403},
		{"network, by address", "192.168.1.7:1", "192.168.1.2:8080", nil, 403},
		{"rebinding", "127.0.0.1:1", "evil.example:8080", nil, 403},
		{"rebinding, alike", "127.0.0.1:1", "127.0.0.1.evil.example", nil, 403},
		{"no host", "127.0.0.1:1", "", nil, 403},
		{"behind a proxy", "127.0.0.1:1", "127.0.0.1:8080", map[string]string{"X-Forwarded-For": "192.168.1.7"}, 403},
		{"no address", "@", "127.0.0.1:8080", nil, 403},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, path := range []string{"/.well-known/openid-configuration", "/keys", "/signed-out"} {
				req := httptest.NewRequest(http.MethodGet, "/dev-idp"+path, nil)
				req.RemoteAddr, req.Host = c.remote, c.host
				for name, value := range c.header {
					req.Header.Set(name, value)
				}
				w := httptest.NewRecorder()
				handler.ServeHTTP(w, req)
				require.Equal(t, c.status, w.Code, path)
			}
		})
	}
}

// TestPagesElsewhereCannotUseIt: other sites may neither post forms nor read answers nor show the page in a frame.
func TestPagesElsewhereCannotUseIt(t *testing.T) {
	l := start(t)
	page := l.login(l.config.AuthCodeURL("s", oauth2.S256ChallengeOption("v")))
	for name, value := range map[string]string{"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, page.String(), strings.NewReader("name=ann"))
		require.NoError(t, err)
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.Header.Set(name, value)
		status, _, _ := l.do(req)
		require.Equal(t, http.StatusForbidden, status)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, page.String(), nil)
	require.NoError(t, err)
	req.Header.Set("Origin", "https://evil.example")
	res, err := l.client.Do(req)
	require.NoError(t, err)
	defer res.Body.Close()
	require.Empty(t, res.Header.Get("Access-Control-Allow-Origin"))
	policy := res.Header.Get("Content-Security-Policy")
	for _, part := range []string{"default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self' http://127.0.0.1:54321;"} {
		require.Contains(t, policy, part)
	}
	require.NotContains(t, policy, "unsafe")
	require.Equal(t, "no-store", res.Header.Get("Cache-Control"))
	body, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.NotContains(t, strings.ToLower(string(body)), "<script")
	require.Contains(t, string(body), "anyone on this computer can sign in as anyone")
}

// TestOnlyWhatIsOffered: the library has more endpoints, which are closed, and the discovery document does not name them.
func TestOnlyWhatIsOffered(t *testing.T) {
	l := start(t)
	for _, path := range []string{"/oauth/introspect", "/device_authorization", "/healthz", "/ready", "/", "//login", "/x/../keys", "/keys/"} {
		status, _, _ := l.get(l.issuer + path)
		require.Equal(t, http.StatusNotFound, status, path)
	}
	status, body, _ := l.get(l.issuer + "/.well-known/openid-configuration")
	require.Equal(t, http.StatusOK, status)
	var document map[string]any
	require.NoError(t, json.Unmarshal([]byte(body), &document))
	require.Equal(t, l.issuer, document["issuer"])
	require.Equal(t, []any{"S256"}, document["code_challenge_methods_supported"])
	require.Equal(t, []any{"code"}, document["response_types_supported"])
	require.NotContains(t, body, "introspect")
	require.NotContains(t, body, "device")
	_, body, _ = l.get(l.issuer + "/keys")
	require.NotContains(t, body, `"d"`)
}

func TestOptionsThatAreNotUsable(t *testing.T) {
	for _, o := range []devidp.Options{
		{Issuer: "http://127.0.0.1:1/dev-idp", Audience: audience},
		{Issuer: "http://127.0.0.1:1/dev-idp", ClientID: clientID},
		{Issuer: "http://127.0.0.1:1", ClientID: clientID, Audience: audience},
		{Issuer: "http://127.0.0.1:1/dev-idp/", ClientID: clientID, Audience: audience},
		{Issuer: "https://127.0.0.1:1/dev-idp", ClientID: clientID, Audience: audience},
		{Issuer: "http://192.168.1.2:1/dev-idp", ClientID: clientID, Audience: audience},
		{Issuer: "http://voice.example/dev-idp", ClientID: clientID, Audience: audience},
	} {
		_, err := devidp.New(o)
		require.Error(t, err, o.Issuer)
	}
}
