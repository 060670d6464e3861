package devidp_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
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
