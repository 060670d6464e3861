package main_test

import (
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestEverythingIsServedWhileItDrains looks at a service that a balancer still sends requests to: only /ready says that it is stopping.
func TestEverythingIsServedWhileItDrains(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.speech.hold = make(chan struct{}, 2)
	r := l.serve("--drain-delay", "1h")
	ann := l.issuer.Token("ann")
	require.Equal(t, http.StatusOK, r.call("GET", "/ready", "", nil).status)
	running := r.background("POST", "/api/v1/tts/synthesize", ann, r.synthesis(ann))
	waitFor(t, l.speech.started)
	require.NoError(t, r.cmd.Process.Signal(syscall.SIGTERM))
	var ready answer
	require.Eventually(t, func() bool {
		ready = r.call("GET", "/ready", "", nil)
		return ready.status == http.StatusServiceUnavailable
	}, testTimeout, 10*time.Millisecond)
	require.Equal(t, "The service is stopping. Send requests elsewhere.", ready.json["error"])

	l.speech.hold <- struct{}{}
	first := waitFor(t, running)
	require.NotNil(t, first)
	require.Equal(t, http.StatusOK, first.status, first.text)
	require.Equal(t, http.StatusOK, r.call("GET", "/health", "", nil).status)
	l.speech.hold <- struct{}{}
	made := r.must("POST", "/api/v1/tts/synthesize", ann, r.synthesis(ann))
	require.Equal(t, http.StatusOK, r.call("GET", made["url"].(string), "", nil).status)
	require.InDelta(t, 9_920, r.credits(ann), 0)
	require.Equal(t, http.StatusServiceUnavailable, r.call("GET", "/ready", "", nil).status)
	require.Contains(t, r.err.String(), "/ready answers 503")
	require.NotContains(t, r.err.String(), `"level":"ERROR"`, "a stop is no error")

	require.Equal(t, -1, r.signalUntilEnd(syscall.SIGTERM), "a second signal ends it at once")
}

// TestItEndsAfterTheDrainDelay, set in each of the three places where settings are.
func TestItEndsAfterTheDrainDelay(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	config := l.file("config.yaml", "drain_delay: 50ms\ngrace: 1m\n")
	for name, r := range map[string]*running{
		"flag":     l.serve("--drain-delay", "50ms", "--grace", "1m"),
		"variable": (&lab{operator: l.withEnv("VOICEWRIGHT_SERVICE_DRAIN_DELAY=50ms", "VOICEWRIGHT_SERVICE_GRACE=1m")}).serve(),
		"file":     l.serve("--config", config),
	} {
		require.Equal(t, exitDone, r.signal(syscall.SIGTERM), r.err.String())
		_, after, found := strings.Cut(r.err.String(), `"for":"50ms"`)
		require.True(t, found, "%s: %s", name, r.err.String())
		require.Contains(t, after, `"msg":"stopping: no new requests are accepted","grace":"1m0s"`, name)
	}
	r := l.serve()
	require.Equal(t, exitDone, r.signal(syscall.SIGTERM))
	require.NotContains(t, r.err.String(), "answers 503", "without a delay there is nothing to say")
	require.Contains(t, r.err.String(), `"grace":"10m51s"`, "10 minutes of the local engines, 30 s of the queue, 21 s to charge")
}
