package devidp_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	"github.com/voicewright/voicewright/backend/service/devidp"
)

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

// TestHalfSentRequests do not hold a connection: what has not arrived in time is refused, whoever sent it and wherever.
func TestHalfSentRequests(t *testing.T) {
	const issuer = "http://127.0.0.1:8080/dev-idp"
	handler, err := devidp.New(devidp.Options{Issuer: issuer, ClientID: clientID, Audience: audience, BodyTime: 50 * time.Millisecond})
	require.NoError(t, err)
	server := httptest.NewServer(handler)
	defer server.Close()
	const form = "Content-Type: application/x-www-form-urlencoded\r\n"
	for request, status := range map[string]int{
		"POST /dev-idp/oauth/token HTTP/1.1\r\n" + form + "Content-Length: 100\r\n":                         408,
		"POST /dev-idp/login HTTP/1.1\r\n" + form + "Transfer-Encoding: chunked\r\n":                        408,
		"POST /dev-idp/oauth/token HTTP/1.1\r\nContent-Type: text/plain\r\nContent-Length: 100\r\n":         415,
		"POST /dev-idp/login HTTP/1.1\r\n" + form + "Content-Length: 100\r\nSec-Fetch-Site: cross-site\r\n": 403,
		"GET /dev-idp/keys HTTP/1.1\r\nContent-Length: 100\r\n":                                             200,
		"POST /dev-idp/nowhere HTTP/1.1\r\n" + form + "Content-Length: 100\r\n":                             408,
	} {
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", server.Listener.Addr().String())
		require.NoError(t, err)
		_, err = io.WriteString(conn, request+"Host: 127.0.0.1:8080\r\n\r\na")
		require.NoError(t, err)
		answer, err := io.ReadAll(conn) // ends when the server closes the connection
		require.NoError(t, err)
		require.NoError(t, conn.Close())
		require.Contains(t, string(answer), fmt.Sprintf("HTTP/1.1 %d ", status), request)
	}
}
