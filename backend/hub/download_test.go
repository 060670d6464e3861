package hub_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hub"
	"github.com/voicewright/voicewright/backend/hub/hubtest"
)

func voice() map[string][]byte {
	return map[string][]byte{
		"onnx/model.onnx": noise(1, 300_000), "onnx/model.onnx_data": noise(2, 700_000),
		"config.json": []byte(`{"sample_rate":24000}`), "voices/empty.bin": {},
	}
}

func unpinned(files map[string][]byte, revision string) hub.Request {
	r := hub.Request{Repo: repoID, Revision: revision}
	for path := range files {
		r.Files = append(r.Files, hub.File{Path: path})
	}
	return r
}

func TestPinnedFilesNeedNoListing(t *testing.T) {
	t.Parallel()
	files := voice()
	s := startHub(t, files)
	c := newClient(t, s.URL(), t.TempDir())
	snapshot := fetch(t, c, pinned(s, files), files)
	require.Equal(t, commit, snapshot.Revision)
	for _, r := range s.Requests("") {
		require.NotContains(t, r.Path, "/api/")
	}
	before := len(s.Requests(""))
	fetch(t, c, pinned(s, files), files)
	require.Len(t, s.Requests(""), before, "what is there needs no network")
}

func TestUnpinnedFilesAreVerifiedByTheHubsHashes(t *testing.T) {
	t.Parallel()
	files := voice()
	s := startHub(t, files)
	c := newClient(t, s.URL(), t.TempDir())
	snapshot := fetch(t, c, unpinned(files, "main"), files)
	listings := 0
	for _, r := range s.Requests("") {
		if strings.HasPrefix(r.Path, "/api/") {
			listings++
		}
	}
	require.Equal(t, 1, listings, "one call for all files")
	for _, f := range snapshot.Files {
		require.Equal(t, s.SHA256(repoID, f.Path), f.SHA256)
		require.EqualValues(t, len(files[f.Path]), f.Size)
	}
	for path := range files {
		before := s.Bytes(path)
		fetch(t, c, unpinned(files, "main"), files)
		require.Equal(t, before, s.Bytes(path))
	}
}

func TestUnpinnedFilesAreAlwaysVerified(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"model.onnx", "config.json"} {
		files := map[string][]byte{path: noise(1, 5000)}
		s := startHub(t, files)
		s.Hub(path, hubtest.Always, hubtest.Corrupt(77))
		s.Storage(path, hubtest.Always, hubtest.Corrupt(77))
		failsWith(t, newClient(t, s.URL(), t.TempDir()), unpinned(files, commit), backend.CodeChecksumMismatch)
	}
}

func TestHubWithoutAListing(t *testing.T) {
	t.Parallel()
	files := voice()
	s := startHub(t, files)
	s.Hub("/api/models/"+repoID+"/revision/main", hubtest.Always, hubtest.Status(http.StatusNotFound))
	fetch(t, newClient(t, s.URL(), t.TempDir()), unpinned(files, "main"), files)
}

func TestMovedBranchDownloadsOnlyChangedFiles(t *testing.T) {
	t.Parallel()
	files := voice()
	s := startHub(t, files)
	c := newClient(t, s.URL(), t.TempDir())
	fetch(t, c, unpinned(files, "main"), files)
	before := s.Bytes("onnx/model.onnx_data")
	files["onnx/model.onnx"] = noise(9, 1000)
	content := map[string]hubtest.Content{}
	for path, b := range files {
		content[path] = hubtest.Bytes(b)
	}
	s.Add(hubtest.Repo{ID: repoID, Commit: hubtest.CommitOf("second"), Files: content})
	snapshot := fetch(t, c, unpinned(files, "main"), files)
	require.Equal(t, hubtest.CommitOf("second"), snapshot.Revision)
	require.Equal(t, before, s.Bytes("onnx/model.onnx_data"))
}

func TestDiskIsCheckedBeforeTheFirstByte(t *testing.T) {
	t.Parallel()
	s, c, r, files := newFixture(t, 1_000_000, func(o *hub.Options) {
		o.Free = func(context.Context, string) uint64 { return 999_999 }
	})
	e := failsWith(t, c, r, backend.CodeInsufficientDisk)
	require.EqualValues(t, 1_000_000, e.Params["needed"])
	require.EqualValues(t, 999_999, e.Params["free"])
	require.Empty(t, s.Requests(""))

	s.Storage("model.onnx", 1, hubtest.Cut(500_000))
	_, err := newClient(t, s.URL(), c.Cache().Dir, func(o *hub.Options) { o.Tries = 1 }).Download(t.Context(), r, nil)
	require.Error(t, err)
	fetch(t, c, r, files) // the partial file needs no more space
}

