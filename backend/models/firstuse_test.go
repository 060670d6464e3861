package models_test

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hub/hubtest"
	"github.com/voicewright/voicewright/backend/models/registry"
	"github.com/voicewright/voicewright/backend/sqlite"
)

func TestMirror(t *testing.T) {
	t.Parallel()
	mirrored := func(l *fixture) {
		e := l.known("alpha", "anna")
		l.repos = append(l.repos, hubtest.Repo{ID: "mirror/alpha", Files: l.repos[0].Files})
		e.Variants[0].Mirrors = []registry.Mirror{
			{Repo: "mirror/nothing", Revision: hubtest.CommitOf("x")},
			{Repo: "mirror/alpha", Revision: hubtest.CommitOf("mirror/alpha")},
		}
	}
	t.Run("own repository is gone", func(t *testing.T) {
		l := newFixture(t, mirrored, func(l *fixture) { l.repos = l.repos[1:] })
		l.download("alpha")
		requireSteady(t, l.reports("alpha"))
		h := l.acquire("alpha")
		require.Equal(t, hubtest.CommitOf("mirror/alpha"), h.Revision)
		h.Release()
		l.start()
		require.True(t, l.get("alpha").Downloaded)
		freed, err := l.manager.Delete(t.Context(), "alpha", false)
		require.NoError(t, err)
		require.Equal(t, 1, freed.FreedMB)
		require.Empty(t, without(l.files(), "models/CACHEDIR.TAG"))
	})
	t.Run("own repository gives wrong bytes", func(t *testing.T) {
		l := newFixture(t, mirrored)
		l.server.Storage("alpha.graph", 2, hubtest.Corrupt(5))
		l.download("alpha")
	})
	t.Run("files are not pinned", func(t *testing.T) {
		l := newFixture(t, mirrored, func(l *fixture) {
			l.repos = l.repos[1:]
			for i := range l.options.Known[0].Variants[0].Files {
				f := &l.options.Known[0].Variants[0].Files[i]
				f.Pinned, f.SHA256 = false, ""
			}
		})
		_, err := l.manager.Download(t.Context(), "alpha", false)
		require.NoError(t, err)
		l.until("alpha", backend.DownloadError)
		for _, r := range l.server.Requests("") {
			require.NotContains(t, r.Path, "mirror", "a mirror has no say in the hashes")
		}
	})
}

// without returns the names that do not begin with any of the prefixes.
func without(names []string, out ...string) []string {
	var left []string
next:
	for _, n := range names {
		for _, o := range out {
			if n == o {
				continue next
			}
		}
		left = append(left, n)
	}
	return left
}

func TestFilesThatAreNotPinned(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) {
		e := l.known("alpha", "anna")
		for i := range e.Variants[0].Files {
			f := &e.Variants[0].Files[i]
			f.Pinned, f.SHA256, f.Revision, f.Bytes = false, "", registry.Branch, 1000*int64(i)
		}
	})
	l.download("alpha")
	requireSteady(t, l.reports("alpha")[1:]) // the total is known with the listing
	p, err := l.manager.Progress("alpha")
	require.NoError(t, err)
	require.Equal(t, int64(size+15), p.Total)
	h := l.acquire("alpha")
	require.Equal(t, hubtest.CommitOf("acme/alpha"), h.Revision)
	require.Len(t, h.Files[0].SHA256, 64)
	h.Release()
	_, err = l.manager.Delete(t.Context(), "alpha", false)
	require.NoError(t, err)
	require.Empty(t, without(l.files(), "models/CACHEDIR.TAG", "pins.json"))
}

// TestTwoRepositories has files with the same path in two repositories.
func TestTwoRepositories(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) {
		e := l.known("alpha", "anna")
		l.repos = append(l.repos, repo("acme/voices", map[string]string{"alpha.graph": "other voices"}))
		e.Variants[0].Files = append(e.Variants[0].Files, file("acme/voices", "alpha.graph", "other voices", "voices"))
	})
	l.server.Storage("", hubtest.Always, hubtest.Slow(20_000, 5*time.Millisecond)) // so that there is progress to tell
	l.download("alpha")
	requireSteady(t, l.reports("alpha"))
	h := l.acquire("alpha")
	require.Equal(t, "anna", h.Info().Voices[0].ID, "each file has its own role")
	require.Equal(t, hubtest.CommitOf("acme/alpha"), h.Revision)
	require.Len(t, h.Files, 3)
	h.Release()
}

