package signin_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/backend/hosted/signin"
	"github.com/voicewright/voicewright/backend/service/identity/issuertest"
)

// stub starts a stub of an issuer.
func stub(t *testing.T, name string) *issuertest.Issuer {
	t.Helper()
	for _, kind := range issuertest.Kinds() {
		if kind.Name == name {
			return issuertest.Start(t, kind)
		}
	}
	require.Fail(t, "there is no stub of "+name)
	return nil
}

// googleConfig is what a service with Google as its issuer says.
func googleConfig(i *issuertest.Issuer) signin.Config {
	return signin.Config{
		Issuer: i.URL, ClientID: i.ClientID, Audience: i.ClientID, Scopes: "openid profile email", ClientSecret: i.Secret, UseIDToken: true,
		Resource: backend.NoResource, AuthParams: "access_type=offline&prompt=consent",
	}
}

// visit opens the address of a sign-in and follows it to its end.
func (l *lab) visit() (status int, page string) {
	l.Helper()
	address, _ := l.start()
	status, page, _ = l.open(address)
	return status, page
}

// TestIDTokenAsBearer: the service gets the ID token, which is renewed before it ends, and the secret goes to the issuer only.
func TestIDTokenAsBearer(t *testing.T) {
	t.Parallel()
	i := stub(t, issuertest.Google)
	l := newLab(t, googleConfig(i))
	i.ShortTokens(1)
	status, page := l.visit()
	require.Equal(t, http.StatusOK, status, page)
	account, _ := l.Account()
	require.Equal(t, issuertest.Subject, account.Subject)

	first, err := l.Token(t.Context(), "")
	require.NoError(t, err)
	require.Equal(t, 1, i.Refreshed(), "the first one ends too soon")
	require.Regexp(t, `^eyJ[\w-]+\.[\w-]+\.[\w-]+$`, first)
	same, err := l.Token(t.Context(), "")
	require.NoError(t, err)
	require.Equal(t, first, same)
	_, err = l.Token(t.Context(), first) // rejected by the service
	require.NoError(t, err)
	require.Equal(t, 2, i.Refreshed())
	require.NotContains(t, l.secrets.note[signin.Secret], i.Secret)

	notice, err := l.SignOut(t.Context())
	require.NoError(t, err)
	require.Nil(t, notice)
	require.Equal(t, 1, i.Ended())
	require.Empty(t, i.Refusals())
}

// TestARenewalWithoutIDToken ends the sign-in, and says why.
func TestARenewalWithoutIDToken(t *testing.T) {
	t.Parallel()
	i := stub(t, issuertest.Google)
	l := newLab(t, googleConfig(i))
	i.WithoutIDTokens()
	status, page := l.visit()
	require.Equal(t, http.StatusOK, status, page)
	first, err := l.Token(t.Context(), "")
	require.NoError(t, err)
	_, err = l.Token(t.Context(), first)
	e := backendtest.Failure(t, backend.CodeHostedNotSignedIn, err)
	require.Equal(t, "not_renewed", e.Params["reason"])
	require.Contains(t, e.Detail, "doesn't renew the ID token")
	require.Equal(t, signin.Failed, l.State().Status)
	_, ok := l.Account()
	require.False(t, ok)
	require.Equal(t, 1, i.Ended(), "nobody uses the new refresh token")
}

// TestAnotherUserAfterARenewal is refused: an issuer must not change who is signed in.
func TestAnotherUserAfterARenewal(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	config := i.config()
	config.UseIDToken = true
	l := newLab(t, config)
	require.NoError(t, l.finish(i, nil))
	first, err := l.Token(t.Context(), "")
	require.NoError(t, err)
	i.Handle("/token", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, map[string]any{
			"access_token": "a", "token_type": "Bearer", "id_token": i.Token("ben", map[string]any{"aud": clientID}),
		})
	})
	_, err = l.Token(t.Context(), first)
	require.Equal(t, "token", backendtest.Failure(t, backend.CodeHostedSignInFailed, err).Params["reason"])
}

// TestNoIDToken: a service that needs one says so at the sign-in, not at the first call.
func TestNoIDToken(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	config := i.config()
	config.UseIDToken = true
	l := newLab(t, config)
	i.Handle("/token", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, map[string]any{"access_token": "a", "token_type": "Bearer", "expires_in": 3600})
	})
	e := backendtest.Failure(t, backend.CodeHostedSignInFailed, l.finish(i, nil))
	require.Equal(t, "no_id_token", e.Params["reason"])
}

