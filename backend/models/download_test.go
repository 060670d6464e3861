package models_test

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hub/hubtest"
	"github.com/voicewright/voicewright/backend/models/registry"
)

// requireSteady checks the rules of every stream of progress.
func requireSteady(t *testing.T, records []backend.ModelProgress) {
	t.Helper()
	require.NotEmpty(t, records)
	for i, p := range records {
		require.LessOrEqual(t, p.Current, p.Total)
		if i > 0 {
			require.GreaterOrEqual(t, p.Current, records[i-1].Current, "progress goes back: %+v", records)
			require.GreaterOrEqual(t, p.Total, records[i-1].Total)
		}
		require.Equal(t, i == len(records)-1, p.Ended(), "record %d of %d", i, len(records))
	}
}

func TestDownload(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) { l.known("alpha", "anna", "bert") })
	l.holdHub()
	require.Equal(t, backend.ModelNotDownloaded, l.state("alpha"))
	p, err := l.manager.Progress("alpha")
	require.NoError(t, err)
	require.Equal(t, backend.DownloadIdle, p.Status)

	p, err = l.manager.Download(t.Context(), "ALPHA", false)
	require.NoError(t, err)
	require.Equal(t, backend.DownloadQueued, p.Status)
	require.Zero(t, p.Current)
	l.waitHalf("alpha")
	p, err = l.manager.Download(t.Context(), "alpha", false)
	require.NoError(t, err)
	require.Equal(t, backend.DownloadRunning, p.Status, "the running download continues")
	s := l.get("alpha")
	require.Equal(t, backend.ModelDownloading, s.State)
	require.False(t, s.Downloaded)
	require.Equal(t, int64(size+15), s.Downloading.Total)

	l.releaseHub()
	p = l.until("alpha", backend.DownloadComplete)
	require.Equal(t, int64(size+15), p.Current)
	require.Equal(t, p.Current, p.Total)
	records := l.reports("alpha")
	requireSteady(t, records)
	require.Equal(t, p, records[len(records)-1])
	require.Equal(t, int64(size), l.server.Bytes("alpha.graph"), "downloaded once")
	s = l.get("alpha")
	require.True(t, s.Downloaded)
	require.Nil(t, s.Downloading)
	require.Zero(t, s.PartialMB)
	require.ElementsMatch(t, []string{"ANNA", "BERT"}, l.profiles())

	requests := len(l.server.Requests(""))
	p, err = l.manager.Download(t.Context(), "alpha", false)
	require.NoError(t, err)
	require.Equal(t, backend.DownloadComplete, p.Status, "it is downloaded already")
	l.start()
	require.Equal(t, backend.ModelDownloaded, l.state("alpha"))
	require.Len(t, l.server.Requests(""), requests)
	_, err = l.manager.Download(t.Context(), "nobody", false)
	requireCode(t, backend.CodeModelUnknown, err)
	_, err = l.manager.Progress("nobody")
	requireCode(t, backend.CodeModelUnknown, err)
}

func TestLicense(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) {
		e := l.known("alpha", "anna")
		e.License = registry.License{Name: "OpenRAIL-M", URL: "https://example.org/license", AcceptRequired: true}
	})
	_, err := l.manager.Download(t.Context(), "alpha", false)
	e := failure(t, backend.CodeLicenseNotAccepted, err)
	require.Contains(t, e.Remedy, "https://example.org/license")
	require.Equal(t, "https://example.org/license", e.Params["url"])
	_, err = l.manager.Acquire(t.Context(), "alpha", nil)
	requireCode(t, backend.CodeLicenseNotAccepted, err)
	_, err = l.manager.Load(t.Context(), "alpha", false, false)
	requireCode(t, backend.CodeLicenseNotAccepted, err)
	require.False(t, l.get("alpha").License.Accepted)
	require.Empty(t, l.server.Requests(""))

	_, err = l.manager.Download(t.Context(), "alpha", true)
	require.NoError(t, err)
	l.until("alpha", backend.DownloadComplete)
	l.start()
	require.True(t, l.get("alpha").License.Accepted, "it is stored")
	l.acquire("alpha").Release()

	require.NoError(t, os.WriteFile(l.options.Licenses, []byte(`{"alpha":`), 0o600))
	l.start()
	require.False(t, l.get("alpha").License.Accepted, "an unreadable file counts as not accepted")
	_, err = l.manager.Acquire(t.Context(), "alpha", nil)
	requireCode(t, backend.CodeLicenseNotAccepted, err)
	done, err := l.manager.Load(t.Context(), "alpha", true, false)
	require.NoError(t, err)
	require.True(t, done.Loaded)
	l.start()
	require.True(t, l.get("alpha").License.Accepted)
}

