package devidp_test

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	goidc "github.com/coreos/go-oidc/v3/oidc"
	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	"github.com/voicewright/voicewright/backend/service/devidp"
)

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
