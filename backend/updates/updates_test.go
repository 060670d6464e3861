package updates_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/updates"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patient is a time limit that no test reaches.
const patient = 5 * time.Minute

func online() bool { return false }

// server is a server of documents that remembers the requests.
type server struct {
	*httptest.Server
	mu       sync.Mutex
	requests []*http.Request
}

func (s *server) asked() []*http.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests
}

// serve starts a server on this machine that answers every request with what answer returns, with {server} replaced by its address.
func serve(t *testing.T, answer func(path string) (status int, header map[string]string, body string)) *server {
	t.Helper()
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.requests = append(s.requests, r)
		s.mu.Unlock()
		status, header, body := answer(r.URL.Path)
		for name, value := range header {
			w.Header().Set(name, strings.ReplaceAll(value, "{server}", s.URL))
		}
		w.WriteHeader(status)
		_, _ = w.Write([]byte(strings.ReplaceAll(body, "{server}", s.URL)))
	}))
	t.Cleanup(s.Close)
	return s
}

// document starts a server with one document.
func document(t *testing.T, body string) *server {
	t.Helper()
	return serve(t, func(string) (int, map[string]string, string) { return http.StatusOK, nil, body })
}

func checker(address, version string) *updates.Checker {
	return updates.New(updates.Options{
		Address: address, Version: version, Platform: "linux-amd64", Offline: online, Timeout: patient,
	})
}

// release returns a release as JSON.
func release(version string, more ...string) string {
	r := map[string]string{"version": version, "date": "2026-11-20", "page": "{server}/download", "notes": "Better."}
	for i := 0; i < len(more); i += 2 {
		r[more[i]] = more[i+1]
	}
	raw, _ := json.Marshal(r)
	return string(raw)
}

func TestCheck(t *testing.T) {
	s := document(t, release("v1.4.0", "notes", "Faster.\r\n<b>More</b> voices\x1b[31m.\n\n", "date", "2026-11-20T23:30:00-05:00", "later", "ignored"))
	got, err := checker(s.URL+"/updates.json", "v1.3.2").Check(t.Context())
	require.NoError(t, err)
	require.Equal(t, updates.NewestVersion{
		Current: "v1.3.2", Status: updates.Newer, Version: "1.4.0", Date: "2026-11-21", Page: s.URL + "/download",
		Notes: "Faster.\n<b>More</b> voices[31m.",
	}, got)
}

func TestRequestSaysNothing(t *testing.T) {
	s := serve(t, func(path string) (int, map[string]string, string) {
		if path == "/" {
			return http.StatusFound, map[string]string{"Location": "/moved", "Set-Cookie": "id=1"}, ""
		}
		return http.StatusOK, map[string]string{"Set-Cookie": "id=2"}, release("1.4.0")
	})
	c := checker(s.URL+"/", "1.3.0")
	for range 2 {
		_, err := c.Check(t.Context())
		require.NoError(t, err)
	}
	require.Len(t, s.asked(), 4)
	for _, r := range s.asked() {
		require.Equal(t, http.MethodGet, r.Method)
		require.Empty(t, r.URL.RawQuery)
		require.Equal(t, http.Header{"Accept": {"application/json"}, "User-Agent": {"voicewright"}, "Connection": {"close"}}, r.Header)
	}
}

func TestVersions(t *testing.T) {
	ascending := []string{
		"0.9.9", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1",
		"1.0.0", "v1.0.1", "1.2.0", "1.10.0", "2.0.0-rc.1", "2.0.0+build.7", "2.0.1", "10.0.0", "123456789012345678.0.0",
	}
	for i, published := range ascending {
		s := document(t, release(published))
		for j, own := range ascending {
			got, err := checker(s.URL, own).Check(t.Context())
			require.NoError(t, err)
			want := updates.Current
			if i > j {
				want = updates.Newer
			}
			require.Equal(t, want, got.Status, "%s where %s is published", own, published)
			require.Equal(t, strings.TrimPrefix(published, "v"), got.Version)
		}
	}
	s := document(t, release("1.0.0"))
	for _, own := range []string{
		"dev", "unknown", "", "176b8ffb", "176b8ffb-dirty", "v1.0.0-5-g176b8ffb", "v0.1.0-dirty", "v1.2.0-rc.1-12-gabcdef0-dirty",
		"v0.0.0-20261129152217-0123456789ab", "v1.0.1-0.20261129152217-0123456789ab+dirty", "0.0.0~git20261129.176b8ffb", "1.0", "01.0.0", "1.0.0-01",
	} {
		got, err := checker(s.URL, own).Check(t.Context())
		require.NoError(t, err)
		require.Equal(t, updates.Unknown, got.Status, own)
		require.Equal(t, "1.0.0", got.Version, own)
	}
}

