package hub_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hub"
	"github.com/voicewright/voicewright/backend/hub/hubtest"
)

func TestTokenStaysOnTheHub(t *testing.T) {
	t.Parallel()
	s, c, r, files := newFixture(t, 1000, func(o *hub.Options) { o.Token = "hf_test" })
	fetch(t, c, r, files)
	storage := 0
	for _, req := range s.Requests("") {
		if req.Storage {
			storage++
			require.Empty(t, req.Authorization, "the storage host must not see it")
		} else {
			require.Equal(t, "Bearer hf_test", req.Authorization)
		}
	}
	require.Equal(t, 1, storage)
}

func TestTokenIsNotSentToAMirror(t *testing.T) {
	t.Parallel()
	files := map[string][]byte{"model.onnx": noise(1, 1000)}
	s, mirror := startHub(t, files), startHub(t, files)
	s.Hub("", hubtest.Always, hubtest.Status(500))
	c := newClient(t, s.URL(), t.TempDir(), func(o *hub.Options) { o.Token = "hf_test" })
	r := pinned(s, files)
	r.Mirrors = []string{mirror.URL()}
	fetch(t, c, r, files)
	for _, req := range mirror.Requests("") {
		require.Empty(t, req.Authorization)
	}
}

func TestMirrorResumesAfterTheHub(t *testing.T) {
	t.Parallel()
	files := map[string][]byte{"model.onnx": noise(1, 100_000)}
	s, mirror := startHub(t, files), startHub(t, files)
	s.Storage("", hubtest.Always, hubtest.Cut(40_000, 40_000, 40_000, 40_000, 40_000))
	r := pinned(s, files)
	r.Mirrors = []string{mirror.URL()}
	fetch(t, newClient(t, s.URL(), t.TempDir()), r, files)
	require.EqualValues(t, 60_000, mirror.Bytes("model.onnx"))
}

func TestMirrorGetsNoRequestForAFileWithoutAPin(t *testing.T) {
	t.Parallel()
	files := map[string][]byte{"config.json": noise(1, 1000)}
	s, mirror := startHub(t, files), startHub(t, files)
	s.Hub("config.json", hubtest.Always, hubtest.Status(500))
	c := newClient(t, s.URL(), t.TempDir())
	r := hub.Request{Repo: repoID, Revision: commit, Files: []hub.File{{Path: "config.json"}}, Mirrors: []string{mirror.URL()}}
	failsWith(t, c, r, backend.CodeDownloadFailed)
	require.Empty(t, mirror.Requests(""))
}
