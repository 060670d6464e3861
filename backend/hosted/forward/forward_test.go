package forward_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/hosted/hostedtest"
)

// do sends a request to the local API and returns status, headers and body; headers are "Name: value", "-Authorization" sends
// none.
func (r *rig) do(t testing.TB, method, path, body string, headers ...string) (int, http.Header, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, r.URL+path, strings.NewReader(body))
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer "+localToken)
	for _, h := range headers {
		name, value, found := strings.Cut(h, ": ")
		if !found {
			req.Header.Del(strings.TrimPrefix(h, "-"))
			continue
		}
		req.Header.Set(name, value)
	}
	res, err := r.Client().Transport.RoundTrip(req)
	require.NoError(t, err)
	defer res.Body.Close()
	got, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	return res.StatusCode, res.Header, string(got)
}

func TestWhatIsNotForwarded(t *testing.T) {
	t.Parallel()
	service := hostedtest.Start(t, hostedtest.Options{})
	for name, c := range map[string]struct {
		change  func(*rig)
		method  string
		path    string
		headers []string
		status  int
		answer  string
	}{
		"no local token": {path: "/api/v1/user/credits", headers: []string{"-Authorization"}, status: 401, answer: `"code":"unauthorized"`},
		"the page of a browser without a token": {
			path: "/api/v1/user/credits", headers: []string{"-Authorization", "Accept: text/html"}, status: 401, answer: `"code":"unauthorized"`,
		},
		"a foreign page": {path: "/api/v1/user/credits", headers: []string{"Origin: https://evil.example"}, status: 403, answer: `"code":"origin_not_allowed"`},
		"another path":   {path: "/api/v1/user/usages", status: 404, answer: `"code":"not_found"`},
		"administration": {path: "/api/admin/users", status: 404, answer: `"code":"not_found"`},
		"another method": {method: "DELETE", path: "/api/v1/user/credits", status: 405, answer: `"code":"method_not_allowed"`},
		"an unknown choice of credential": {
			path: "/api/v1/user/credits", headers: []string{"X-Voicewright-Auth: both"}, status: 422, answer: `"loc":["header","X-Voicewright-Auth"]`,
		},
		"a chosen key that is missing": {
			change: func(r *rig) { r.creds.key = "" }, path: "/api/v1/user/credits", headers: []string{"X-Voicewright-Auth: key"},
			status: 401, answer: `"code":"hosted_not_signed_in"`,
		},
		"key management without a sign-in": {
			change: func(r *rig) { r.creds.token = "" }, path: "/api/v1/user/api-keys", status: 401, answer: `"code":"hosted_not_signed_in"`,
		},
		"no base URL": {change: func(r *rig) { r.base = "" }, path: "/api/v1/user/credits", status: 409, answer: `"code":"hosted_not_configured"`},
		"turned off":  {change: func(r *rig) { r.off = true }, path: "/api/v1/user/credits", status: 409, answer: `"code":"hosted_not_configured"`},
		"a base URL without TLS": {
			change: func(r *rig) { r.base = "http://service.example" }, path: "/api/v1/user/credits", status: 409, answer: `"code":"hosted_not_configured"`,
		},
		"offline": {change: func(r *rig) { r.offline = true }, path: "/api/v1/user/credits", status: 503, answer: `"code":"offline"`},
		"nobody there": {
			change: func(r *rig) { r.base = hostedtest.Closed(t) }, method: "POST", path: "/api/v1/tts/synthesize",
			status: 502, answer: `"code":"hosted_unreachable"`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := start(t, service.URL)
			if c.change != nil {
				c.change(r)
			}
			method := c.method
			if method == "" {
				method = http.MethodGet
			}
			status, header, body := r.do(t, method, c.path, "", c.headers...)
			require.Equal(t, c.status, status, body)
			require.Contains(t, body, c.answer)
			require.Equal(t, "no-store", header.Get("Cache-Control"))
			if c.status == http.StatusMethodNotAllowed {
				require.Equal(t, "GET, HEAD", header.Get("Allow"))
			}
		})
	}
	t.Cleanup(func() { require.Empty(t, service.Requests("/")) })
}