func TestLicenseThatCannotBeKept(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) {
		l.known("alpha", "anna").License = registry.License{Name: "X", URL: "https://example.org", AcceptRequired: true}
		l.options.Licenses = filepath.Join(l.root, "gone", "licenses.json")
	})
	_, err := l.manager.Download(t.Context(), "alpha", true)
	require.Error(t, err)
	require.False(t, l.get("alpha").License.Accepted)
}

func TestFailedDownload(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault hubtest.Fault
		code  backend.Code
	}{
		"hub is down":  {hubtest.Status(http.StatusServiceUnavailable), backend.CodeDownloadFailed},
		"gated":        {hubtest.Status(http.StatusForbidden, "X-Error-Code", "GatedRepo"), backend.CodeHubGated},
		"rate limited": {hubtest.Status(http.StatusTooManyRequests, "Retry-After", "7"), backend.CodeHubRateLimited},
	} {
		t.Run(name, func(t *testing.T) {
			l := newFixture(t, func(l *fixture) { l.known("alpha", "anna") })
			l.server.Hub("", hubtest.Always, c.fault)
			_, err := l.manager.Download(t.Context(), "alpha", false)
			require.NoError(t, err)
			p := l.until("alpha", backend.DownloadError)
			require.Equal(t, c.code, p.Code)
			require.NotEmpty(t, p.Detail)
			require.NotEmpty(t, p.Remedy)
			requireSteady(t, l.reports("alpha"))
			s := l.get("alpha")
			require.Equal(t, backend.ModelNotDownloaded, s.State)
			require.Equal(t, c.code, s.Error.Code)
			_, err = l.manager.Acquire(t.Context(), "alpha", nil)
			requireCode(t, c.code, err)

			l.server.Heal()
			p, err = l.manager.Download(t.Context(), "alpha", false)
			require.NoError(t, err)
			require.Empty(t, p.Code)
			require.Nil(t, l.get("alpha").Error, "the next start clears the error")
			l.until("alpha", backend.DownloadComplete)
		})
	}
	t.Run("wrong bytes for ever", func(t *testing.T) {
		l := newFixture(t, func(l *fixture) { l.known("alpha", "anna") })
		l.server.Storage("alpha.graph", hubtest.Always, hubtest.Corrupt(5))
		_, err := l.manager.Download(t.Context(), "alpha", false)
		require.NoError(t, err)
		require.Equal(t, backend.CodeChecksumMismatch, l.until("alpha", backend.DownloadError).Code)
	})
	t.Run("profiles cannot be made", func(t *testing.T) {
		l := newFixture(t, func(l *fixture) {
			l.known("alpha", "anna")
			l.options.Presets = noPresets{}
			l.options.Log = quiet() // the cause is logged
		})
		_, err := l.manager.Download(t.Context(), "alpha", false)
		require.NoError(t, err)
		require.Equal(t, backend.CodeInternal, l.until("alpha", backend.DownloadError).Code)
	})
	t.Run("offline", func(t *testing.T) {
		l := newFixture(t, func(l *fixture) {
			l.known("alpha", "anna")
			l.hub.Offline = func() bool { return true }
		})
		_, err := l.manager.Acquire(t.Context(), "alpha", nil)
		requireCode(t, backend.CodeOffline, err)
		require.Equal(t, backend.CodeOffline, l.until("alpha", backend.DownloadError).Code)
		require.Empty(t, l.server.Requests(""))
	})
}

func TestPauseAndResume(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) { l.known("alpha", "anna") })
	l.holdHub()
	_, err := l.manager.Pause(t.Context(), "alpha")
	requireCode(t, backend.CodeNotInProgress, err)
	_, err = l.manager.Resume(t.Context(), "alpha")
	requireCode(t, backend.CodeNotInProgress, err)
	_, err = l.manager.Cancel(t.Context(), "alpha")
	requireCode(t, backend.CodeNotInProgress, err)

	_, err = l.manager.Download(t.Context(), "alpha", false)
	require.NoError(t, err)
	l.waitHalf("alpha")
	p, err := l.manager.Pause(t.Context(), "alpha")
	require.NoError(t, err)
	require.Equal(t, backend.DownloadPaused, p.Status)
	s := l.get("alpha")
	require.Equal(t, 1, s.PartialMB)
	require.Equal(t, backend.ModelDownloading, s.State)
	require.Nil(t, s.Error)
	_, err = l.manager.Pause(t.Context(), "alpha")
	requireCode(t, backend.CodeNotInProgress, err)

	q, err := l.manager.Resume(t.Context(), "alpha")
	require.NoError(t, err)
	require.GreaterOrEqual(t, q.Current, p.Current)
	_, err = l.manager.Resume(t.Context(), "alpha")
	require.NoError(t, err, "it is running already")
	l.releaseHub()
	l.until("alpha", backend.DownloadComplete)
	requireSteady(t, l.reports("alpha"))
	l.requireResumed("alpha")
	require.Equal(t, []string{"ANNA"}, l.profiles())
}

