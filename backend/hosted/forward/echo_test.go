package forward_test

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hosted/client"
	"github.com/voicewright/voicewright/backend/hosted/forward"
	"github.com/voicewright/voicewright/backend/httpapi"
)

var update = flag.Bool("update", false, "write testdata again")

const (
	localToken = "local-token-of-this-server"
	hostedKey  = "svc_sk_hosted-key"
	hostedJWT  = "hosted.jwt.signature"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// stored are the credentials of the user.
type stored struct{ key, token string }

func (s stored) Credential(_ context.Context, _ string, auth client.Auth, _ client.Credential) (client.Credential, error) {
	switch {
	case auth != client.Token && s.key != "":
		return client.Credential{Key: s.key}, nil
	case auth != client.Key && s.token != "":
		return client.Credential{Token: s.token}, nil
	default:
		return client.Credential{}, backend.E(backend.CodeHostedNotSignedIn, "Nobody is signed in.", "Sign in.")
	}
}

// rig is the local API with a forwarder to a base URL.
type rig struct {
	*httptest.Server
	base    string
	creds   stored
	offline bool
	off     bool // hosted.enabled
	paid    atomic.Int32
}

func start(t testing.TB, base string) *rig { return startWith(t, base, nil) }

func startWith(t testing.TB, base string, transport func(*http.Transport)) *rig {
	t.Helper()
	r := &rig{base: base, creds: stored{hostedKey, hostedJWT}}
	f := forward.New(forward.Options{
		BaseURL: func() string { return r.base }, Credentials: credentialsOf{r},
		Offline: func() bool { return r.offline }, Enabled: func() bool { return !r.off }, Paid: func() { r.paid.Add(1) },
		Transport: transport,
	})
	r.Server = httptest.NewUnstartedServer(nil)
	api, err := httpapi.New(httpapi.Options{
		Token: localToken, Addr: func() net.Addr { return r.Listener.Addr() }, NewID: func() string { return "req-1" },
		Services: httpapi.Services{Forward: f},
	})
	require.NoError(t, err)
	r.Config.Handler = api.Handler()
	r.Start()
	t.Cleanup(func() {
		api.Close()
		r.Close()
		f.Close()
	})
	return r
}

type credentialsOf struct{ r *rig }

func (c credentialsOf) Credential(ctx context.Context, origin string, auth client.Auth, rejected client.Credential) (client.Credential, error) {
	return c.r.creds.Credential(ctx, origin, auth, rejected)
}

// raw sends bytes as they are and returns the bytes of the answer, until the connection ends.
func (r *rig) raw(t testing.TB, request string) string {
	t.Helper()
	conn, err := net.Dial("tcp", r.Listener.Addr().String())
	require.NoError(t, err)
	defer conn.Close()
	require.NoError(t, conn.SetDeadline(time.Now().Add(time.Minute)))
	_, err = io.WriteString(conn, strings.ReplaceAll(request, "HOST", r.Listener.Addr().String()))
	require.NoError(t, err)
	got, _ := io.ReadAll(conn) // an answer that breaks off is an error here
	return string(got)
}

// echo is a server that records the bytes of each request and answers with fixed bytes.
type echo struct {
	net.Listener
	answer func(conn net.Conn, n int)
	mu     sync.Mutex
	got    []string
	ended  chan struct{} // a connection has ended
	open   sync.WaitGroup
}

func startEcho(t testing.TB, answer func(conn net.Conn, n int)) *echo {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	e := &echo{Listener: l, answer: answer, ended: make(chan struct{}, 100)}
	e.open.Go(func() {
		for n := 0; ; n++ {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			e.open.Go(func() { e.serve(conn, n) })
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		e.open.Wait()
	})
	return e
}

// serve reads one request to its last byte, answers it, and waits for the end of the connection.
func (e *echo) serve(conn net.Conn, n int) {
	defer conn.Close()
	var seen strings.Builder
	r, err := http.ReadRequest(bufio.NewReader(io.TeeReader(conn, &seen)))
	if err != nil {
		return
	}
	_, _ = io.Copy(io.Discard, r.Body)
	e.mu.Lock()
	e.got = append(e.got, seen.String())
	e.mu.Unlock()
	e.answer(conn, n)
	_ = conn.(*net.TCPConn).CloseWrite()
	_, _ = io.Copy(io.Discard, conn)
	e.ended <- struct{}{}
}

func (e *echo) url() string { return "http://" + e.Addr().String() }

func (e *echo) requests() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]string{}, e.got...)
}

func says(bytes string) func(net.Conn, int) {
	return func(conn net.Conn, _ int) { _, _ = io.WriteString(conn, bytes) }
}

