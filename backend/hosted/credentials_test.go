package hosted_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/backendtest"
	"github.com/voicewright/voicewright/backend/hosted/client"
	"github.com/voicewright/voicewright/backend/hosted/hostedtest"
)

func TestKeyFormat(t *testing.T) {
	t.Parallel()
	k := newBareKit(t)
	for given, prefix := range map[string]string{
		hostedtest.Key:                      "svc_sk_test",
		"\t " + hostedtest.Key + "\r\n":     "svc_sk_test",
		"svc_sk_abcdEFGH-_0123456789":       "svc_sk_abcd",
		"svc_sk_abcdEFGH-_0123456789==":     "svc_sk_abcd",
		"svc_sk_abc":                        "svc_sk_a", // never more than a third
		"svc_sk_" + strings.Repeat("A", 64): "svc_sk_AAAA",
	} {
		got, err := k.credentials.SetKey(t.Context(), given)
		require.NoError(t, err, given)
		require.Equal(t, prefix, got)
	}
	for _, given := range []string{
		"", " ", "svc_sk_", "sk_abcdefghijkl", "SVC_SK_abcdefghijkl", "svc_sk_abc def", "svc_sk_abc\ndef", "svc_sk_ä", "Bearer svc_sk_abcdefghijkl",
		"svc_sk_" + strings.Repeat("A", 600),
	} {
		_, err := k.credentials.SetKey(t.Context(), given)
		var invalid *backend.ValidationError
		require.ErrorAs(t, err, &invalid, given)
		require.Equal(t, []string{"body", "key"}, invalid.Fields[0].Loc)
	}
	require.Empty(t, k.server.Requests("/"), "storing a key contacts nobody")
}

// TestWhichCredential chooses the key before the sign-in, and what a caller asks for.
func TestWhichCredential(t *testing.T) {
	t.Parallel()
	k := newBareKit(t)
	get := func(auth client.Auth, rejected client.Credential) (client.Credential, error) {
		return k.credentials.Credential(t.Context(), k.origin(), auth, rejected)
	}
	_, err := get(client.Auto, client.Credential{})
	backendtest.RequireCode(t, backend.CodeHostedNotSignedIn, err)
	k.signInAs()
	c, err := get(client.Auto, client.Credential{})
	require.NoError(t, err)
	require.Equal(t, client.Credential{Token: hostedtest.Token}, c)
	_, err = get(client.Key, client.Credential{})
	backendtest.RequireCode(t, backend.CodeHostedNotSignedIn, err)

	_, err = k.credentials.SetKey(t.Context(), hostedtest.Key)
	require.NoError(t, err)
	for auth, want := range map[client.Auth]client.Credential{
		client.Auto: {Key: hostedtest.Key}, client.Key: {Key: hostedtest.Key}, client.Token: {Token: hostedtest.Token},
	} {
		c, err := get(auth, client.Credential{})
		require.NoError(t, err)
		require.Equal(t, want, c)
	}
	_, err = get(client.Auto, client.Credential{Key: hostedtest.Key})
	require.Equal(t, "key", backendtest.Failure(t, backend.CodeHostedNotSignedIn, err).Params["reason"])
	k.signIn.fresh = "another"
	c, err = get(client.Token, client.Credential{Token: hostedtest.Token})
	require.NoError(t, err)
	require.Equal(t, "another", c.Token)

	require.NoError(t, k.credentials.DeleteKey(t.Context()))
	require.NoError(t, k.credentials.DeleteKey(t.Context()), "there is none any more")
	c, err = get(client.Auto, client.Credential{})
	require.NoError(t, err)
	require.NotEmpty(t, c.Token)
}

// TestCredentialsStayWithTheirService stores a key and a sign-in for one service and changes the address: neither is sent to the
// other service, the status says why, and both work again when the address is changed back.
func TestCredentialsStayWithTheirService(t *testing.T) {
	t.Parallel()
	other := hostedtest.Start(t, hostedtest.Options{})
	for _, signedIn := range []bool{false, true} {
		k := newBareKit(t)
		if signedIn {
			k.signInAs()
		} else {
			_, err := k.credentials.SetKey(t.Context(), hostedtest.Key)
			require.NoError(t, err)
		}
		home := k.set().base
		k.change(func(s *settings) { s.base = other.URL })
		opened := k.secrets.opened
		st, err := k.Status(t.Context())
		require.NoError(t, err)
		assert.False(t, st.SignedIn)
		assert.Empty(t, st.KeyPrefix)
		require.NotNil(t, st.Error)
		assert.Equal(t, backend.CodeHostedNotSignedIn, st.Error.Code)
		assert.Equal(t, "address", st.Error.Params["reason"])
		assert.Contains(t, st.Error.Detail, home)
		_, err = k.client.Voices(t.Context())
		backendtest.RequireCode(t, backend.CodeHostedNotSignedIn, err)
		_, err = k.client.Keys(t.Context())
		backendtest.RequireCode(t, backend.CodeHostedNotSignedIn, err)
		assert.Equal(t, opened, k.secrets.opened, "no secret was read")
		assert.Empty(t, other.Requests("/"))

		k.change(func(s *settings) { s.base = strings.ToUpper(home[:4]) + home[4:] + "/" })
		st, err = k.Status(t.Context())
		require.NoError(t, err)
		assert.Nil(t, st.Error)
		assert.Equal(t, "pro", st.Plan)
		assert.Equal(t, signedIn, st.SignedIn)
	}
}

