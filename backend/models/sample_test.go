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

// withSamples adds a Piper model of four voices: the hub has a sample of the first, a web page in the place of the second, one
// that is too large, and none of the fourth.
func withSamples(l *fixture) {
	e := l.known("speakers", "anna", "bert", "cora", "dave")
	e.Engine = "piper"
	folder := "en/en_US/speakers/"
	repo := hubtest.Repo{ID: registry.PiperRepo, Files: map[string]hubtest.Content{
		folder + "samples/speaker_0.mp3": hubtest.Bytes([]byte("ID3 and much more of an MP3 file")),
		folder + "samples/speaker_1.mp3": hubtest.Bytes([]byte("<html>this is not a sample</html>")),
		folder + "samples/speaker_2.mp3": hubtest.Zeros(1<<20 + 1),
	}}
	l.repos = append(l.repos, repo)
	for i := range e.Variants[0].Files {
		f := &e.Variants[0].Files[i]
		f.Repo, f.Revision, f.Path = repo.ID, registry.Branch, folder+f.Path
	}
}

func TestSampleBeforeTheDownload(t *testing.T) {
	t.Parallel()
	offline := false
	l := newFixture(t, withSamples, func(l *fixture) {
		l.known("alpha", "anna")
		l.hub.Offline = func() bool { return offline }
	})
	require.True(t, l.get("speakers").Samples)
	require.False(t, l.get("alpha").Samples)
	require.NoFileExists(t, filepath.Join(l.dir, "CACHEDIR.TAG"), "nothing is fetched before the click")
	for range 2 {
		s, err := l.manager.Sample(t.Context(), "speakers", "anna")
		require.NoError(t, err)
		require.Equal(t, "audio/mpeg", s.Type)
		raw, err := os.ReadFile(s.Path)
		require.NoError(t, err)
		require.Equal(t, "ID3 and much more of an MP3 file", string(raw))
		offline = true // heard again without a network
	}
	_, err := l.manager.Sample(t.Context(), "speakers", "dave")
	requireCode(t, backend.CodeOffline, err)
	offline = false
	for _, voice := range []string{"bert", "dave", "nobody"} {
		_, err := l.manager.Sample(t.Context(), "speakers", voice)
		requireCode(t, backend.CodeSampleUnavailable, err)
	}
	_, err = l.manager.Sample(t.Context(), "speakers", "cora")
	requireCode(t, backend.CodeDownloadFailed, err)
	_, err = l.manager.Sample(t.Context(), "alpha", "anna")
	requireCode(t, backend.CodeSampleUnavailable, err)
	_, err = l.manager.Sample(t.Context(), "none", "anna")
	requireCode(t, backend.CodeModelUnknown, err)
	require.Equal(t, backend.ModelNotDownloaded, l.state("speakers"))
}
