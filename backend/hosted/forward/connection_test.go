package forward_test

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestConnections: a request is sent once, also where the service closes the connection of an earlier one, and headers that name
// the connection are not passed on.
func TestConnections(t *testing.T) {
	t.Parallel()
	e := startEcho(t, func(conn net.Conn, n int) {
		switch n {
		case 0:
			_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
		case 1: // closed without an answer
		default:
			_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nConnection: X-Hop\r\nX-Hop: 1\r\nX-Kept: 1\r\nContent-Length: 2\r\n\r\nok")
		}
	})
	r := start(t, e.url())
	status, _, _ := r.do(t, "GET", "/api/v1/tts/voices", "")
	require.Equal(t, 200, status)
	status, _, _ = r.do(t, "GET", "/api/v1/tts/voices", "")
	require.Equal(t, 502, status)
	require.Len(t, e.requests(), 2)
	status, header, _ := r.do(t, "GET", "/api/v1/tts/voices", "")
	require.Equal(t, 200, status)
	require.Equal(t, "1", header.Get("X-Kept"))
	require.Empty(t, header.Get("X-Hop"))
}

// TestHeadersOfTheConnection: headers that Connection names end there (RFC 9110, section 7.6.1), also where it closes the connection;
// those about the content never do.
func TestHeadersOfTheConnection(t *testing.T) {
	t.Parallel()
	for name, head := range map[string]string{
		"closed":              "Connection: X-Hop, close\r\n",
		"closed first":        "Connection: close,X-Hop\r\n",
		"stays open":          "Connection: X-Hop, keep-alive\r\nKeep-Alive: timeout=5\r\n",
		"twice":               "Connection: close\r\nX-Kept: 2\r\nConnection: X-Hop\r\n",
		"other case":          "cONNECTION: CLOSE , x-hop\r\n",
		"empty elements":      "Connection: ,, X-Hop\t,,close,\r\n",
		"after informational": "",
		"the content's":       "Connection: Content-Type, Content-Length, Retry-After, X-Hop, close\r\n",
		"the fixed ones": "Connection: X-Hop, close\r\nKeep-Alive: 5\r\nProxy-Connection: keep-alive\r\nTE: trailers\r\nUpgrade: h2c\r\n" +
			"Proxy-Authenticate: Basic\r\nProxy-Authentication-Info: a\r\nTrailer: X-T\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			answer := "HTTP/1.1 200 OK\r\n" + head + "X-Hop: 1\r\nx-hop: 2\r\nX-Kept: 1\r\nContent-Type: application/json\r\nRetry-After: 7\r\n" +
				"Content-Length: 2\r\n\r\n{}"
			if head == "" {
				answer = "HTTP/1.1 103 Early Hints\r\nConnection: X-Kept\r\nX-Hop: 0\r\n\r\n" +
					strings.Replace(answer, " OK\r\n", " OK\r\nConnection: X-Hop, close\r\n", 1)
			}
			e := startEcho(t, says(answer))
			got := start(t, e.url()).raw(t, "GET /api/v1/tts/voices HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer "+localToken+
				"\r\nConnection: close\r\n\r\n")
			for _, kept := range []string{"X-Kept: 1\r\n", "Content-Type: application/json\r\n", "Retry-After: 7\r\n", "Content-Length: 2\r\n", "\r\n\r\n{}"} {
				require.Contains(t, got, kept)
			}
			for _, hop := range []string{"x-hop", "keep-alive", "proxy-", "te:", "upgrade", "trailer"} {
				require.NotContains(t, strings.ToLower(got), "\n"+hop)
			}
		})
	}
}