func TestPlatforms(t *testing.T) {
	list := func(releases ...string) string { return "[" + strings.Join(releases, ",") + "]" }
	for name, tt := range map[string]struct {
		body, version string
		status        updates.Status
	}{
		"the one of this platform": {list(release("2.0.0", "platform", "windows-amd64"), release("1.1.0", "platform", "linux-amd64")), "1.1.0", updates.Newer},
		"before the one of all":    {list(release("2.0.0"), release("1.1.0", "platform", "linux-amd64")), "1.1.0", updates.Newer},
		"the highest":              {list(release("1.1.0"), release("1.9.0"), release("1.10.0"), release("1.2.0")), "1.10.0", updates.Newer},
		"only others":              {list(release("2.0.0", "platform", "linux-arm64")), "", updates.None},
		"none":                     {"[]", "", updates.None},
		"one of another":           {release("2.0.0", "platform", "darwin-arm64"), "", updates.None},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := checker(document(t, tt.body).URL, "1.0.0").Check(t.Context())
			require.NoError(t, err)
			require.Equal(t, tt.version, got.Version)
			require.Equal(t, tt.status, got.Status)
		})
	}
}

// Documents that a hostile or broken server may send.
func TestBadDocuments(t *testing.T) {
	for name, body := range map[string]string{
		"nothing":                "",
		"a web page":             "<!doctype html><title>Sign in</title>",
		"broken JSON":            `{"version":`,
		"a text":                 `"1.4.0"`,
		"null":                   "null",
		"a list of texts":        `["1.4.0"]`,
		"another type":           `{"version":1.4}`,
		"a name twice":           `{"version":"1.4.0","version":"9.9.9","date":"2026-11-20","page":"{server}/"}`,
		"deep":                   strings.Repeat("[", 100000),
		"deep but small":         "[[[[[[[[]]]]]]]]",
		"two documents":          release("1.4.0") + release("1.5.0"),
		"bytes":                  "{\"version\":\"\xff\"}",
		"large":                  release("1.4.0", "notes", strings.Repeat("a", 1<<17)),
		"no version":             release(""),
		"another version":        release("latest"),
		"a build of git":         release("v1.4.0-3-g0123abc"),
		"a version with HTML":    release("1.4.0-<script>"),
		"no date":                release("1.4.0", "date", ""),
		"another date":           release("1.4.0", "date", "yesterday"),
		"no such date":           release("1.4.0", "date", "2026-02-30"),
		"no page":                release("1.4.0", "page", ""),
		"a script":               release("1.4.0", "page", "javascript:alert(1)"),
		"a script with a host":   release("1.4.0", "page", "javascript://{server}/%0aalert(1)"),
		"a file":                 release("1.4.0", "page", "file:///etc/passwd"),
		"data":                   release("1.4.0", "page", "data:text/html,hello"),
		"another host":           release("1.4.0", "page", "http://evil.example/download"),
		"another host by https":  release("1.4.0", "page", "https://evil.example/download"),
		"another port":           release("1.4.0", "page", "http://127.0.0.1:1/download"),
		"a host that looks like": release("1.4.0", "page", "{server}.evil.example/"),
		"a user":                 release("1.4.0", "page", "http://127.0.0.1@evil.example/"),
		"a path":                 release("1.4.0", "page", "/download"),
		"a path of no scheme":    release("1.4.0", "page", "//evil.example/download"),
		"a hidden character":     release("1.4.0", "page", "{server}/\u202egpj.exe"),
		"a hidden query":         release("1.4.0", "page", "{server}/?a=\u202egpj.exe"),
		"a long page":            release("1.4.0", "page", "{server}/"+strings.Repeat("a", 2000)),
		"a bad one of others":    "[" + release("1.4.0") + "," + release("1.4.0", "page", "javascript:alert(1)", "platform", "windows-amd64") + "]",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := checker(document(t, body).URL, "1.0.0").Check(t.Context())
			require.Equal(t, backend.CodeUpdatesBadAnswer, backend.CodeOf(err), "%v", err)
		})
	}
}

func TestRedirects(t *testing.T) {
	other := document(t, release("9.9.9"))
	for name, tt := range map[string]struct {
		to   string
		code backend.Code
	}{
		"the same server":  {"/moved", ""},
		"in full":          {"{server}/moved", ""},
		"another port":     {other.URL + "/moved", backend.CodeUpdatesBadAnswer},
		"another host":     {"http://evil.example/", backend.CodeUpdatesBadAnswer},
		"another scheme":   {"ftp://127.0.0.1/", backend.CodeUpdatesBadAnswer},
		"a script":         {"javascript:alert(1)", backend.CodeUpdatesBadAnswer},
		"a file":           {"file:///etc/passwd", backend.CodeUpdatesBadAnswer},
		"an id":            {"/moved?id=7", backend.CodeUpdatesBadAnswer},
		"a loop":           {"/", backend.CodeUpdatesBadAnswer},
		"nowhere":          {"", backend.CodeUpdatesUnreachable},
		"a broken address": {"http://[::1", backend.CodeUpdatesUnreachable},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, func(path string) (int, map[string]string, string) {
				if path == "/moved" {
					return http.StatusOK, nil, release("1.4.0")
				}
				return http.StatusMovedPermanently, map[string]string{"Location": tt.to}, ""
			})
			_, err := checker(s.URL, "1.0.0").Check(t.Context())
			require.Equal(t, tt.code, backend.CodeOf(err), "%v", err)
		})
	}
	require.Empty(t, other.asked())
}

