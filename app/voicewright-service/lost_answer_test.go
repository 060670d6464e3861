package main_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// swallower is a way to the service on which the answers of calls of speech get lost while it is hungry.
type swallower struct {
	*httptest.Server
	hungry    atomic.Bool
	swallowed chan struct{}
	keys      chan string // of the calls of speech
}

func newSwallower(t *testing.T, to string) *swallower {
	t.Helper()
	target, err := url.Parse(to)
	require.NoError(t, err)
	s := &swallower{swallowed: make(chan struct{}, 10), keys: make(chan string, 10)}
	proxy := httputil.NewSingleHostReverseProxy(target)
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, "/api/v1/tts/synthesize") {
			proxy.ServeHTTP(w, r)
			return
		}
		s.keys <- r.Header.Get("Idempotency-Key")
		if !s.hungry.Load() {
			proxy.ServeHTTP(w, r)
			return
		}
		answer := httptest.NewRecorder()
		proxy.ServeHTTP(answer, r)
		_, _ = io.Copy(io.Discard, answer.Body)
		s.swallowed <- struct{}{}
		<-r.Context().Done()
	}))
	t.Cleanup(s.Close)
	return s
}

// appCall sends a request to the app's server.
func (r *running) appCall(method, path, body string) answer {
	r.t.Helper()
	q, err := http.NewRequestWithContext(r.t.Context(), method, r.url+path, strings.NewReader(body))
	require.NoError(r.t, err)
	q.Header.Set("Authorization", "Bearer local")
	q.Header.Set("Prefer", "respond-async")
	q.Close = true
	res, err := http.DefaultClient.Do(q)
	require.NoError(r.t, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	require.NoError(r.t, err)
	a := answer{status: res.StatusCode, header: res.Header, text: string(text)}
	if strings.HasPrefix(a.text, "{") {
		a.json = parseJSON(r.t, a.text)
	}
	return a
}

// TestALostAnswerIsFoundAfterKills: the service has charged a call, its answer gets lost, and both programs are killed. When they
// run again, the app asks for the answer by the key of the call: the history has the audio, and it is paid once.
func TestALostAnswerIsFoundAfterKills(t *testing.T) {
	t.Parallel()
	app, err := appProgram()
	require.NoError(t, err)
	l := newLab(t)
	service := l.serve()
	ann := l.issuer.Token("ann")
	service.credits(ann) // makes the account
	l.mustRun("account", "set-plan", "ann", "pro")
	key := service.must("POST", "/api/v1/user/api-keys", ann, nil)["key"].(string)
	way := newSwallower(t, service.url)

	address, process := l.startApp(app)
	local := &running{t: t, url: address}
	require.Equal(t, http.StatusOK, local.appCall("PUT", "/settings",
		`{"hosted.base_url":"`+way.URL+`","hosted.enabled":true,"secrets.allow_file":true}`).status)
	require.Equal(t, http.StatusOK, local.appCall("PUT", "/hosted/key", `{"key":"`+key+`"}`).status)
	profile := local.appCall("GET", "/profiles", "").json["items"].([]any)[0].(object)["id"].(string)
	way.hungry.Store(true)
	begun := local.appCall("POST", "/generate",
		`{"profile_id":"`+profile+`","text":"It is lost and found.","voice":"hosted:`+service.voice(ann, "ProviderC")+`"}`)
	require.Equal(t, http.StatusAccepted, begun.status, begun.text)
	waitFor(t, way.swallowed)
	require.NoError(t, process.Process.Kill())
	_ = process.Wait() // it was killed
	require.Equal(t, -1, service.signal(syscall.SIGKILL))
	charged := waitFor(t, way.keys)
	require.NotEmpty(t, charged)

	way.hungry.Store(false)
	service = l.serve("--addr", strings.TrimPrefix(service.url, "http://"))
	paid := service.credits(ann)
	require.Less(t, paid, 100_000.0)
	local.url, process = l.startApp(app)
	var row object
	require.Eventually(t, func() bool {
		row = local.appCall("GET", "/history/"+begun.json["id"].(string), "").json
		return row["status"] == "complete" || row["status"] == "failed"
	}, testTimeout, 20*time.Millisecond)
	require.Equal(t, "complete", row["status"], row)
	audio := local.appCall("GET", row["audio_url"].(string), "")
	require.Equal(t, http.StatusOK, audio.status)
	require.NotEmpty(t, audio.text)
	require.InDelta(t, 100_000-paid, row["credits"], 0)
	require.Equal(t, charged, waitFor(t, way.keys), "the same call again")
	require.InDelta(t, paid, service.credits(ann), 0, "it is paid once")
	require.Len(t, service.must("GET", "/api/v1/user/usage", ann, nil)["usage"], 1)
	require.NoError(t, process.Process.Signal(syscall.SIGTERM))
	require.NoError(t, process.Wait())
	require.Equal(t, exitDone, service.signal(syscall.SIGTERM))
}