func TestBodyOverTheLimit(t *testing.T) {
	t.Parallel()
	service := hostedtest.Start(t, hostedtest.Options{})
	r := start(t, service.URL)
	r.creds.key = hostedtest.Key
	for _, length := range []int64{16<<20 + 1, -1} { // announced, and not
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, r.URL+"/api/v1/tts/synthesize",
			io.LimitReader(endless{}, 16<<20+1))
		require.NoError(t, err)
		req.ContentLength = length
		req.Header.Set("Authorization", "Bearer "+localToken)
		res, err := r.Client().Do(req)
		require.NoError(t, err)
		body, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		require.Equal(t, http.StatusRequestEntityTooLarge, res.StatusCode)
		require.Contains(t, string(body), `"code":"body_too_large"`)
	}
	require.Empty(t, service.Requests("/"), "the service never saw a complete request")
	status, _, _ := r.do(t, "POST", "/api/v1/tts/enhance", `{"text":"`+strings.Repeat("a", 16<<20-11)+`"}`)
	require.Equal(t, http.StatusBadRequest, status, "the service judges a body of 16 MiB")
}

// endless is zeros.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

// TestBothDirectionsStream: the service reads a byte before the caller has sent the next one, and the other way round.
func TestBothDirectionsStream(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	done := make(chan struct{})
	go func() {
		defer close(done)
		conn, err := l.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		in, err := http.ReadRequest(bufio.NewReader(conn))
		if err != nil {
			return
		}
		_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
		b := make([]byte, 1)
		for range 3 {
			if _, err := io.ReadFull(in.Body, b); err != nil {
				return
			}
			fmt.Fprintf(conn, "1\r\n%s\r\n", b)
		}
		_, _ = io.WriteString(conn, "0\r\n\r\n")
	}()
	t.Cleanup(func() { _ = l.Close(); <-done })
	r := start(t, "http://"+l.Addr().String())
	body, sending := io.Pipe()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, r.URL+"/api/v1/tts/enhance", body)
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer "+localToken)
	first := make(chan struct{})
	go func() {
		_, _ = sending.Write([]byte("a"))
		close(first)
	}()
	res, err := r.Client().Do(req)
	require.NoError(t, err)
	defer res.Body.Close()
	<-first
	got := make([]byte, 1)
	for i, c := range []string{"a", "b", "c"} {
		if i > 0 {
			_, err = sending.Write([]byte(c))
			require.NoError(t, err)
		}
		_, err = io.ReadFull(res.Body, got)
		require.NoError(t, err)
		require.Equal(t, c, string(got))
	}
	require.NoError(t, sending.Close())
}

// TestUpstreamBreaks: an answer that breaks off breaks off here too, and one that never begins has a code.
func TestUpstreamBreaks(t *testing.T) {
	t.Parallel()
	request := func(path string) string {
		return "POST " + path + " HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer " + localToken + "\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"
	}
	for name, c := range map[string]struct{ answer, path, wants, lacks string }{
		"in a body of known length":  {"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf", "/api/v1/tts/synthesize", "Content-Length: 100", "code"},
		"in a body of chunks":        {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n", "/api/v1/tts/synthesize", "half", "\r\n0\r\n"},
		"before a paid answer":       {"", "/api/v1/tts/synthesize", `"code":"hosted_answer_lost"`, "HTTP/1.1 200"},
		"before another answer":      {"", "/api/v1/tts/enhance", `"code":"hosted_unreachable"`, "HTTP/1.1 200"},
		"with something else":        {"SSH-2.0-OpenSSH\r\n", "/api/v1/tts/enhance", `"code":"hosted_unreachable"`, "SSH"},
		"after the head of a status": {"HTTP/1.1 200 OK\r\nContent-", "/api/v1/tts/synthesize", `"code":"hosted_answer_lost"`, "HTTP/1.1 200"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := startEcho(t, says(c.answer))
			got := start(t, e.url()).raw(t, request(c.path))
			require.Contains(t, got, c.wants)
			require.NotContains(t, got, c.lacks)
			require.Len(t, e.requests(), 1, "it is never repeated")
		})
	}
}

// TestCallerLeaves: the call of the service ends when its caller leaves, before and during the answer.
func TestCallerLeaves(t *testing.T) {
	t.Parallel()
	for name, head := range map[string]string{"before the answer": "", "during the answer": "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			began := make(chan struct{})
			e := startEcho(t, func(conn net.Conn, _ int) {
				_, _ = io.WriteString(conn, head)
				close(began)
				_, _ = io.Copy(io.Discard, conn) // until the forwarder leaves
			})
			r := start(t, e.url())
			conn, err := net.Dial("tcp", r.Listener.Addr().String())
			require.NoError(t, err)
			fmt.Fprintf(conn, "POST /api/v1/tts/synthesize HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Length: 2\r\n\r\n{}",
				r.Listener.Addr(), localToken)
			<-began
			if head != "" {
				_, err = bufio.NewReader(conn).ReadString('\n')
				require.NoError(t, err)
			}
			left := time.Now()
			require.NoError(t, conn.Close())
			select {
			case <-e.ended:
				t.Logf("the service was left after %v", time.Since(left))
			case <-time.After(time.Minute):
				t.Fatal("the call of the service goes on without its caller")
			}
		})
	}
}

