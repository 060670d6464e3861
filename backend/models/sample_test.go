package models_test

import (
	"fmt"
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

func TestSamplesAreLimited(t *testing.T) {
	t.Parallel()
	const limit = 100
	voices := make([]string, limit+3)
	for i := range voices {
		voices[i] = fmt.Sprintf("voice%d", i)
	}
	l := newFixture(t, func(l *fixture) {
		e := l.known("speakers", voices...)
		e.Engine = "piper"
		content := map[string]hubtest.Content{}
		for i := range voices {
			content[fmt.Sprintf("en/samples/speaker_%d.mp3", i)] = hubtest.Bytes(fmt.Appendf(nil, "ID3 and the sound of voice %d", i))
		}
		l.repos = append(l.repos, hubtest.Repo{ID: registry.PiperRepo, Files: content})
		f := &e.Variants[0].Files[0]
		f.Repo, f.Revision, f.Path = registry.PiperRepo, registry.Branch, "en/"+f.Path
	})
	for _, voice := range voices {
		s, err := l.manager.Sample(t.Context(), "speakers", voice)
		require.NoError(t, err)
		require.FileExists(t, s.Path, "the newest stays")
	}
	for _, kind := range []string{"snapshots/*/en/samples", "verified/*", "blobs"} {
		files, err := filepath.Glob(filepath.Join(l.dir, "models--rhasspy--piper-voices", kind, "*"))
		require.NoError(t, err)
		require.Len(t, files, limit, kind)
	}
	again, err := l.manager.Sample(t.Context(), "speakers", voices[0])
	require.NoError(t, err, "a removed one is downloaded again")
	require.FileExists(t, again.Path)
}
