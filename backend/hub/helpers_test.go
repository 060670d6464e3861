package hub_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hub"
	"github.com/voicewright/voicewright/backend/hub/hubtest"
)

const childJob = "HUB_TEST_CHILD"

func TestMain(m *testing.M) {
	if raw := os.Getenv(childJob); raw != "" {
		os.Exit(child([]byte(raw)))
	}
	if what := os.Getenv(servedFile); what != "" {
		os.Exit(serveFile(what))
	}
	goleak.VerifyTestMain(m)
}

// childRequest is the download of a child process.
type childRequest struct {
	Endpoint, Dir string
	Request       hub.Request
}

func child(raw []byte) int {
	var o childRequest
	if err := json.Unmarshal(raw, &o); err != nil {
		return 2
	}
	client, err := hub.New(hub.NewCache(o.Dir, ""), hub.Options{Endpoint: o.Endpoint})
	if err != nil {
		return 2
	}
	if _, err := client.Download(context.Background(), o.Request, nil); err != nil {
		_, _ = fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

const repoID = "acme/voice"

var commit = hubtest.CommitOf(repoID)

// noise returns random bytes, the same for the same seed.
func noise(seed byte, n int) []byte {
	b := make([]byte, n)
	_, _ = rand.NewChaCha8([32]byte{seed}).Read(b)
	return b
}

func startHub(t testing.TB, files map[string][]byte) *hubtest.Server {
	t.Helper()
	repo := hubtest.Repo{ID: repoID, Files: map[string]hubtest.Content{}}
	for path, b := range files {
		repo.Files[path] = hubtest.Bytes(b)
	}
	s := hubtest.Start(repo)
	t.Cleanup(s.Close)
	return s
}

// pinned returns a request for files with size and SHA-256.
func pinned(s *hubtest.Server, files map[string][]byte) hub.Request {
	r := hub.Request{Repo: repoID, Revision: commit}
	for path, b := range files {
		r.Files = append(r.Files, hub.File{Path: path, Size: int64(len(b)), SHA256: s.SHA256(repoID, path)})
	}
	return r
}

// waitLog records how long a client would wait, without waiting.
type waitLog struct {
	mu  sync.Mutex
	all []time.Duration
}

func (w *waitLog) wait(ctx context.Context, d time.Duration) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.all = append(w.all, d)
	return ctx.Err()
}

func newClient(t testing.TB, endpoint, dir string, change ...func(*hub.Options)) *hub.Client {
	t.Helper()
	return cacheClient(t, endpoint, hub.NewCache(dir, ""), change...)
}

func cacheClient(t testing.TB, endpoint string, cache *hub.Cache, change ...func(*hub.Options)) *hub.Client {
	t.Helper()
	o := hub.Options{Endpoint: endpoint, Wait: new(waitLog).wait}
	for _, c := range change {
		c(&o)
	}
	client, err := hub.New(cache, o)
	require.NoError(t, err)
	t.Cleanup(client.Close)
	return client
}

// progressLog collects the progress of a download, and checks it.
type progressLog struct {
	t   testing.TB
	mu  sync.Mutex
	all []hub.Progress
}

func (w *progressLog) add(p hub.Progress) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.all = append(w.all, p)
}

func (w *progressLog) check(complete bool) {
	w.t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	var last int64
	for _, p := range w.all {
		require.GreaterOrEqual(w.t, p.Current, last, "current never goes down")
		require.LessOrEqual(w.t, p.Current, p.Total)
		require.GreaterOrEqual(w.t, p.BytesPerSecond, 0.0)
		require.GreaterOrEqual(w.t, p.ETA, time.Duration(0))
		last = p.Current
	}
	if complete {
		require.NotEmpty(w.t, w.all)
		require.Equal(w.t, w.all[len(w.all)-1].Total, w.all[len(w.all)-1].Current, "the last report is complete")
	}
}

// fetch downloads files, and checks the progress and the content.
func fetch(t testing.TB, c *hub.Client, r hub.Request, files map[string][]byte) hub.Snapshot {
	t.Helper()
	w := &progressLog{t: t}
	s, err := c.Download(t.Context(), r, w.add)
	require.NoError(t, err)
	w.check(true)
	requireContent(t, s, files)
	found, ok := c.Cache().Snapshot(r)
	require.True(t, ok, "it is found without the network")
	require.Equal(t, s, found)
	require.Zero(t, c.Cache().Usage().Partial)
	return s
}

func requireContent(t testing.TB, s hub.Snapshot, files map[string][]byte) {
	t.Helper()
	for path, want := range files {
		got, err := os.ReadFile(s.Path(path))
		require.NoError(t, err)
		require.True(t, bytes.Equal(want, got), path)
	}
}

func failsWith(t testing.TB, c *hub.Client, r hub.Request, code backend.Code) backend.Error {
	t.Helper()
	w := &progressLog{t: t}
	_, err := c.Download(t.Context(), r, w.add)
	require.Error(t, err)
	require.Equal(t, code, backend.CodeOf(err), err)
	w.check(false)
	_, ok := c.Cache().Snapshot(r)
	require.False(t, ok, "a failed download is not found")
	e := backend.AsError(err)
	require.NotEmpty(t, e.Detail)
	require.NotEmpty(t, e.Remedy)
	return *e
}

// tree returns the paths of the files below a directory.
func tree(t testing.TB, dir string) []string {
	t.Helper()
	var names []string
	require.NoError(t, filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(dir, name)
			names = append(names, filepath.ToSlash(rel))
		}
		return err
	}))
	return names
}

// newFixture returns a hub with one large file, a client with an empty cache, the request and the content.
func newFixture(t *testing.T, size int, change ...func(*hub.Options)) (*hubtest.Server, *hub.Client, hub.Request, map[string][]byte) {
	t.Helper()
	files := map[string][]byte{"model.onnx": noise(1, size)}
	s := startHub(t, files)
	return s, newClient(t, s.URL(), t.TempDir(), change...), pinned(s, files), files
}

// ranges returns the Range headers of the requests to the storage host.
func ranges(s *hubtest.Server) []string {
	var out []string
	for _, r := range s.Requests("model.onnx") {
		if r.Storage {
			out = append(out, r.Range)
		}
	}
	return out
}