// TestMemoryOfLargeBodies: an answer of 100 MB, and a request of 16 MiB, pass in buffers.
func TestMemoryOfLargeBodies(t *testing.T) {
	const down, up = 100_000_000, 16 << 20
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, _ := io.Copy(io.Discard, r.Body)
		w.Header().Set("X-Received", strconv.FormatInt(n, 10))
		_, _ = io.CopyN(w, endless{}, down)
	}))
	t.Cleanup(upstream.Close)
	r := start(t, upstream.URL)
	var before, now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, r.URL+"/api/v1/tts/enhance", io.LimitReader(endless{}, up))
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer "+localToken)
	res, err := r.Client().Do(req)
	require.NoError(t, err)
	defer res.Body.Close()
	n, err := io.Copy(io.Discard, res.Body)
	require.NoError(t, err)
	require.EqualValues(t, down, n)
	require.Equal(t, strconv.Itoa(up), res.Header.Get("X-Received"))
	runtime.ReadMemStats(&now)
	t.Logf("%d kB were allocated for %d MB", (now.TotalAlloc-before.TotalAlloc)/1000, (down+up)/1_000_000)
	require.Less(t, now.TotalAlloc-before.TotalAlloc, uint64(4_000_000), "all that was ever allocated, here, in the service and in the client")
}

// FuzzPaths: whatever the path, only those of the contract reach the service, as they are.
func FuzzPaths(f *testing.F) {
	for _, p := range []string{
		"/api/v1/tts/voices", "/api/v1/user/api-keys/0199-a", "/api/v1//tts/voices", "//api/v1/tts/voices", "/api/v1/tts/../tts/voices",
		"/api/v1/tts/%2e%2e/user/credits", "/api/v1/tts%2Fvoices", "/api/v1/./tts/voices", "/API/v1/tts/voices", "/api/v1/TTS/voices",
		"/api/v1/tts/voices/", "/api/v1/tts/voices;x", "/api/v1/../admin/users", "/api/v1/..%2fadmin", "/api/admin/users", "/api/v1/%61dmin",
		"/api/v1/user/api-keys/..", "/api/v1/user/api-keys/%2e%2e", "/api/v1/user/api-keys/a%2fb", "/api/v1/user/api-keys/", "/api/v1/tts/%76oices",
		"/api/v1/tts/voices%00", "/api/v1/tts/voices%20", `/api/v1/tts\voices`, "/api/v1/tts/voices#x", "/api/v1", "/api/v1/",
		"http://other.example/api/v1/tts/voices",
	} {
		f.Add(p)
	}
	e := startEcho(f, says("HTTP/1.1 204 No Content\r\n\r\n"))
	r := start(f, e.url())
	allowed := map[string]bool{}
	for _, p := range []string{"tts/voices", "tts/filters", "tts/favorites", "tts/models", "user/credits", "user/api-keys"} {
		allowed["/api/v1/"+p] = true
	}
	f.Fuzz(func(t *testing.T, path string) {
		if path == "" || strings.ContainsFunc(path, func(c rune) bool { return c <= ' ' || c == 0x7f }) {
			t.Skip("it is no path of a request")
		}
		before := len(e.requests())
		got := r.raw(t, "GET "+path+" HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer "+localToken+"\r\nConnection: close\r\n\r\n")
		sent := e.requests()[before:]
		plain, query, _ := strings.Cut(path, "?")
		if u, err := url.Parse(plain); err == nil && u.IsAbs() {
			plain = u.EscapedPath() // the form for proxies: the host in it counts for nothing
		}
		if !allowed[plain] {
			require.Empty(t, sent, got)
			return
		}
		if len(sent) == 1 {
			line, _, _ := strings.Cut(sent[0], "\r\n")
			want := plain
			if strings.Contains(path, "?") {
				want += "?" + query
			}
			require.Equal(t, "GET "+want+" HTTP/1.1", line)
		}
	})
}

// TestPaidRequests are announced, whatever becomes of them; others are not.
func TestPaidRequests(t *testing.T) {
	t.Parallel()
	service := hostedtest.Start(t, hostedtest.Options{Key: hostedKey})
	r := start(t, service.URL)
	r.do(t, http.MethodGet, "/api/v1/tts/voices", "")
	r.do(t, http.MethodPost, "/api/v1/tts/enhance", `{"text":"Hello."}`)
	require.Zero(t, r.paid.Load())
	r.do(t, http.MethodPost, "/api/v1/tts/synthesize", `{}`)
	require.EqualValues(t, 1, r.paid.Load())
}