// TestIssuersWithoutTheirSettings: what each of them refuses is named, and nobody is signed in.
func TestIssuersWithoutTheirSettings(t *testing.T) {
	t.Parallel()
	google, entra := stub(t, issuertest.Google), stub(t, issuertest.Entra)
	plain := func(i *issuertest.Issuer, audience string) signin.Config {
		return signin.Config{Issuer: i.URL, ClientID: i.ClientID, Audience: audience}
	}
	noSecret := googleConfig(google)
	noSecret.ClientSecret = ""
	wrongSecret := googleConfig(google)
	wrongSecret.ClientSecret = "another"
	withSecret := plain(entra, entra.ClientID)
	withSecret.ClientSecret = "secret"
	for name, c := range map[string]struct {
		issuer  *issuertest.Issuer
		config  signin.Config
		refusal string
	}{
		"Google, audience":     {google, plain(google, google.ClientID), "audience"},
		"Google, no secret":    {google, noSecret, "client_secret is missing"},
		"Google, wrong secret": {google, wrongSecret, "Unauthorized"},
		"Entra, resource":      {entra, plain(entra, "api://"+entra.ClientID), "AADSTS901002"},
		"Entra, secret":        {entra, withSecret, "AADSTS700025"},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t, c.config)
			status, page := l.visit()
			require.Equal(t, http.StatusBadRequest, status)
			require.NotContains(t, page, "You are signed in")
			refusals := c.issuer.Refusals()
			require.Contains(t, refusals[len(refusals)-1], c.refusal)
			_, ok := l.Account()
			require.False(t, ok)
		})
	}
}

// TestWhatTheServiceAsksFor reaches the sign-in page, and cannot replace what protects the sign-in.
func TestWhatTheServiceAsksFor(t *testing.T) {
	t.Parallel()
	i := newIssuer(t)
	config := i.config()
	for _, c := range []struct {
		resource, audience string
		want               url.Values
	}{
		{"", "https://a.example/", url.Values{"audience": {"https://a.example/"}, "resource": {"https://a.example/"}}},
		{"", "a", url.Values{"audience": {"a"}}},
		{"https://r.example/", "a", url.Values{"audience": {"a"}, "resource": {"https://r.example/"}}},
		{"none", "https://a.example/", url.Values{}},
	} {
		config.Resource, config.Audience = c.resource, c.audience
		config.Scopes, config.AuthParams = "openid urn:x:y offline_access", "prompt=consent&login_hint=ann%26state%3Dx"
		l := newLab(t, config)
		_, query := l.start()
		require.Equal(t, "openid urn:x:y offline_access", query.Get("scope"))
		require.Equal(t, "consent", query.Get("prompt"))
		require.Equal(t, "ann&state=x", query.Get("login_hint"))
		require.Len(t, query["state"], 1)
		for _, name := range []string{"audience", "resource"} {
			require.Equal(t, c.want[name], query[name], name)
		}
	}
	for member, bad := range map[string]signin.Config{
		"auth_params":   {AuthParams: "prompt=consent&redirect_uri=https%3A%2F%2Fevil.example"},
		"scopes":        {Scopes: "openid\nX"},
		"client_secret": {ClientSecret: "a b"},
		"resource":      {Resource: "evil"},
	} {
		bad.Issuer, bad.ClientID = i.URL, clientID
		_, err := newLab(t, bad).Start(t.Context(), false)
		e := backendtest.Failure(t, backend.CodeHostedBadAnswer, err)
		require.Equal(t, member, e.Params["member"])
		require.NotContains(t, e.Detail, "evil")
	}
}

// TestDefaultScopes: offline_access is left out where the issuer does not list it, unless somebody chose it.
func TestDefaultScopes(t *testing.T) {
	t.Parallel()
	google := stub(t, issuertest.Google) // which lists no offline_access
	config := signin.Config{Issuer: google.URL, ClientID: google.ClientID}
	for chosen, want := range map[string]string{
		"": "openid profile email", backend.DefaultScopes: "openid profile email", "openid offline_access": "openid offline_access",
	} {
		config.Scopes = chosen
		_, query := newLab(t, config).start()
		require.Equal(t, want, query.Get("scope"))
	}
}

// TestRenewalsNameTheScopes that somebody chose: Entra renews the token of another service without. The default ones are left out, as
// the issuer may have granted fewer.
func TestRenewalsNameTheScopes(t *testing.T) {
	t.Parallel()
	for chosen, want := range map[string][]string{
		"": nil, backend.DefaultScopes: nil, "openid offline_access urn:x:y": {"openid offline_access urn:x:y"},
	} {
		i := newIssuer(t)
		config := i.config()
		config.Scopes = chosen
		l := newLab(t, config)
		require.NoError(t, l.finish(i, nil))
		first, err := l.Token(t.Context(), "")
		require.NoError(t, err)
		_, err = l.Token(t.Context(), first)
		require.NoError(t, err)
		forms := i.requests()
		require.Len(t, forms, 2)
		require.Empty(t, forms[0]["scope"])
		require.Equal(t, want, forms[1]["scope"])
		require.Equal(t, "refresh-i", forms[1].Get("refresh_token"))
	}
	entra := stub(t, issuertest.Entra)
	l := newLab(t, signin.Config{
		Issuer: entra.URL, ClientID: entra.ClientID, Resource: backend.NoResource, Scopes: "openid offline_access api://" + entra.ClientID + "/speak",
	})
	status, page := l.visit()
	require.Equal(t, http.StatusOK, status, page)
	first, err := l.Token(t.Context(), "")
	require.NoError(t, err)
	_, err = l.Token(t.Context(), first)
	require.Equal(t, "refused", backendtest.Failure(t, backend.CodeHostedSignInFailed, err).Params["reason"])
	require.Contains(t, entra.Refusals()[0], "AADSTS90009")
}