func TestWrongSideCarIsNotTrusted(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]func(t *testing.T, blobs string){
		"the data changed under it": func(t *testing.T, blobs string) {
			change(t, glob(t, blobs, "*.incomplete"), func(b []byte) []byte { b[399_990] ^= 1; return b })
		},
		"the data changed where the state does not look": func(t *testing.T, blobs string) {
			change(t, glob(t, blobs, "*.incomplete"), func(b []byte) []byte { b[77] ^= 1; return b })
		},
		"the data is shorter": func(t *testing.T, blobs string) {
			change(t, glob(t, blobs, "*.incomplete"), func(b []byte) []byte { return b[:1000] })
		},
		"the data is longer than the file": func(t *testing.T, blobs string) {
			change(t, glob(t, blobs, "*.incomplete"), func(b []byte) []byte { return append(b, noise(3, 900_000)...) })
		},
		"half of it is written": func(t *testing.T, blobs string) {
			change(t, glob(t, blobs, "*.json"), func(b []byte) []byte { return b[:len(b)/2] })
		},
		"it is gone": func(t *testing.T, blobs string) {
			require.NoError(t, os.Remove(glob(t, blobs, "*.json")))
		},
		"another state": func(t *testing.T, blobs string) {
			change(t, glob(t, blobs, "*.json"), func(b []byte) []byte {
				return []byte(strings.Replace(string(b), `"state":"`, `"state":"AAAA`, 1))
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, c, r, files := newFixture(t, 1_000_000)
			s.Storage("model.onnx", 1, hubtest.Cut(400_000))
			_, err := newClient(t, s.URL(), c.Cache().Dir, func(o *hub.Options) { o.Tries = 1 }).Download(t.Context(), r, nil)
			require.Error(t, err)
			damage(t, filepath.Join(c.Cache().Dir, "models--acme--voice", "blobs"))
			fetch(t, c, r, files)
		})
	}
}

func glob(t *testing.T, dir, pattern string) string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, pattern))
	require.NoError(t, err)
	require.Len(t, names, 1)
	return names[0]
}

func change(t *testing.T, name string, do func([]byte) []byte) {
	t.Helper()
	b, err := os.ReadFile(name)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(name, do(b), 0o644))
}

func TestCutsAnywhereEndWithTheRightFile(t *testing.T) {
	t.Parallel()
	files := map[string][]byte{"model.onnx": noise(1, 50_000)}
	rapid.Check(t, func(rt *rapid.T) {
		s := startHub(t, files)
		defer s.Close()
		cuts := rapid.SliceOfN(rapid.Int64Range(0, 49_999), 0, 4).Draw(rt, "cuts")
		s.Storage("model.onnx", hubtest.Always, hubtest.Cut(cuts...))
		dir, err := os.MkdirTemp(t.TempDir(), "cache")
		require.NoError(rt, err)
		c := newClient(t, s.URL(), dir)
		snapshot, err := c.Download(t.Context(), pinned(s, files), nil)
		require.NoError(rt, err)
		requireContent(t, snapshot, files)
		require.EqualValues(rt, 50_000, s.Bytes("model.onnx"))
	})
}

// noNetwork fails the test when a connection is opened.
func noNetwork(t *testing.T) func(*hub.Options) {
	return func(o *hub.Options) {
		o.Offline = func() bool { return true }
		o.Transport = &http.Transport{DialContext: func(_ context.Context, network, address string) (net.Conn, error) {
			t.Errorf("a connection was opened: %s %s", network, address)
			return nil, errors.New("not allowed")
		}}
	}
}

func TestOfflineOpensNothing(t *testing.T) {
	t.Parallel()
	files := voice()
	s := startHub(t, files)
	dir := t.TempDir()
	c := newClient(t, s.URL(), dir, noNetwork(t))
	requests := []hub.Request{pinned(s, files), unpinned(files, "main"), unpinned(files, commit)}
	for _, r := range requests {
		failsWith(t, c, r, backend.CodeOffline)
	}
	fetch(t, newClient(t, s.URL(), dir), unpinned(files, "main"), files)
	for _, r := range requests {
		fetch(t, c, r, files)
	}
}

