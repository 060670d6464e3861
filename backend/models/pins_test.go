package models_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hub/hubtest"
	"github.com/voicewright/voicewright/backend/models/registry"
)

// unpinned makes the registry know no hash of the model alpha, at a revision that is a branch or a commit.
func unpinned(revision string) func(*fixture) {
	return func(l *fixture) {
		e := l.known("alpha", "anna")
		for i := range e.Variants[0].Files {
			f := &e.Variants[0].Files[i]
			f.Pinned, f.SHA256, f.Bytes, f.Revision = false, "", 0, revision
		}
	}
}

// TestFirstDownloadPins: what the first download got is what every later one gets.
func TestFirstDownloadPins(t *testing.T) {
	t.Parallel()
	for _, revision := range []string{registry.Branch, hubtest.CommitOf("acme/alpha")} {
		l := newFixture(t, unpinned(revision))
		first := l.repos[0]
		l.download("alpha")
		detail, err := l.manager.Detail(t.Context(), "alpha")
		require.NoError(t, err)
		pins, err := os.ReadFile(l.options.Pins)
		require.NoError(t, err)
		for _, f := range detail.Files {
			require.Equal(t, l.server.SHA256("acme/alpha", f.Path), f.SHA256)
			require.Contains(t, string(pins), f.SHA256)
		}
		remove := func() {
			_, err := l.manager.Delete(t.Context(), "alpha", false)
			require.NoError(t, err)
			require.NoDirExists(t, filepath.Join(l.dir, "models--acme--alpha"))
		}
		remove()

		changed := repo("acme/alpha", map[string]string{"alpha.graph": graph("mallory"), "alpha.config": "config of alpha"})
		changed.Commit = first.Commit // the same commit, other bytes
		l.server.Add(changed)
		for range 2 {
			_, err = l.manager.Download(t.Context(), "alpha", false)
			if err == nil {
				l.until("alpha", backend.DownloadError)
			}
			require.False(t, l.get("alpha").Downloaded)
			l.start() // also by a new process
		}
		l.server.Add(first)
		l.download("alpha")
		h := l.acquire("alpha")
		require.Equal(t, "anna", h.Info().Voices[0].ID)
		h.Release()
		remove()
	}
}

// TestPinsCannotBeRead takes the hashes from the hub again, and says so.
func TestPinsCannotBeRead(t *testing.T) {
	t.Parallel()
	l := newFixture(t, unpinned(registry.Branch), func(l *fixture) {
		require.NoError(t, writeFile(l.options.Pins, []byte("{")))
	})
	l.download("alpha")
	require.True(t, l.get("alpha").Downloaded)
}
