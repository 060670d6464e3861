package main_test

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// repeat sends a call with an idempotency key until it is answered with something else than that the call is in progress.
func (r *running) repeat(credential, key string, body any) answer {
	r.t.Helper()
	var a answer
	require.Eventually(r.t, func() (answered bool) {
		var err error
		a, err = r.tryKeyed("POST", "/api/v1/tts/synthesize", credential, key, body)
		require.NoError(r.t, err)
		if a.status == http.StatusConflict {
			require.Equal(r.t, "DUPLICATE_REQUEST", a.json["code"], a.text)
			require.NotEmpty(r.t, a.header.Get("Retry-After"))
		}
		return a.status != http.StatusConflict
	}, testTimeout, 20*time.Millisecond)
	return a
}

// TestRepeatsAfterAKill kills the service while a call is spoken, and after it was charged and before its answer is read: each
// repeat at the next process gets an answer, and each call is charged once.
func TestRepeatsAfterAKill(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.speech.hold = make(chan struct{}, 100)
	r := l.serve()
	ann := l.issuer.Token("ann")
	body := r.synthesis(ann)
	l.speech.hold <- struct{}{}
	r.send(ann, "charged", body)
	waitFor(t, l.speech.started)
	require.Eventually(t, func() bool { return r.newest(ann)["status"] == "charged" }, testTimeout, 20*time.Millisecond)
	link := r.newest(ann)["url"].(string)
	r.send(ann, "held", body)
	waitFor(t, l.speech.started)
	require.Equal(t, -1, r.signal(syscall.SIGKILL))

	r = l.serve()
	charged := r.repeat(ann, "charged", body)
	require.Equal(t, http.StatusOK, charged.status, charged.text)
	require.InDelta(t, 9_960, charged.json["remainingCredits"], 0)
	require.Equal(t, link[strings.Index(link, "/files/"):], strings.TrimPrefix(charged.json["url"].(string), r.url))
	for range 3 {
		l.speech.hold <- struct{}{}
	}
	held := r.repeat(ann, "held", body)
	require.Equal(t, http.StatusOK, held.status, held.text)
	require.Equal(t, held.text, r.repeat(ann, "held", body).text)
	require.InDelta(t, 9_920, r.credits(ann), 0)
	exported := parseJSON(t, l.mustRun("account", "export", "ann"))["usage"].([]any)[0].(object)
	require.Len(t, exported["idempotency_key_sha256"], 64)
	require.NotEmpty(t, exported["file"])
	require.Equal(t, exitDone, r.signal(syscall.SIGTERM))
	require.NotContains(t, r.err.String(), "held")
	l.requireNoLeftovers()
}

// send sends a call with an idempotency key on a connection of its own, and never reads the answer.
func (r *running) send(credential, key string, body any) {
	r.t.Helper()
	raw, err := json.Marshal(body)
	require.NoError(r.t, err)
	conn, err := net.Dial("tcp", strings.TrimPrefix(r.url, "http://"))
	require.NoError(r.t, err)
	r.t.Cleanup(func() { _ = conn.Close() })
	_, err = fmt.Fprintf(conn, "POST /api/v1/tts/synthesize HTTP/1.1\r\nHost: service\r\nAuthorization: Bearer %s\r\nIdempotency-Key: %s\r\n"+
		"Content-Length: %d\r\n\r\n%s", credential, key, len(raw), raw)
	require.NoError(r.t, err)
}

// newest returns the newest call of the usage list.
func (r *running) newest(credential string) object {
	r.t.Helper()
	rows := r.must("GET", "/api/v1/user/usage?limit=1", credential, nil)["usage"].([]any)
	if len(rows) == 0 {
		return nil
	}
	return rows[0].(object)
}