// TestOfflineEndsADownload turns offline mode on during a download: no more bytes are read, and none is lost.
func TestOfflineEndsADownload(t *testing.T) {
	t.Parallel()
	files := map[string][]byte{"model.onnx": noise(3, 3_000_000)} // too large for one read
	s := startHub(t, files)
	goOn := make(chan struct{})
	s.Storage("model.onnx", 1, hubtest.Hold(200_000, goOn))
	var offline atomic.Bool
	c := newClient(t, s.URL(), t.TempDir(), func(o *hub.Options) { o.Offline = offline.Load })
	_, err := c.Download(t.Context(), pinned(s, files), func(p hub.Progress) {
		if p.Current > 0 && !offline.Swap(true) {
			close(goOn)
		}
	})
	require.Equal(t, backend.CodeOffline, backend.CodeOf(err))
	asked := len(s.Requests(""))
	_, err = c.Download(t.Context(), pinned(s, files), nil)
	require.Equal(t, backend.CodeOffline, backend.CodeOf(err))
	require.Len(t, s.Requests(""), asked)
	offline.Store(false)
	fetch(t, c, pinned(s, files), files)
}

// TestOfflineBeforeARedirect turns offline mode on while the hub responds: the redirect is not followed.
func TestOfflineBeforeARedirect(t *testing.T) {
	t.Parallel()
	files := map[string][]byte{"model.onnx": noise(3, 1000)}
	s := startHub(t, files)
	var offline atomic.Bool
	s.Hub("model.onnx", hubtest.Always, func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			offline.Store(true)
			next.ServeHTTP(w, r)
		})
	})
	c := newClient(t, s.URL(), t.TempDir(), func(o *hub.Options) { o.Offline = offline.Load })
	failsWith(t, c, pinned(s, files), backend.CodeOffline)
	for _, r := range s.Requests("model.onnx") {
		require.False(t, r.Storage)
	}
}

func TestOfflineByTheEnvironment(t *testing.T) {
	t.Parallel()
	env := map[string]string{"HF_HUB_OFFLINE": "1"}
	o := hub.FromEnv(func(name string) string { return env[name] })
	require.True(t, o.Offline())
	env["HF_HUB_OFFLINE"] = "0"
	require.Nil(t, hub.FromEnv(func(name string) string { return env[name] }).Offline)
}

func TestFromEnv(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(home, "hf"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(home, "hf", "token"), []byte("of-the-file\n"), 0o600))
	env := map[string]string{"HF_HOME": filepath.Join(home, "hf"), "HF_ENDPOINT": "https://hf-mirror.com/", "HTTPS_PROXY": "http://proxy:3128"}
	get := func(name string) string { return env[name] }
	o := hub.FromEnv(get)
	require.Equal(t, "of-the-file", o.Token)
	require.Equal(t, "https://hf-mirror.com/", o.Endpoint)
	require.Equal(t, filepath.Join(home, "hf", "hub"), hub.SharedCache(get))
	env["HUGGING_FACE_HUB_TOKEN"] = "older"
	require.Equal(t, "older", hub.FromEnv(get).Token)
	env["HF_TOKEN"] = "newer"
	require.Equal(t, "newer", hub.FromEnv(get).Token)
	env["HF_HUB_CACHE"] = "/elsewhere"
	require.Equal(t, "/elsewhere", hub.SharedCache(get))
	env = map[string]string{"HOME": "/home/u"}
	require.Equal(t, filepath.Join("/home/u", ".cache", "huggingface", "hub"), hub.SharedCache(get))
	env["XDG_CACHE_HOME"] = "/c"
	require.Equal(t, filepath.Join("/c", "huggingface", "hub"), hub.SharedCache(get))
}

func TestProxyOfTheEnvironmentIsUsed(t *testing.T) {
	t.Parallel()
	files := map[string][]byte{"model.onnx": noise(1, 1000)}
	s := startHub(t, files)
	o := hub.FromEnv(func(name string) string { return map[string]string{"http_proxy": s.URL()}[name] })
	o.Endpoint = "http://hub.test" // the proxy is the hub itself
	c, err := hub.New(hub.NewCache(t.TempDir(), ""), o)
	require.NoError(t, err)
	defer c.Close()
	fetch(t, c, pinned(s, files), files)
}