// exchanges are requests as they are sent, and answers as the service sends them.
var exchanges = []struct{ name, request, answer string }{
	{
		"a call of speech: body, odd query and own headers stay, credentials of the caller go",
		"POST /api/v1/tts/synthesize?a=1;b=%zz&&c=%2F+x&d=\xc3\xa4 HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer " + localToken +
			"\r\nX-Api-Key: svc_sk_of-the-caller\r\nCookie: a=b\r\nOrigin: http://HOST\r\nReferer: http://HOST/studio\r\n" +
			"Forwarded: for=10.0.0.1\r\nX-Forwarded-For: 10.0.0.1\r\nX-Forwarded-Prefix: /x\r\nX-Real-IP: 10.0.0.1\r\n" +
			"Content-Type: application/json\r\nContent-Length: 21\r\nIdempotency-Key: 7b1f6a02\r\nX-Custom: one\r\nX-Custom: two\r\nUser-Agent: test/1\r\n\r\n" +
			"{\"text\": \"a\\u0000\x01\xff\"}",
		"HTTP/1.1 429 Too Many Requests\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\nContent-Type: application/json; charset=x\r\nRetry-After: 7\r\n" +
			"Set-Cookie: s=1\r\nAuthorization: Bearer back\r\nX-API-Key: back\r\nAccess-Control-Allow-Origin: *\r\nAlt-Svc: h3=\":1\"\r\n" +
			"X-Request-Id: 1\r\nX-Request-Id: 2\r\nContent-Length: 9\r\n\r\n{\"a\": 1} ",
	},
	{
		"hop-by-hop headers stay on their hop",
		"GET /api/v1/tts/voices HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer " + localToken +
			"\r\nConnection: close, X-Private, Upgrade\r\nX-Private: 1\r\nUpgrade: websocket\r\nKeep-Alive: 1\r\nTE: trailers\r\nTrailer: X-T\r\n" +
			"Proxy-Authorization: Basic eA==\r\nProxy-Connection: close\r\nAccept-Encoding: gzip\r\n\r\n",
		"HTTP/1.1 200 OK\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\nConnection: X-Mine\r\nX-Mine: 1\r\nKeep-Alive: 5\r\nProxy-Authenticate: Basic\r\n" +
			"Content-Encoding: gzip\r\nTrailer: Set-Cookie\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n\x1f\x8b\x00\r\n0\r\nSet-Cookie: t=1\r\n\r\n",
	},
	{
		"key management uses the sign-in; a redirect is passed on",
		"GET /api/v1/user/api-keys HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer " + localToken + "\r\n\r\n",
		"HTTP/1.1 307 Temporary Redirect\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\nLocation: https://other.example/x\r\nContent-Length: 0\r\n\r\n",
	},
	{
		"the caller chooses the sign-in; no content and no type",
		"POST /api/v1/tts/favorites/toggle HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer " + localToken +
			"\r\nX-Voicewright-Auth: jwt\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
		"HTTP/1.1 204 No Content\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\nCache-Control: private\r\n\r\n",
	},
	{
		"HEAD has the length of what GET would send",
		"HEAD /api/v1/tts/models HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer " + localToken + "\r\nIf-None-Match: \"x\"\r\n\r\n",
		"HTTP/1.1 200 OK\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\nContent-Length: 4321\r\n\r\n",
	},
	{
		"not modified",
		"GET /api/v1/tts/models HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer " + localToken + "\r\nIf-None-Match: \"x\"\r\n\r\n",
		"HTTP/1.1 304 Not Modified\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\nEtag: \"x\"\r\n\r\n",
	},
	{
		"an informational answer comes first",
		"DELETE /api/v1/user/api-keys/0199 HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer " + localToken + "\r\nOrigin: http://HOST\r\n\r\n",
		"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\nSet-Cookie: early=1\r\n\r\n" +
			"HTTP/1.1 502 Bad Gateway\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>",
	},
}

var port = regexp.MustCompile(`127\.0\.0\.1:\d+`)

// TestEchoServer pins every byte that goes to the service and comes back; testdata/echo.txt shows what the forwarder changes.
func TestEchoServer(t *testing.T) {
	t.Parallel()
	var diff strings.Builder
	for _, x := range exchanges {
		e := startEcho(t, says(x.answer))
		r := start(t, e.url()+"/api-root")
		request := x.request
		if !strings.Contains(request, "Connection:") {
			request = strings.Replace(request, "\r\n\r\n", "\r\nConnection: close\r\n\r\n", 1)
		}
		came := r.raw(t, request)
		went := e.requests()
		require.Len(t, went, 1, x.name)
		fmt.Fprintf(&diff, "== %s\n\nrequest: - from the caller, + to the service\n%s\nanswer: - from the service, + to the caller\n%s\n",
			x.name, compare(request, went[0]), compare(x.answer, came))
		require.NotContains(t, went[0], localToken)
		for _, credential := range []string{hostedKey, hostedJWT} {
			require.NotContains(t, came, credential)
		}
	}
	got := port.ReplaceAllString(strings.ReplaceAll(diff.String(), "HOST", "127.0.0.1:1"), "127.0.0.1:PORT")
	path := filepath.Join("testdata", "echo.txt")
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}

// compare returns the lines of two messages: what both have with two spaces, what only one has with - or +. Headers are
// compared in any order.
func compare(from, to string) string {
	before, after := lines(from), lines(to)
	var out strings.Builder
	missing := map[string]int{}
	for _, l := range after {
		missing[l]++
	}
	for _, l := range before {
		mark := "-"
		if missing[l] > 0 {
			missing[l]--
			mark = " "
		}
		fmt.Fprintf(&out, "%s %s\n", mark, l)
	}
	for _, l := range after {
		if missing[l] > 0 {
			missing[l]--
			fmt.Fprintf(&out, "+ %s\n", l)
		}
	}
	return out.String()
}

// lines splits a message; bytes that are no text are quoted.
func lines(message string) []string {
	var out []string
	for l := range strings.SplitSeq(strings.TrimSuffix(message, "\r\n"), "\r\n") {
		q := fmt.Sprintf("%q", l)
		out = append(out, strings.ReplaceAll(q[1:len(q)-1], `\"`, `"`))
	}
	return out
}
