package httpapi_test

import (
	"context"
	"flag"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/httpapi"
)

var update = flag.Bool("update", false, "write the golden files")

//go:generate go test -run TestOpenAPI$ . -update

// TestMain also checks for leaked goroutines.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const token = "t0ken-of-the-test"

// testTimeout is the longest time of anything on a busy machine.
const testTimeout = 2 * time.Minute

// rig is a real server with the API and its test routes.
type rig struct {
	t       testing.TB
	api     *httpapi.API
	srv     *httptest.Server
	client  *http.Client
	log     *strings.Builder
	entered atomic.Int64
	held    func() // called by handlers of test routes
}

type files struct{ dir string }

func (f files) AudioFile(_ context.Context, id string) (string, error) {
	if strings.HasPrefix(id, "0000") {
		return "", backend.E(backend.CodeGenerationNotFound, "No generation has this id.", "Check the history.")
	}
	return filepath.Join(f.dir, id+".wav"), nil
}

// start serves the API with its test routes and no services.
func start(t *testing.T, change func(*httpapi.Options)) *rig {
	t.Helper()
	r := newRig(t)
	o := httpapi.Options{
		Token: token, NewID: func() string { return "req-1" },
		AllowOrigins: []string{"http://localhost:34115"}, AllowHosts: []string{"studio.lan", "other.lan:99"},
		Audio: files{t.TempDir()},
		UI: fstest.MapFS{
			"index.html":    {Data: []byte("<!doctype html><title>UI</title>")},
			"assets/app.js": {Data: []byte("let x")},
		},
	}
	if change != nil {
		change(&o)
	}
	r.serve(o, func(a *httpapi.API) {
		a.AddTestRoutes(func() {
			r.entered.Add(1)
			r.held()
		})
	})
	return r
}

func newRig(t testing.TB) *rig {
	return &rig{t: t, log: &strings.Builder{}, held: func() {}, srv: httptest.NewUnstartedServer(nil)}
}

// serve creates the API with common options and starts to listen.
func (r *rig) serve(o httpapi.Options, more func(*httpapi.API)) {
	r.t.Helper()
	if o.Addr == nil {
		o.Addr = func() net.Addr { return r.srv.Listener.Addr() }
	}
	o.Version, o.Log = "1.2.3", slog.New(slog.NewTextHandler(r.log, nil))
	var err error
	r.api, err = httpapi.New(o)
	require.NoError(r.t, err)
	more(r.api)
	r.srv.Config.Handler = r.api.Handler()
	r.srv.Start()
	r.client = &http.Client{Transport: &http.Transport{}, Timeout: testTimeout}
	r.t.Cleanup(func() {
		r.api.Close()
		r.client.CloseIdleConnections()
		r.srv.Close()
	})
}

// answer is a response with its body read.
type answer struct {
	*http.Response
	body string
}

// do sends a request; headers are "Name: value" lines, "-Authorization" sends none.
func (r *rig) do(method, path, body string, headers ...string) answer {
	r.t.Helper()
	var rd io.Reader
	if body != "" {
		rd = strings.NewReader(body)
	}
	req, err := http.NewRequestWithContext(context.Background(), method, r.srv.URL+path, rd)
	require.NoError(r.t, err)
	req.Header.Set("Authorization", "Bearer "+token)
	for _, h := range headers {
		name, value, ok := strings.Cut(h, ": ")
		switch {
		case !ok:
			req.Header.Del(strings.TrimPrefix(h, "-"))
		case name == "Host":
			req.Host = value
		case name == "Prefer": // which may stand on several lines
			req.Header.Add(name, value)
		default:
			req.Header.Set(name, value)
		}
	}
	resp, err := r.client.Do(req)
	require.NoError(r.t, err)
	defer func() { _ = resp.Body.Close() }()
	data, err := io.ReadAll(resp.Body)
	require.NoError(r.t, err)
	return answer{resp, string(data)}
}

// port is the bound port.
func (r *rig) port() string {
	_, port, err := net.SplitHostPort(r.srv.Listener.Addr().String())
	require.NoError(r.t, err)
	return port
}

// golden compares with a stored text, or stores it.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}