// TestHeadersOfTheCallersConnection: so it is with requests.
func TestHeadersOfTheCallersConnection(t *testing.T) {
	t.Parallel()
	e := startEcho(t, says("HTTP/1.1 204 No Content\r\n\r\n"))
	r := start(t, e.url())
	r.raw(t, "POST /api/v1/tts/enhance HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer "+localToken+"\r\nContent-Type: application/json\r\n"+
		"connection: x-HOP , CLOSE\r\nX-Hop: 1\r\nConnection: X-Other,,Authorization\r\nx-other: 1\r\nX-Kept: 1\r\nKeep-Alive: 5\r\n"+
		"Proxy-Connection: close\r\nProxy-Authorization: Basic eA==\r\nTE: trailers, deflate\r\nTrailer: X-T\r\nUpgrade: h2c\r\n"+
		"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX-T: 1\r\n\r\n")
	require.Len(t, e.requests(), 1)
	went := e.requests()[0]
	for _, kept := range []string{"X-Kept: 1\r\n", "Content-Type: application/json\r\n", "Authorization: Bearer " + hostedKey, "2\r\n{}\r\n0\r\n"} {
		require.Contains(t, went, kept)
	}
	for _, hop := range []string{"x-hop", "x-other", "keep-alive", "proxy-", "te:", "trailer", "upgrade", "x-t"} {
		require.NotContains(t, strings.ToLower(went), "\n"+hop)
	}
}

// startTLS starts a service with TLS that answers every request with these bytes, and a rig for it.
func startTLS(t *testing.T, answer func(w io.Writer)) *rig {
	t.Helper()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		defer conn.Close()
		answer(conn)
	}))
	server.StartTLS()
	t.Cleanup(server.Close)
	return startWith(t, server.URL, trusting(server))
}

func trusting(server *httptest.Server) func(*http.Transport) {
	return func(o *http.Transport) {
		o.TLSClientConfig = server.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
	}
}

// TestHeadersOfTheConnectionWithTLS: so it is with TLS, where servers close the connection after nearly every answer.
func TestHeadersOfTheConnectionWithTLS(t *testing.T) {
	t.Parallel()
	for _, connection := range []string{"Connection: X-Hop\r\n", "Connection: X-Hop, close\r\n"} {
		r := startTLS(t, func(w io.Writer) {
			for _, part := range strings.SplitAfter("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\n"+connection+
				"X-Hop: 1\r\nX-Request-Id: abc\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}", "\r") {
				_, _ = io.WriteString(w, part) // the end of a line arrives in two parts
			}
		})
		status, header, body := r.do(t, "GET", "/api/v1/tts/voices", "")
		require.Equal(t, 200, status, body)
		require.Equal(t, "{}", body)
		require.Equal(t, "application/json", header.Get("Content-Type"))
		require.Empty(t, header.Get("X-Hop"))
		require.Equal(t, "abc", header.Get("X-Request-Id"))
	}
}

// TestRequestID: the caller can name an answer to the operator of the service, with TLS and each version of HTTP.
func TestRequestID(t *testing.T) {
	t.Parallel()
	for _, version := range []int{1, 2} {
		server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Request-Id", "abc")
			_, _ = io.WriteString(w, r.Proto)
		}))
		server.EnableHTTP2 = version == 2
		server.StartTLS()
		t.Cleanup(server.Close)
		status, header, body := startWith(t, server.URL, trusting(server)).do(t, "GET", "/api/v1/tts/voices", "")
		require.Equal(t, 200, status, body)
		require.Contains(t, body, "HTTP/"+strconv.Itoa(version))
		require.Equal(t, "abc", header.Get("X-Request-Id"))
	}
}

// TestUntrustedCertificate: a service whose certificate nobody vouches for gets neither request nor credential.
func TestUntrustedCertificate(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a request arrived") }))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	status, _, body := start(t, server.URL).do(t, "POST", "/api/v1/tts/synthesize", "{}")
	require.Equal(t, 502, status)
	require.Contains(t, body, `"code":"hosted_unreachable"`)
}

// TestMemoryOfAnAnswer: an answer that is still arriving takes no memory for what has passed on.
func TestMemoryOfAnAnswer(t *testing.T) { //nolint:paralleltest // it measures the memory of all
	const size = 64 << 20
	answer := func(w io.Writer) {
		_, _ = fmt.Fprintf(w, "HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\nContent-Length: %d\r\n\r\n", size+1)
		block := make([]byte, 1<<20)
		for range size / len(block) {
			if _, err := w.Write(block); err != nil {
				return
			}
		}
		_, _ = io.Copy(io.Discard, w.(io.Reader)) // until the caller is gone
	}
	e := startEcho(t, func(conn net.Conn, _ int) { answer(conn) })
	for name, r := range map[string]*rig{"plain": start(t, e.url()), "TLS": startTLS(t, answer)} {
		heap := func() uint64 {
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			return m.HeapAlloc
		}
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.URL+"/api/v1/tts/voices", nil)
		require.NoError(t, err)
		req.Header.Set("Authorization", "Bearer "+localToken)
		before := heap()
		res, err := r.Client().Do(req)
		require.NoError(t, err)
		_, err = io.CopyN(io.Discard, res.Body, size)
		require.NoError(t, err)
		require.Less(t, heap(), before+8<<20, name)
		require.NoError(t, res.Body.Close())
	}
}

