package app_test

import (
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/hub/hubtest"
	"github.com/voicewright/voicewright/backend/models/registry"
)

const (
	lessac = "piper-en_US-lessac-medium"
	graph  = "en/en_US/lessac/medium/en_US-lessac-medium.onnx"
	toyID  = "acme/toys"
)

// toySize is the size of a model whose download takes long enough to be interrupted.
const toySize = 40_000_000

// model returns a model of the list, nil when it has none of this name.
func (u *user) model(name string) object {
	u.t.Helper()
	for _, m := range u.mustRunJSON("models", "list")["models"].([]any) {
		if m.(object)["model_name"] == name {
			return m.(object)
		}
	}
	return nil
}

// newUserWithHub returns a user with a model hub. Its voice lessac is the fixture whose audio encodes its input. The user has
// added a large model, whose licence must be accepted.
func newUserWithHub(t *testing.T) (*user, *hubtest.Server) {
	t.Helper()
	files := map[string]hubtest.Content{}
	for suffix, name := range map[string]string{"": ".onnx", ".json": ".onnx.json"} {
		raw, err := os.ReadFile(filepath.Join("testdata", "en_US-tone-medium", "en_US-tone-medium"+name))
		require.NoError(t, err)
		files[graph+suffix] = hubtest.Bytes(raw)
	}
	files["en/en_US/lessac/medium/MODEL_CARD"] = hubtest.Bytes([]byte("License: CC0"))
	server := hubtest.Start(
		hubtest.Repo{ID: registry.PiperRepo, Files: files},
		hubtest.Repo{ID: toyID, Files: map[string]hubtest.Content{"toy.onnx": hubtest.Zeros(toySize)}},
	)
	t.Cleanup(server.Close)
	u := newUser(t)
	require.NoError(t, os.Mkdir(u.data, 0o700))
	raw, err := registry.Format([]registry.Entry{toyModel(server)})
	require.NoError(t, err)
	write(t, filepath.Join(u.data, "models.json"), string(raw))
	return u.withEnv("HF_ENDPOINT=" + server.URL()), server
}

func toyModel(server *hubtest.Server) registry.Entry {
	return registry.Entry{
		Name: "toy", DisplayName: "Toy", Engine: "piper", Family: registry.Speech, Languages: []string{"en"}, SampleRate: 22050,
		License: registry.License{Name: "Toy Licence", URL: "https://example.com/toy-licence", AcceptRequired: true},
		Voices:  []registry.Voice{{ID: "0", Name: "Toy", Language: "en"}},
		Variants: []registry.Variant{{Name: "big", MemoryMB: 100, Files: []registry.File{{
			Repo: toyID, Revision: hubtest.CommitOf(toyID), Path: "toy.onnx", Bytes: toySize, SHA256: server.SHA256(toyID, "toy.onnx"),
			Role: "graph", Pinned: true,
		}}}},
	}
}

// slowDownload makes the download of the large model take a few seconds.
func slowDownload(server *hubtest.Server) {
	server.Storage("toy.onnx", hubtest.Always, hubtest.Slow(400_000, 3*time.Millisecond))
}

// stallDownload makes the hub send the large model up to limit bytes and then stop. fetched reports whether they are on the
// disk; open is the number of downloads that wait for more.
func (u *user) stallDownload(server *hubtest.Server, limit int64) (fetched func() bool, open *atomic.Int64) {
	open = &atomic.Int64{}
	server.Heal()
	server.Storage("toy.onnx", hubtest.Always, hubtest.Stall(limit))
	server.Storage("toy.onnx", hubtest.Always, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			open.Add(1)
			defer open.Add(-1)
			next.ServeHTTP(w, r)
		})
	})
	return func() bool {
		parts, _ := filepath.Glob(filepath.Join(u.data, "models", "models--acme--toys", "blobs", "*.resume.incomplete"))
		if len(parts) != 1 {
			return false
		}
		info, err := os.Stat(parts[0])
		return err == nil && info.Size() == limit
	}, open
}
