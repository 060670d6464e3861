package api_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/api"
)

func TestCredentials(t *testing.T) {
	t.Parallel()
	const path = "/api/v1/user/credits"
	cases := []struct {
		name    string
		headers []string
		status  int
	}{
		{"key as bearer", []string{"Authorization", "Bearer " + key}, 200},
		{"key in its header", []string{"X-API-Key", key}, 200},
		{"the same key in both", []string{"Authorization", "Bearer " + key, "X-API-Key", key}, 200},
		{"scheme in lower case", []string{"Authorization", "bearer " + key}, 200},
		{"header in lower case", []string{"x-api-key", key}, 200},
		{"two blanks", []string{"Authorization", "Bearer  " + key}, 200},
		{"token", []string{"Authorization", "Bearer " + token}, 200},
		{"none", nil, 401},
		{"unknown key", []string{"X-API-Key", key + "x"}, 401},
		{"only the prefix", []string{"X-API-Key", service.KeyPrefix}, 401},
		{"wrong token", []string{"Authorization", "Bearer wrong"}, 401},
		{"token in the header of keys", []string{"X-API-Key", token}, 401},
		{"token and key", []string{"Authorization", "Bearer " + token, "X-API-Key", key}, 401},
		{"two different keys", []string{"Authorization", "Bearer " + key, "X-API-Key", key + "x"}, 401},
		{"a header twice", []string{"Authorization", "Bearer " + key, "Authorization", "Bearer " + key}, 401},
		{"the key header twice", []string{"X-API-Key", key, "X-API-Key", key}, 401},
		{"other scheme", []string{"Authorization", "Basic dXNlcjpwYXNz"}, 401},
		{"no scheme", []string{"Authorization", key}, 401},
		{"empty bearer", []string{"Authorization", "Bearer "}, 401},
		{"empty header", []string{"Authorization", ""}, 401},
		{"empty key", []string{"X-API-Key", ""}, 401},
		{"empty key beside a token", []string{"Authorization", "Bearer " + token, "X-API-Key", ""}, 401},
		{"two keys in one header", []string{"X-API-Key", key + ", " + key}, 401},
		{"key in the query", nil, 401},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newFixture().send("GET", path+"?api_key="+key+"&access_token="+token, "", c.headers...)
			if c.status == 200 {
				require.Equal(t, 200, w.Code, w.Body.String())
				return
			}
			requireError(t, w, c.status, "")
			require.Equal(t, "Bearer", w.Header().Get("WWW-Authenticate"))
		})
	}
}

// Every route under /api needs a credential, and says so before it looks at the body.
func TestCredentialsComeFirst(t *testing.T) {
	t.Parallel()
	f := newFixture()
	for _, r := range resources() {
		if r.bearer == "" {
			require.Equal(t, r.status, f.send(r.method, r.path, "").Code, r.path)
			continue
		}
		for _, body := range []string{"", "not JSON", string(make([]byte, 300<<10))} {
			requireError(t, f.send(r.method, r.path, body), 401, "")
		}
	}
}

// Keys cannot manage keys, and no key opens an administrator's path.
func TestClosedToKeys(t *testing.T) {
	t.Parallel()
	f := newFixture()
	for _, r := range resources() {
		if r.bearer == token && r.operation != "GET /api/v1/user/usage" {
			requireError(t, f.sendWithKey(r.method, r.path, r.body), 403, "")
			requireError(t, f.send(r.method, r.path, r.body, "Authorization", "Bearer "+key), 403, "")
		}
	}
	for _, path := range []string{"/api/admin", "/api/admin/users", "/api/admin/x/y"} {
		requireError(t, f.sendWithKey("GET", path, ""), 403, "")
		requireError(t, f.send("POST", path, "{}", "Authorization", "Bearer "+key), 403, "")
		requireError(t, f.send("GET", path, ""), 404, "")
		requireError(t, f.send("GET", path, "", "Authorization", "Bearer "+token), 404, "")
	}
	require.Equal(t, 404, f.sendWithKey("GET", "/api/administrator", "").Code)
}

type tokens struct{ err error }

func (v tokens) Verify(context.Context, string) (service.Identity, error) {
	return service.Identity{}, v.err
}

