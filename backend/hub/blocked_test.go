package hub_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hub"
	"github.com/voicewright/voicewright/backend/hub/hubtest"
)

const portal = "<!DOCTYPE html>\n<html><head><title>Welcome to our guest network</title></head><body>Sign in</body></html>\n"

// answers responds with a status, a content type (none where it is empty) and a body.
func answers(status int, kind, body string) hubtest.Fault {
	return func(http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header()["Content-Type"] = nil // else it is guessed
			if kind != "" {
				w.Header().Set("Content-Type", kind)
			}
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		})
	}
}

// What stands between this machine and the hub is named as what it is, and never taken for the hub.
func TestWhatIsBetweenIsNamed(t *testing.T) {
	t.Parallel()
	const html = "text/html; charset=utf-8"
	for name, c := range map[string]struct {
		fault   hubtest.Fault
		storage bool // else the hub itself answers so
		listing bool // the list of files is requested first
		code    backend.Code
		reason  any
		words   []string
	}{
		"a web filter":                  {fault: answers(403, html, "Blocked by policy"), reason: "blocked", words: []string{"web filter", "403"}},
		"a web filter without a page":   {fault: answers(403, "", ""), reason: "blocked", words: []string{"web filter"}},
		"a web filter, for a list":      {fault: answers(403, "text/plain", "Blocked"), listing: true, reason: "blocked"},
		"a web filter of the storage":   {fault: answers(403, html, "Blocked"), storage: true, reason: "blocked"},
		"a page":                        {fault: answers(200, html, portal), reason: "sign_in", words: []string{"web page", "sign-in"}},
		"a page without its type":       {fault: answers(200, "", portal), reason: "sign_in", words: []string{"web page"}},
		"a page as text":                {fault: answers(200, "text/plain", "\n "+portal), reason: "sign_in"},
		"a page of the storage":         {fault: answers(200, html, portal), storage: true, reason: "sign_in"},
		"a page in the place of a list": {fault: answers(200, html, portal), listing: true, reason: "sign_in", words: []string{"the list of files"}},
		"a page, for a list, no type":   {fault: answers(200, "", portal), listing: true, reason: "sign_in"},
		"a filter that wants a sign-in": {fault: answers(401, html, portal), reason: "sign_in"},
		"status 511":                    {fault: answers(511, "", ""), reason: "sign_in"},
		"status 451":                    {fault: answers(451, "", ""), reason: "legal", words: []string{"legal"}},
		"a proxy":                       {fault: answers(407, html, ""), reason: "proxy_auth", words: []string{"name and a password"}},
		"a proxy, for a list":           {fault: answers(407, "", ""), listing: true, reason: "proxy_auth"},
		"a licence":                     {fault: hubtest.Status(403, "X-Error-Code", "GatedRepo"), code: backend.CodeHubGated},
		"a licence, unauthorized":       {fault: hubtest.Status(401, "X-Error-Code", "GatedRepo"), code: backend.CodeHubGated},
		"a licence, by its words":       {fault: hubtest.Status(403, "X-Error-Message", "Access to this model is restricted"), code: backend.CodeHubGated},
		"a hub that needs a token":      {fault: hubtest.Status(401), code: backend.CodeHubGated},
	} {
		t.Run(name, func(t *testing.T) {
			s, client, r, files := newFixture(t, 1000)
			add := s.Hub
			if c.storage {
				add = s.Storage
			}
			add("", hubtest.Always, c.fault)
			if c.listing {
				r.Revision, r.Files = "main", []hub.File{{Path: "model.onnx"}}
			}
			code := c.code
			if code == "" {
				code = backend.CodeDownloadFailed
			}
			e := failsWith(t, client, r, code)
			require.Equal(t, c.reason, e.Params["reason"], e.Detail)
			require.Equal(t, 1, e.Params["attempts"], "a retry would not help")
			for _, word := range c.words {
				require.Contains(t, e.Detail, word)
			}
			if code == backend.CodeDownloadFailed {
				require.NotContains(t, e.Remedy, "HF_TOKEN")
			}
			s.Heal()
			fetch(t, client, r, files)
		})
	}
}

// A hub that redirects to a page for signing in is one that the network answers for.
func TestRedirectToASignInPage(t *testing.T) {
	t.Parallel()
	login := httptest.NewServer(answers(200, "text/html", portal)(nil))
	defer login.Close()
	for _, listing := range []bool{false, true} {
		s, client, r, _ := newFixture(t, 1000)
		if listing {
			r.Revision, r.Files = "main", []hub.File{{Path: "model.onnx"}}
		}
		s.Hub("", hubtest.Always, hubtest.Redirect(login.URL+"/login?next={self}"))
		e := failsWith(t, client, r, backend.CodeDownloadFailed)
		require.Equal(t, "sign_in", e.Params["reason"], e.Detail)
		require.Contains(t, e.Detail, strings.TrimPrefix(login.URL, "http://"))
	}
}