// TestHeadOverTheLimit: the head of an answer is of a limited size.
func TestHeadOverTheLimit(t *testing.T) {
	t.Parallel()
	answer := func(w io.Writer) {
		_, _ = io.WriteString(w, "HTTP/1.1 200 OK\r\nX-Long: "+strings.Repeat("a", 2<<20)+"\r\nContent-Length: 2\r\n\r\n{}")
	}
	e := startEcho(t, func(conn net.Conn, _ int) { answer(conn) })
	for _, r := range []*rig{start(t, e.url()), startTLS(t, answer)} {
		status, _, body := r.do(t, "GET", "/api/v1/tts/voices", "")
		require.Equal(t, 502, status, body)
	}
}

// TestAnotherProtocol: an answer nobody asked for does not make the connection one of the service.
func TestAnotherProtocol(t *testing.T) {
	t.Parallel()
	for _, head := range []string{"", "Connection: Upgrade\r\nUpgrade: websocket\r\n"} {
		e := startEcho(t, says("HTTP/1.1 101 Switching Protocols\r\n"+head+"\r\n<script>"))
		got := start(t, e.url()).raw(t, "GET /api/v1/tts/voices HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer "+localToken+
			"\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nGET / HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n")
		require.Contains(t, got, `"code":"hosted_unreachable"`)
		require.NotContains(t, got, "<script>")
	}
}

// TestAnswersAreNoPages: whatever the service sends, opened in a browser it neither runs nor loads anything of this server.
func TestAnswersAreNoPages(t *testing.T) {
	t.Parallel()
	e := startEcho(t, says("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Security-Policy: default-src *\r\n"+
		"Content-Security-Policy-Report-Only: default-src *\r\nX-Content-Type-Options: sniff\r\nRefresh: 0; url=/\r\nLink: </x.js>; rel=preload\r\n"+
		"SourceMap: /x\r\nX-SourceMap: /x\r\nClear-Site-Data: \"*\"\r\nService-Worker-Allowed: /\r\nAccess-Control-Allow-Origin: *\r\n"+
		"Access-Control-Allow-Credentials: true\r\nCross-Origin-Resource-Policy: cross-origin\r\nPermissions-Policy: camera=*\r\n"+
		"Origin-Trial: x\r\nReport-To: {}\r\nReporting-Endpoints: a=\"/\"\r\nNEL: {}\r\nSet-Cookie: a=b\r\nX-Frame-Options: ALLOWALL\r\n"+
		"X-Accel-Redirect: /etc/passwd\r\nSpeculation-Rules: \"/x\"\r\nAccept-CH: DPR\r\nStrict-Transport-Security: max-age=9\r\nAlt-Svc: h3=\":1\"\r\n"+
		"WWW-Authenticate: Bearer, Basic realm=\"Your password\"\r\nReferrer-Policy: unsafe-url\r\nContent-Length: 8\r\n\r\n<script>"))
	status, header, body := start(t, e.url()).do(t, "GET", "/api/v1/tts/voices", "")
	require.Equal(t, 200, status)
	require.Equal(t, "<script>", body, "the caller gets what the service said")
	require.Equal(t, []string{"sandbox; default-src 'none'"}, header.Values("Content-Security-Policy"))
	require.Equal(t, []string{"nosniff"}, header.Values("X-Content-Type-Options"))
	require.Equal(t, []string{"no-referrer"}, header.Values("Referrer-Policy"))
	require.Equal(t, []string{"Bearer"}, header.Values("Www-Authenticate"))
	for name := range header {
		require.Contains(t, []string{
			"Content-Type", "Content-Length", "Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy", "Www-Authenticate",
			"Cache-Control", "Vary", "Date",
		}, name)
	}
	_, header, _ = start(t, "").do(t, "GET", "/api/v1/tts/voices", "")
	require.Equal(t, "sandbox; default-src 'none'", header.Get("Content-Security-Policy"), "so do our own errors")
}