// A token that cannot be checked now is not called invalid.
func TestUnreachableIssuer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err    error
		status int
	}{
		{&service.Error{Status: 503, Sentence: "The issuer does not answer. Try again.", RetryAfter: time.Second}, 503},
		{errors.New("expired"), 401},
	} {
		f := newFixture(func(o *api.Options) { o.Tokens = tokens{c.err} })
		w := f.send("GET", "/api/v1/user/credits", "", "Authorization", "Bearer x")
		requireError(t, w, c.status, "")
		require.Equal(t, c.status == 401, w.Header().Get("WWW-Authenticate") != "")
	}
	none := newFixture(func(o *api.Options) { o.Tokens = nil })
	requireError(t, none.send("GET", "/api/v1/user/credits", "", "Authorization", "Bearer "+token), 401, "")
}

// An address that sends 1,000 wrong keys a second gets 100 answers and then 10 a second; its valid key works all the time.
func TestWrongKeysAreLimited(t *testing.T) {
	t.Parallel()
	f := newFixture()
	statuses := map[int]int{}
	for i := range 1000 {
		w := f.send("GET", "/api/v1/user/credits", "", "X-API-Key", fmt.Sprint(service.KeyPrefix, i))
		statuses[w.Code]++
		if w.Code == http.StatusTooManyRequests {
			requireError(t, w, 429, "RATE_LIMITED")
			require.Equal(t, "1", w.Header().Get("Retry-After"))
		}
		require.Equal(t, 200, f.sendWithKey("GET", "/api/v1/user/credits", "").Code)
		f.clock.advance(time.Millisecond)
	}
	require.Equal(t, map[int]int{401: 109, 429: 891}, statuses)
	require.Equal(t, 401, f.send("GET", "/api/v1/user/credits", "").Code, "a request without a credential is no guess")
	f.clock.advance(10 * time.Second)
	require.Equal(t, 401, f.send("GET", "/api/v1/user/credits", "", "Authorization", "Bearer wrong").Code)
}

// An app whose sign-in has expired must learn it, also where others at its address send wrong keys.
func TestExpiredTokensAreNoGuesses(t *testing.T) {
	t.Parallel()
	f := newFixture(func(o *api.Options) {
		o.Tokens = tokens{&service.Error{Status: 401, Sentence: "The sign-in has expired.", Cause: service.ErrTokenExpired}}
	})
	for range 200 {
		requireError(t, f.send("GET", "/api/v1/user/credits", "", "Authorization", "Bearer x"), 401, "")
	}
	for range 101 {
		f.send("GET", "/api/v1/user/credits", "", "X-API-Key", "wrong")
	}
	requireError(t, f.send("GET", "/api/v1/user/credits", "", "X-API-Key", "wrong"), 429, "RATE_LIMITED")
	requireError(t, f.send("GET", "/api/v1/user/credits", "", "Authorization", "Bearer x"), 401, "")
}

// The address of a client is that of its connection, or what the nearest trusted proxy says.
func TestClientAddress(t *testing.T) {
	t.Parallel()
	exhaust := func(f *fixture, headers ...string) {
		for range 101 {
			f.send("GET", "/api/v1/user/credits", "", append(headers, "X-API-Key", "wrong")...)
		}
	}
	status := func(f *fixture, headers ...string) int {
		return f.send("GET", "/api/v1/user/credits", "", append(headers, "X-API-Key", "wrong")...).Code
	}
	direct := newFixture() // httptest's requests come from 192.0.2.1
	exhaust(direct, "X-Forwarded-For", "198.51.100.1")
	require.Equal(t, 429, status(direct, "X-Forwarded-For", "198.51.100.2"), "nobody is trusted")

	proxied := newFixture(func(o *api.Options) {
		o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("10.0.0.0/8")}
	})
	exhaust(proxied, "X-Forwarded-For", "1.1.1.1, 198.51.100.1, 10.0.0.1")
	require.Equal(t, 429, status(proxied, "X-Forwarded-For", "2.2.2.2, 198.51.100.1"), "what the client itself wrote does not count")
	require.Equal(t, 429, status(proxied, "X-Forwarded-For", "2.2.2.2", "X-Forwarded-For", "198.51.100.1, 10.9.9.9"))
	require.Equal(t, 401, status(proxied, "X-Forwarded-For", "198.51.100.2"))
	require.Equal(t, 401, status(proxied, "X-Forwarded-For", "nonsense"))
	require.Equal(t, 401, status(proxied))
	exhaust(proxied, "X-Forwarded-For", "2001:db8:1:2::1")
	require.Equal(t, 429, status(proxied, "X-Forwarded-For", "2001:db8:1:2:ffff::9"), "one user owns a /64")
	require.Equal(t, 401, status(proxied, "X-Forwarded-For", "2001:db8:1:3::1"))
	require.Equal(t, 429, status(proxied, "X-Forwarded-For", "::ffff:198.51.100.1"))
}
