package models_test

import (
	"context"
	"net"
	"net/http"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

// network is a transport whose connections can fail: then the host is not found or not reachable.
type network struct{ down atomic.Bool }

func (n *network) RoundTrip(r *http.Request) (*http.Response, error) {
	if n.down.Load() {
		if r.Method == http.MethodHead {
			return nil, &net.DNSError{Err: "no such host", Name: r.URL.Host}
		}
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ENETUNREACH}
	}
	return http.DefaultTransport.RoundTrip(r)
}

// pauses receives the waits of a download without a network, one by one.
func pauses(l *fixture) (*network, chan time.Duration) {
	n, waited := &network{}, make(chan time.Duration)
	n.down.Store(true)
	l.known("alpha", "anna")
	l.hub.Transport = n
	l.hub.Wait = func(ctx context.Context, d time.Duration) error {
		select {
		case waited <- d:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return n, waited
}

// lost receives pauses until the progress has NetworkLost.
func (l *fixture) lost(name string, waited <-chan time.Duration) backend.ModelProgress {
	l.t.Helper()
	for range 20 {
		p, err := l.manager.Progress(name)
		require.NoError(l.t, err)
		if p.Retry != nil && p.Retry.NetworkLost {
			return p
		}
		select {
		case <-waited:
		case <-time.After(waitLimit):
		}
	}
	require.Fail(l.t, "the progress never has NetworkLost")
	return backend.ModelProgress{}
}

// countPauses counts the further pauses of a download. The returned function, to be called when the download has ended, returns
// their number.
func countPauses(waited chan time.Duration) func() int {
	counted := make(chan int)
	go func() {
		n := 0
		for range waited {
			n++
		}
		counted <- n
	}()
	return func() int {
		close(waited)
		return <-counted
	}
}

func TestDownloadOutlastsALostNetwork(t *testing.T) {
	t.Parallel()
	var n *network
	var waited chan time.Duration
	l := newFixture(t, func(l *fixture) { n, waited = pauses(l) })
	_, err := l.manager.Download(t.Context(), "alpha", false)
	require.NoError(t, err)
	p := l.lost("alpha", waited)
	require.Equal(t, backend.ModelDownloading, l.state("alpha"))
	require.Equal(t, backend.DownloadRunning, p.Status)
	require.Zero(t, p.Retry.Of)
	require.Equal(t, backend.CodeDownloadFailed, p.Retry.Code)
	require.NotEmpty(t, p.Retry.Detail)

	_, err = l.manager.Acquire(t.Context(), "alpha", nil)
	require.Contains(t, failure(t, backend.CodeDownloadFailed, err).Remedy, "The download continues when the network is back.")
	require.Equal(t, backend.ModelDownloading, l.state("alpha"), "the callers fail at once, and the download continues")

	n.down.Store(false)
	further := countPauses(waited)
	require.Nil(t, l.until("alpha", backend.DownloadComplete).Retry)
	require.LessOrEqual(t, further(), 1, "only the pause that had begun")
	l.acquire("alpha").Release()
}

// TestGenerationStartsADownloadWithoutANetwork: it fails soon, and the download continues.
func TestGenerationStartsADownloadWithoutANetwork(t *testing.T) {
	t.Parallel()
	var n *network
	var waited chan time.Duration
	l := newFixture(t, func(l *fixture) { n, waited = pauses(l) })
	failed := make(chan error, 1)
	go func() {
		_, err := l.manager.Acquire(context.Background(), "alpha", nil)
		failed <- err
	}()
	l.lost("alpha", waited)
	requireCode(t, backend.CodeDownloadFailed, <-failed)
	n.down.Store(false)
	further := countPauses(waited)
	l.until("alpha", backend.DownloadComplete)
	further()
}

func TestDownloadGivesUpAfterAnHourWithoutANetwork(t *testing.T) {
	t.Parallel()
	var waited chan time.Duration
	l := newFixture(t, func(l *fixture) { _, waited = pauses(l) })
	_, err := l.manager.Download(t.Context(), "alpha", false)
	require.NoError(t, err)
	l.lost("alpha", waited)
	for all := time.Duration(0); all < 59*time.Minute; {
		all += <-waited
	}
	p, err := l.manager.Progress("alpha")
	require.NoError(t, err)
	require.Greater(t, p.Retry.WaitSeconds, 30.0, "the pauses have grown")
	further := countPauses(waited)
	p = l.until("alpha", backend.DownloadError)
	further()
	require.Equal(t, backend.CodeDownloadFailed, p.Code)
	require.Nil(t, p.Retry)
}

// TestDownloadWithoutANetworkCanBePaused: the wait ends with the download.
func TestDownloadWithoutANetworkCanBePaused(t *testing.T) {
	t.Parallel()
	var n *network
	var waited chan time.Duration
	l := newFixture(t, func(l *fixture) { n, waited = pauses(l) })
	_, err := l.manager.Download(t.Context(), "alpha", false)
	require.NoError(t, err)
	l.lost("alpha", waited)
	_, err = l.manager.Pause(t.Context(), "alpha")
	require.NoError(t, err)
	l.until("alpha", backend.DownloadPaused)
	n.down.Store(false)
	_, err = l.manager.Download(t.Context(), "alpha", false)
	require.NoError(t, err)
	l.until("alpha", backend.DownloadComplete)
}