func TestFirstUse(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) { l.known("alpha", "anna") })
	l.holdHub()
	var all sync.WaitGroup
	var calls atomic.Int64
	for range 3 {
		all.Go(func() {
			var phases []backend.Status
			h, err := l.manager.Acquire(context.Background(), "alpha", func(s backend.Status) {
				phases = append(phases, s)
				calls.Add(1)
			})
			if err != nil {
				t.Error(err)
				return
			}
			defer h.Release()
			if len(phases) == 0 || phases[0] != backend.StatusDownloading || len(phases) > 2 {
				t.Errorf("phases %v", phases)
			}
			if err := h.Speak(context.Background(), say("Hello."), emitNothing); err != nil {
				t.Error(err)
			}
		})
	}
	require.Eventually(t, func() bool { return calls.Load() == 3 }, waitLimit, time.Millisecond, "all callers are told of the download")
	l.releaseHub()
	all.Wait()
	require.Equal(t, int64(1), l.driver.opened.Load(), "one load")
	require.Equal(t, int64(size), l.server.Bytes("alpha.graph"), "one download")
}

func TestFirstUseThatIsPaused(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) { l.known("alpha", "anna") })
	l.holdHub()
	waiting := make(chan error, 1)
	go func() {
		_, err := l.manager.Acquire(context.Background(), "alpha", nil)
		waiting <- err
	}()
	l.waitHalf("alpha")
	_, err := l.manager.Pause(t.Context(), "alpha")
	require.NoError(t, err)
	require.Contains(t, failure(t, backend.CodeCancelled, <-waiting).Detail, "paused")
	l.releaseHub()
	l.acquire("alpha").Release() // which resumes it
}

func TestFirstUseThatIsGivenUp(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) { l.known("alpha", "anna") })
	l.holdHub()
	ctx, leave := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer leave()
	_, err := l.manager.Acquire(ctx, "alpha", nil)
	requireCode(t, backend.CodeCancelled, err)
	require.True(t, errors.Is(err, context.DeadlineExceeded))
	l.releaseHub()
	l.until("alpha", backend.DownloadComplete) // the download is the user's and goes on
}

func TestProgressIsReportedInOrder(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) {
		l.known("alpha", "anna")
		report := l.options.Progress
		l.options.Progress = func(p backend.ModelProgress) {
			_, err := l.manager.Progress(p.ModelName) // a callback may call the Manager
			require.NoError(t, err)
			report(p)
		}
	})
	for range 20 {
		l.download("alpha")
		requireSteady(t, l.reports("alpha"))
		_, err := l.manager.Delete(t.Context(), "alpha", false)
		require.NoError(t, err)
		l.mu.Lock()
		l.progress = map[string][]backend.ModelProgress{}
		l.mu.Unlock()
	}
}

// TestCancelOfFilesThatAreNotPinned: a cancel also removes the files that were complete before.
func TestCancelOfFilesThatAreNotPinned(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) {
		e := l.known("alpha", "anna")
		for i := range e.Variants[0].Files {
			f := &e.Variants[0].Files[i]
			f.Pinned, f.SHA256, f.Revision = false, "", registry.Branch
		}
	})
	l.holdHub()
	_, err := l.manager.Download(t.Context(), "alpha", false)
	require.NoError(t, err)
	l.waitHalf("alpha") // the graph is the second file
	_, err = l.manager.Cancel(t.Context(), "alpha")
	require.NoError(t, err)
	require.Zero(t, l.get("alpha").PartialMB)
	require.Empty(t, l.files(), "it takes no more space")
}

// TestFilesOfAnotherLibrary starts a second library on the models directory of the first, which gets the profiles once.
func TestFilesOfAnotherLibrary(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) { l.known("alpha", "anna", "ben") })
	l.download("alpha")
	second, err := sqlite.Open(t.Context(), sqlite.Options{Path: filepath.Join(t.TempDir(), "second.db")})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, second.Close()) })
	l.options.Presets = second
	l.start()
	for range 2 {
		require.NoError(t, l.manager.EnsurePresets(t.Context()))
		list, err := second.Profiles(t.Context(), backend.ProfileFilter{})
		require.NoError(t, err)
		require.Len(t, list.Items, 2)
	}
}