func TestInvalidEndpoint(t *testing.T) {
	t.Parallel()
	files := map[string][]byte{"model.onnx": noise(1, 1000)}
	s := startHub(t, files)
	shared := filled(t, s, files)
	for _, endpoint := range []string{"hub", "ftp://hub", "http://", "http://%zz", "/"} {
		here := cacheClient(t, endpoint, hub.NewCache(t.TempDir(), shared))
		require.NoError(t, here.CheckDownload(t.Context(), pinned(s, files)))
		fetch(t, here, pinned(s, files), files) // local files need no hub
		c := newClient(t, endpoint, t.TempDir())
		for _, r := range []hub.Request{pinned(s, files), unpinned(files, "main")} {
			e := failsWith(t, c, r, backend.CodeDownloadFailed)
			require.Contains(t, e.Detail, "HF_ENDPOINT")
			require.Equal(t, "HF_ENDPOINT", e.Params["variable"])
			require.Equal(t, backend.CodeDownloadFailed, backend.CodeOf(c.CheckDownload(t.Context(), r)), "it is known at once")
		}
		mirrored := newClient(t, endpoint, t.TempDir(), func(o *hub.Options) { o.Mirrors = []string{s.URL()} })
		fetch(t, mirrored, pinned(s, files), files)
	}
	_, err := hub.New(hub.NewCache(t.TempDir(), ""), hub.Options{Mirrors: []string{"mirror"}})
	require.ErrorContains(t, err, "mirror")
}

func TestWithoutSymlinksByTheEnvironment(t *testing.T) {
	t.Parallel()
	files := voice()
	s := startHub(t, files)
	for value, links := range map[string]bool{"": true, "0": true, "1": false, "true": false, "YES": false, "on": false} {
		o := hub.FromEnv(func(name string) string { return map[string]string{"HF_HUB_DISABLE_SYMLINKS": value}[name] })
		snapshot := fetch(t, newClient(t, s.URL(), t.TempDir(), func(made *hub.Options) { made.NoSymlinks = o.NoSymlinks }), pinned(s, files), files)
		for path := range files {
			info, err := os.Lstat(snapshot.Path(path))
			require.NoError(t, err)
			require.Equal(t, links, info.Mode()&os.ModeSymlink != 0, "%q: %s", value, path)
		}
	}
}

func TestCheckDownload(t *testing.T) {
	t.Parallel()
	files := map[string][]byte{"a/model.onnx": noise(1, 1_000_000), "b/model.onnx": noise(1, 1_000_000), "config.json": []byte("{}")}
	s := startHub(t, files)
	shared := filled(t, s, files)
	space, offline, measured := uint64(1_000_001), false, ""
	options := func(o *hub.Options) {
		noNetwork(t)(o)
		o.Offline = func() bool { return offline }
		o.Free = func(_ context.Context, dir string) uint64 {
			measured = dir
			return space
		}
	}
	above := t.TempDir()
	empty := newClient(t, s.URL(), filepath.Join(above, "not", "there"), options)
	err := empty.CheckDownload(t.Context(), pinned(s, files))
	require.Equal(t, backend.CodeInsufficientDisk, backend.CodeOf(err))
	require.EqualValues(t, 1_000_002, backend.AsError(err).Params["needed"], "one content counts once")
	require.Equal(t, above, measured, "the disk of the folder that it will create")
	require.NoDirExists(t, empty.Cache().Dir, "nothing is created")
	require.NoError(t, empty.CheckDownload(t.Context(), unpinned(files, "main")), "only the hub has their sizes")
	space++
	require.NoError(t, empty.CheckDownload(t.Context(), pinned(s, files)))
	offline, space = true, 0
	require.Equal(t, backend.CodeOffline, backend.CodeOf(empty.CheckDownload(t.Context(), pinned(s, files))))
	require.Equal(t, backend.CodeOffline, backend.CodeOf(empty.CheckDownload(t.Context(), unpinned(files, "main"))))

	other := cacheClient(t, s.URL(), hub.NewCache(t.TempDir(), shared), options)
	require.NoError(t, other.CheckDownload(t.Context(), pinned(s, files)), "another program has them")
	require.NoError(t, other.CheckDownload(t.Context(), unpinned(files, commit)))
	own := newClient(t, s.URL(), shared, options)
	require.NoError(t, own.CheckDownload(t.Context(), pinned(s, files)))
	require.Error(t, own.CheckDownload(t.Context(), hub.Request{Repo: "../x", Revision: "main"}))
}

func TestCheckDownloadCountsPartialFiles(t *testing.T) {
	t.Parallel()
	s, c, r, _ := newFixture(t, 1_000_000, func(o *hub.Options) { o.Tries = 1 })
	s.Storage("model.onnx", 1, hubtest.Cut(600_000))
	failsWith(t, c, r, backend.CodeDownloadFailed)
	again := newClient(t, s.URL(), c.Cache().Dir, func(o *hub.Options) { o.Free = func(context.Context, string) uint64 { return 400_000 } })
	require.NoError(t, again.CheckDownload(t.Context(), r))
}