func TestServersThatDoNotAnswer(t *testing.T) {
	reason := func(err error) any { return backend.AsError(err).Params["reason"] }
	for _, status := range []int{http.StatusNotFound, http.StatusInternalServerError, http.StatusNoContent, http.StatusTooManyRequests} {
		s := serve(t, func(string) (int, map[string]string, string) { return status, nil, "" })
		_, err := checker(s.URL, "1.0.0").Check(t.Context())
		require.Equal(t, backend.CodeUpdatesUnreachable, backend.CodeOf(err))
		require.Equal(t, "status", reason(err))
	}
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	_, err := checker(closed.URL, "1.0.0").Check(t.Context())
	require.Equal(t, backend.CodeUpdatesUnreachable, backend.CodeOf(err))
	require.Equal(t, "network", reason(err))

	cut := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "1000")
		_, _ = w.Write([]byte("{"))
	}))
	defer cut.Close()
	_, err = checker(cut.URL, "1.0.0").Check(t.Context())
	require.Equal(t, backend.CodeUpdatesUnreachable, backend.CodeOf(err))
}

// drip starts a server that sends one byte after the other and never ends; started is closed with the first request.
func drip(t *testing.T) (address string, started chan struct{}) {
	t.Helper()
	started = make(chan struct{})
	var once atomic.Bool
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if once.CompareAndSwap(false, true) {
			close(started)
		}
		ticker := time.NewTicker(time.Millisecond)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				_, _ = w.Write([]byte(" "))
				_ = http.NewResponseController(w).Flush()
			case <-r.Context().Done():
				return
			}
		}
	}))
	t.Cleanup(s.Close)
	return s.URL, started
}

func TestSlowServer(t *testing.T) {
	address, _ := drip(t)
	c := updates.New(updates.Options{Address: address, Version: "1.0.0", Offline: online, Timeout: 20 * time.Millisecond})
	_, err := c.Check(t.Context())
	require.Equal(t, backend.CodeUpdatesUnreachable, backend.CodeOf(err))
	require.Equal(t, "timeout", backend.AsError(err).Params["reason"])
}

func TestStop(t *testing.T) {
	address, started := drip(t)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-started; cancel() }()
	_, err := checker(address, "1.0.0").Check(ctx) // without the stop it would last minutes
	require.Equal(t, backend.CodeCancelled, backend.CodeOf(err))
}

func TestOffline(t *testing.T) {
	var asked atomic.Int32
	s := serve(t, func(path string) (int, map[string]string, string) {
		if path == "/moved" {
			return http.StatusOK, nil, release("1.4.0")
		}
		return http.StatusFound, map[string]string{"Location": "/moved"}, ""
	})
	c := updates.New(updates.Options{Address: s.URL, Version: "1.0.0", Offline: func() bool { return true }, Timeout: patient})
	_, err := c.Check(t.Context())
	require.Equal(t, backend.CodeOffline, backend.CodeOf(err))
	require.Empty(t, s.asked())
	c = updates.New(updates.Options{Address: s.URL, Version: "1.0.0", Offline: func() bool { return asked.Add(1) > 1 }, Timeout: patient})
	_, err = c.Check(t.Context())
	require.Equal(t, backend.CodeOffline, backend.CodeOf(err), "turned on while it is asked")
	require.Len(t, s.asked(), 1)
}

// An address that must not be used counts as none.
func TestAddresses(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { _ = listener.Close() }()
	port := listener.Addr().(*net.TCPAddr).Port
	for _, address := range []string{
		"", "updates.json", "http://example.org/updates.json", "ftp://example.org/", "file:///etc/passwd", "https://", "https://me:secret@example.org/",
		"https://example.org/updates.json?id=7", "https://example.org/updates.json?", "https://example.org/#id", "http://[::1", "javascript:alert(1)",
		fmt.Sprintf("http://127.0.0.1.example.org:%d/", port), fmt.Sprintf("//127.0.0.1:%d/", port),
	} {
		c := checker(address, "1.0.0")
		require.Empty(t, c.Address(), address)
		_, err := c.Check(t.Context())
		require.Equal(t, backend.CodeUpdatesNotConfigured, backend.CodeOf(err), address)
	}
	for _, address := range []string{"https://example.org/updates.json", "http://localhost:8080/", "http://[::1]:8080/u", "https://127.0.0.1"} {
		require.Equal(t, address, checker(address, "1.0.0").Address())
	}
}

func FuzzDocument(f *testing.F) {
	f.Add(release("1.4.0"))
	f.Add("[" + release("1.4.0", "platform", "linux-amd64") + "]")
	f.Add(release("1.4.0", "page", "javascript:alert(1)"))
	f.Fuzz(func(t *testing.T, body string) {
		s := document(t, body)
		got, err := checker(s.URL, "1.0.0").Check(t.Context())
		if err != nil {
			require.Equal(t, backend.CodeUpdatesBadAnswer, backend.CodeOf(err))
			return
		}
		if got.Status != updates.None {
			require.True(t, strings.HasPrefix(got.Page, s.URL), got.Page)
			require.LessOrEqual(t, len([]rune(got.Notes)), 4000)
		}
	})
}
