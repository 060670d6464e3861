//go:build unix

package app_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/hosted/hostedtest"
)

// serveHosted starts a server whose hosted service is at base, with an API key.
func (u *user) serveHosted(base string) *server {
	u.t.Helper()
	s := u.serve()
	status, body := s.request("PUT", "/settings", `{"hosted.base_url":"`+base+`","secrets.allow_file":true}`)
	require.Equal(u.t, http.StatusOK, status, body)
	status, body = s.request("PUT", "/hosted/key", `{"key":"`+hostedtest.Key+`"}`)
	require.Equal(u.t, http.StatusOK, status, body)
	return s
}

// TestHostedConnectionFaults: what is wrong with the connection is said, and no credential goes anywhere else.
func TestHostedConnectionFaults(t *testing.T) {
	t.Parallel()
	now, day := time.Now(), 24*time.Hour
	secure := func(from, until time.Time) *hostedtest.Service {
		return hostedtest.Start(t, hostedtest.Options{TLS: &tls.Config{Certificates: []tls.Certificate{selfSigned(t, from, until)}}})
	}
	other := hostedtest.Start(t, hostedtest.Options{})
	redirecting := hostedtest.Start(t, hostedtest.Options{})
	for range 20 {
		redirecting.Fault("/", hostedtest.Fault{Redirect: other.URL + "/api/v1/tts/voices"})
	}
	services := map[string]*hostedtest.Service{
		"is not trusted": secure(now.Add(-day), now.Add(day)), "has expired": secure(now.Add(-2*day), now.Add(-day)),
		"is not valid yet": secure(now.Add(day), now.Add(2*day)), "didn't answer itself": redirecting,
	}
	s := newUser(t).serveHosted(hostedtest.Closed(t))
	read := func(path string) object {
		status, body := s.request("GET", path, "")
		require.Equal(t, http.StatusBadGateway, status, body)
		return parseJSON(t, body)
	}
	require.Contains(t, read("/hosted/voices?refresh=true")["detail"], "can't be reached")
	for sentence, service := range services {
		status, body := s.request("PUT", "/settings", `{"hosted.base_url":"`+service.URL+`"}`)
		require.Equal(t, http.StatusOK, status, body)
		status, body = s.request("PUT", "/hosted/key", `{"key":"`+hostedtest.Key+`"}`) // it is bound to the address
		require.Equal(t, http.StatusOK, status, body)
		require.Contains(t, read("/hosted/voices?refresh=true")["detail"], sentence)
		if service == redirecting {
			status, body = s.request("GET", "/api/v1/tts/voices", "")
			require.Equal(t, http.StatusUnauthorized, status, "the test's own client follows it, without the key: %s", body)
			continue
		}
		require.Contains(t, read("/api/v1/tts/voices")["detail"], sentence)
		require.Empty(t, service.Requests("/"))
	}
	for _, r := range other.Requests("/") {
		require.NotContains(t, r.Header.Get("Authorization"), hostedtest.Key)
	}
}

// selfSigned returns a certificate of 127.0.0.1 that nobody trusts.
func selfSigned(t *testing.T, from, until time.Time) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	c := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: from, NotAfter: until, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, c, c, key.Public(), key)
	require.NoError(t, err)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// TestHostedProxy: the proxy of the environment is asked for a tunnel, and sees no credential.
func TestHostedProxy(t *testing.T) {
	t.Parallel()
	seen := make(chan *http.Request, 100)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen <- r
		w.WriteHeader(http.StatusForbidden)
	}))
	t.Cleanup(proxy.Close)
	service := hostedtest.Start(t, hostedtest.Options{})
	s := newUser(t).withEnv("HTTPS_PROXY="+proxy.URL, "HTTP_PROXY="+proxy.URL).serveHosted(service.URL)
	status, body := s.request("GET", "/api/v1/user/credits", "")
	require.Equal(t, http.StatusOK, status, body)
	require.Empty(t, seen, "this machine needs no proxy")
	s.request("PUT", "/settings", `{"hosted.base_url":"https://service.invalid"}`)
	s.request("PUT", "/hosted/key", `{"key":"`+hostedtest.Key+`"}`)
	status, body = s.request("GET", "/api/v1/user/credits", "")
	require.Equal(t, http.StatusBadGateway, status, body)
	status, body = s.request("GET", "/hosted/voices?refresh=true", "")
	require.Equal(t, http.StatusBadGateway, status, body)
	require.NotEmpty(t, seen)
	for len(seen) > 0 {
		r := <-seen
		require.Equal(t, "CONNECT service.invalid:443", r.Method+" "+r.Host)
		require.NotContains(t, fmt.Sprint(r.Header), "svc_sk_")
		require.Empty(t, r.Header.Get("Authorization"))
	}
}