func TestTokenThatIsNotAccepted(t *testing.T) {
	t.Parallel()
	s := hubtest.Start(hubtest.Repo{ID: repoID, Files: map[string]hubtest.Content{"model.onnx": hubtest.Bytes(noise(1, 1000))}})
	defer s.Close()
	r := pinned(s, map[string][]byte{"model.onnx": noise(1, 1000)})
	s.Hub("", hubtest.Always, hubtest.Status(401, "X-Error-Message", "Invalid credentials in Authorization header"))
	e := failsWith(t, newClient(t, s.URL(), t.TempDir(), func(o *hub.Options) { o.Token = "hf_old" }), r, backend.CodeHubGated)
	require.Contains(t, e.Detail, "does not accept the access token")
}

// tlsRequest is a request to an endpoint with TLS, through a proxy where there is one.
func tlsRequest(t *testing.T, endpoint string, proxy *url.URL) *backend.Error {
	t.Helper()
	client := newClient(t, endpoint, t.TempDir(), func(o *hub.Options) {
		if proxy != nil {
			o.Proxy = func(*url.URL) (*url.URL, error) { return proxy, nil }
		}
	})
	t.Cleanup(client.Close)
	r := hub.Request{Repo: repoID, Revision: commit, Files: []hub.File{{Path: "model.onnx", Size: 3, SHA256: strings.Repeat("a", 64)}}}
	_, err := client.Download(t.Context(), r, nil)
	require.Error(t, err)
	return backend.AsError(err)
}

func TestProxyThatRefuses(t *testing.T) {
	t.Parallel()
	for status, want := range map[string]struct{ reason, words string }{
		"407 Proxy Authentication Required": {"proxy_auth", "requires a name and a password"},
		"407 authenticationrequired":        {"proxy_auth", "requires a name and a password"},
		"403 Forbidden":                     {"blocked", "does not allow connections to hub.example"},
		"502 Bad Gateway":                   {"proxy", "could not connect to hub.example"},
	} {
		t.Run(status, func(t *testing.T) {
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			require.NoError(t, err)
			done := make(chan struct{})
			go func() {
				defer close(done)
				for {
					c, err := listener.Accept()
					if err != nil {
						return
					}
					if _, err := http.ReadRequest(bufio.NewReader(c)); err == nil {
						_, _ = fmt.Fprintf(c, "HTTP/1.1 %s\r\nContent-Length: 0\r\n\r\n", status)
					}
					_ = c.Close()
				}
			}()
			defer func() {
				_ = listener.Close()
				<-done
			}()
			e := tlsRequest(t, "https://hub.example", &url.URL{Scheme: "http", Host: listener.Addr().String()})
			require.Equal(t, backend.CodeDownloadFailed, e.Code)
			require.Equal(t, want.reason, e.Params["reason"], e.Detail)
			require.Contains(t, e.Detail, listener.Addr().String(), "the proxy is named")
			require.Contains(t, e.Detail, want.words)
			require.False(t, hub.IsNetworkLost(e), "there is a network")
		})
	}
}

func TestProxyThatIsNotThere(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := listener.Addr().String()
	require.NoError(t, listener.Close())
	for _, endpoint := range []string{"https://hub.example", "http://hub.example"} {
		e := tlsRequest(t, endpoint, &url.URL{Scheme: "http", Host: address})
		require.Equal(t, "proxy", e.Params["reason"])
		require.Equal(t, "The proxy "+address+" cannot be reached.", e.Detail)
		require.True(t, hub.IsNetworkLost(e))
	}
}

func TestCertificateOfAnotherAuthority(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.Config.ErrorLog = nil
	server.StartTLS()
	defer server.Close()
	e := tlsRequest(t, server.URL, nil)
	require.Equal(t, "authority", e.Params["reason"])
	require.Contains(t, e.Remedy, "root certificate")
}

func TestAnswerWithoutEncryption(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(answers(200, "text/html", portal)(nil))
	defer server.Close()
	e := tlsRequest(t, strings.Replace(server.URL, "http://", "https://", 1), nil)
	require.Equal(t, "sign_in", e.Params["reason"], e.Detail)
}