func TestCancelWhileRunning(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) { l.known("alpha", "anna") })
	l.holdHub()
	_, err := l.manager.Download(t.Context(), "alpha", false)
	require.NoError(t, err)
	l.waitHalf("alpha")
	requireCancelled(t, l, "alpha")
}

// requireCancelled cancels a download and checks that it leaves no files.
func requireCancelled(t *testing.T, l *fixture, name string) {
	t.Helper()
	p, err := l.manager.Cancel(t.Context(), name)
	require.NoError(t, err)
	require.Equal(t, backend.DownloadError, p.Status)
	require.Equal(t, backend.CodeCancelled, p.Code)
	require.NotEmpty(t, p.Detail)
	s := l.get(name)
	require.Equal(t, backend.ModelNotDownloaded, s.State)
	require.Zero(t, s.PartialMB)
	require.Nil(t, s.Downloading)
	require.Nil(t, s.Error)
	for _, file := range l.files() {
		require.NotContains(t, file, "models--acme--"+name)
	}
	_, err = l.manager.Cancel(t.Context(), name)
	requireCode(t, backend.CodeNotInProgress, err)
	l.releaseHub()
	l.download(name)
}

func TestCancelWhilePaused(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) { l.known("alpha", "anna") })
	l.holdHub()
	_, err := l.manager.Download(t.Context(), "alpha", false)
	require.NoError(t, err)
	l.waitHalf("alpha")
	_, err = l.manager.Pause(t.Context(), "alpha")
	require.NoError(t, err)
	requireCancelled(t, l, "alpha")
}

func TestOnlyTwoAtOnce(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) {
		for _, name := range []string{"alpha", "beta", "gamma", "delta"} {
			l.known(name, "anna-"+name)
		}
	})
	l.holdHub()
	for _, name := range []string{"alpha", "beta"} {
		_, err := l.manager.Download(t.Context(), name, false)
		require.NoError(t, err)
		l.waitHalf(name)
	}
	for _, name := range []string{"gamma", "delta"} {
		p, err := l.manager.Download(t.Context(), name, false)
		require.NoError(t, err)
		require.Equal(t, backend.DownloadQueued, p.Status)
	}
	p, err := l.manager.Pause(t.Context(), "gamma")
	require.NoError(t, err)
	require.Equal(t, backend.DownloadPaused, p.Status)
	_, err = l.manager.Resume(t.Context(), "gamma")
	require.NoError(t, err)
	require.Empty(t, l.server.Requests("gamma.graph"))
	requireCancelled(t, l, "delta")
	for _, name := range []string{"alpha", "beta", "gamma"} {
		l.until(name, backend.DownloadComplete)
		requireSteady(t, l.reports(name))
	}
	require.Len(t, l.profiles(), 4)
}

func TestPauseAndCancelAtOnce(t *testing.T) {
	t.Parallel()
	for range 10 {
		l := newFixture(t, func(l *fixture) { l.known("alpha", "anna") })
		l.holdHub()
		_, err := l.manager.Download(t.Context(), "alpha", false)
		require.NoError(t, err)
		l.waitHalf("alpha")
		var both sync.WaitGroup
		both.Go(func() { _, _ = l.manager.Pause(context.Background(), "alpha") })
		both.Go(func() {
			if _, err := l.manager.Cancel(context.Background(), "alpha"); err != nil {
				t.Error(err)
			}
		})
		both.Wait()
		require.Equal(t, backend.ModelNotDownloaded, l.state("alpha"), "it is cancelled")
		require.Zero(t, l.get("alpha").PartialMB)
	}
}

func TestCloseWhileDownloading(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) { l.known("alpha", "anna") })
	l.holdHub()
	waiting := make(chan error, 1)
	go func() {
		_, err := l.manager.Acquire(context.Background(), "alpha", nil)
		waiting <- err
	}()
	l.waitHalf("alpha")
	require.NoError(t, l.manager.Close(context.Background()))
	requireCode(t, backend.CodeInterrupted, <-waiting)
	p, err := l.manager.Progress("alpha")
	require.NoError(t, err)
	require.Equal(t, backend.CodeInterrupted, p.Code)
	_, err = l.manager.Download(t.Context(), "alpha", false)
	requireCode(t, backend.CodeCancelled, err)

	l.start()
	require.Equal(t, 1, l.get("alpha").PartialMB)
	l.releaseHub()
	l.download("alpha")
	l.requireResumed("alpha")
}