// TestAKeyBeforeTheAddress belongs to the first service to which it is sent.
func TestAKeyBeforeTheAddress(t *testing.T) {
	t.Parallel()
	k := newBareKit(t)
	home := k.set().base
	k.change(func(s *settings) { s.base = "" })
	_, err := k.credentials.SetKey(t.Context(), hostedtest.Key)
	require.NoError(t, err)
	k.change(func(s *settings) { s.base = home })
	st, err := k.Status(t.Context())
	require.NoError(t, err)
	require.Equal(t, "pro", st.Plan)
	k.change(func(s *settings) { s.base = "https://elsewhere.example" })
	_, err = k.credentials.Credential(t.Context(), k.origin(), client.Auto, client.Credential{})
	require.Equal(t, "address", backendtest.Failure(t, backend.CodeHostedNotSignedIn, err).Params["reason"])
}

// TestNoCredentialIsRead while the service is off, has a wrong address, or the program is offline.
func TestNoCredentialIsRead(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	opened := k.secrets.opened
	for want, change := range map[backend.Code][]func(s *settings){
		backend.CodeOffline: {func(s *settings) { s.offline = true }},
		backend.CodeHostedNotConfigured: {
			func(s *settings) { s.off = true }, func(s *settings) { s.base = "" }, func(s *settings) { s.base = "http://192.0.2.1" },
			func(s *settings) { s.base = "ftp://127.0.0.1" }, func(s *settings) { s.base = "https://a@b.example" },
		},
	} {
		for _, f := range change {
			before := k.set()
			k.change(f)
			_, err := k.credentials.Credential(t.Context(), k.origin(), client.Auto, client.Credential{})
			backendtest.RequireCode(t, want, err)
			_, err = k.Voices(t.Context(), voiceFilter())
			backendtest.RequireCode(t, want, err)
			k.change(func(s *settings) { *s = before })
		}
	}
	require.Equal(t, opened, k.secrets.opened)
	require.Empty(t, k.server.Requests("/"))
}

func TestAKeychainThatIsLocked(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	k.secrets.err = backend.E(backend.CodeSecretsUnavailable, "The keychain is locked.", "Unlock it.")
	st, err := k.Status(t.Context())
	require.NoError(t, err)
	require.NotNil(t, st.Error)
	require.Equal(t, backend.CodeSecretsUnavailable, st.Error.Code)
	require.Equal(t, "svc_sk_test", st.KeyPrefix)
	_, err = k.credentials.SetKey(t.Context(), hostedtest.Key)
	backendtest.RequireCode(t, backend.CodeSecretsUnavailable, err)
	require.Empty(t, k.server.Requests("/"))
}

// TestMakeKey makes a key with the sign-in; one that cannot be stored is revoked.
func TestMakeKey(t *testing.T) {
	t.Parallel()
	k := newBareKit(t)
	_, err := k.MakeKey(t.Context(), "mine")
	backendtest.RequireCode(t, backend.CodeHostedNotSignedIn, err)
	k.signInAs()
	k.secrets.err = errors.New("full")
	_, err = k.MakeKey(t.Context(), "lost")
	require.Error(t, err)
	keys, err := k.client.Keys(t.Context())
	require.NoError(t, err)
	require.NotNil(t, keys[len(keys)-1].RevokedAt)
	k.secrets.err = nil
	prefix, err := k.MakeKey(t.Context(), "mine")
	require.NoError(t, err)
	require.Equal(t, "svc_sk_made", prefix)
	c, err := k.credentials.Credential(t.Context(), k.origin(), client.Auto, client.Credential{})
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(c.Key, "svc_sk_made"))
	k.server.SetPlan("free", nil)
	_, err = k.MakeKey(t.Context(), "more")
	backendtest.RequireCode(t, "hosted_paid_access_required", err)
}

// TestACredentialIsForTheServiceOfItsCall: a call that began at one service gets no credential of the service that is configured
// by the time at which the credential is read.
func TestACredentialIsForTheServiceOfItsCall(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"key", "token"} {
		k := newBareKit(t)
		k.signInAs()
		if name == "key" {
			_, err := k.credentials.SetKey(t.Context(), hostedtest.Key)
			require.NoError(t, err)
		}
		_, err := k.credentials.Credential(t.Context(), "https://before.example", client.Auto, client.Credential{})
		require.Equal(t, "address", backendtest.Failure(t, backend.CodeHostedNotSignedIn, err).Params["reason"])

		home := k.origin()
		k.signIn.onToken = func() { k.change(func(s *settings) { s.base = "https://after.example" }) }
		k.secrets.onGet = func() {
			k.secrets.values["hosted.key"] = [2]string{"svc_sk_other", `{"service":"https://after.example"}`}
		}
		c, err := k.credentials.Credential(t.Context(), home, client.Auto, client.Credential{})
		backendtest.RequireCode(t, backend.CodeHostedNotSignedIn, err)
		require.Zero(t, c)
	}
}
