package main_test

import (
	"net/http"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// may reports whether a token or a key is served: it is answered with 200, or with 403 and one sentence without a code.
func (r *running) may(credential string) bool {
	r.t.Helper()
	a := r.call("GET", "/api/v1/user/credits", credential, nil)
	if a.status == http.StatusOK {
		return true
	}
	require.Equal(r.t, http.StatusForbidden, a.status, a.text)
	require.Len(r.t, a.json, 1)
	require.Regexp(r.t, `^[^.]+\.$`, a.json["error"])
	return false
}

// TestAllowLists starts the service with each kind of list, from flags, the environment and a file.
func TestAllowLists(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	config := l.file("config.yaml", `
allow_domain: [Bücher.example]
allow_group: ["CN=Team, Inc,OU=x", "ops"]
group_claim: realm_access.roles
`)
	r := l.withEnv("VOICEWRIGHT_SERVICE_ALLOW_EMAIL=ann@example.org,Bob@example.org").serve("--config", config)
	r.t = t
	roles := func(roles ...string) object { return object{"email": nil, "realm_access": object{"roles": roles}} }
	for name, c := range map[string]struct {
		claims  object
		allowed bool
	}{
		"domain":            {object{"email": "eva@BÜCHER.example"}, true},
		"domain in ASCII":   {object{"email": "ede@xn--bcher-kva.example", "email_verified": true}, true},
		"unverified domain": {object{"email": "udo@bücher.example", "email_verified": "false"}, false},
		"subdomain":         {object{"email": "ida@a.bücher.example"}, false},
		"address":           {object{"email": "ANN@example.org"}, true},
		"second address":    {object{"email": "bob@example.org"}, true},
		"other address":     {object{"email": "carl@example.org"}, false},
		"group":             {roles("staff", "CN=Team, Inc,OU=x"), true},
		"part of a group":   {roles("CN=Team"), false},
		"nothing":           {object{"email": nil}, false},
	} {
		token := l.issuer.Token(name, c.claims)
		require.Equal(t, c.allowed, r.may(token), name)
		require.Equal(t, c.allowed, l.run("account", "show", name).code == exitDone, "a row: %s", name)
	}
	for _, path := range []string{"/api/v1/tts/voices", "/api/v1/user/usage", "/api/v1/user/api-keys", "/api/v1/tts/prices"} {
		require.Equal(t, http.StatusForbidden, r.call("GET", path, l.issuer.Token("carl"), nil).status, path)
	}
	require.Equal(t, http.StatusForbidden, r.call("POST", "/api/v1/tts/synthesize", l.issuer.Token("carl"), "no object").status)
	require.Equal(t, http.StatusUnauthorized, r.call("GET", "/api/v1/user/credits", "no.jwt.there", nil).status)
	require.Equal(t, http.StatusOK, r.call("GET", "/health", "", nil).status)
	require.Equal(t, exitDone, r.signal(syscall.SIGTERM))

	r = l.serve("--invited-only") // nobody has been invited
	require.False(t, r.may(l.issuer.Token("address", object{"email": "ann@example.org"})), "an account that was there")
	require.False(t, r.may(l.issuer.Token("new")))
}
