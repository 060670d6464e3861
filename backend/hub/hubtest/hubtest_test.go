package hubtest_test

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/voicewright/voicewright/backend/hub/hubtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type answer struct {
	status int
	header http.Header
	body   string
}

// ask sends one request without following redirects.
func ask(t *testing.T, method, url string, header ...string) answer {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, http.NoBody)
	require.NoError(t, err)
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	transport := &http.Transport{DisableKeepAlives: true}
	res, err := transport.RoundTrip(req)
	require.NoError(t, err)
	body, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	return answer{res.StatusCode, res.Header, string(body)}
}

func TestLargeFilesAreSentToAnotherHost(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "onnx"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "onnx", "model.onnx"), []byte("0123456789"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "config.json"), []byte("{}"), 0o644))
	files, err := hubtest.Dir(dir)
	require.NoError(t, err)
	s := hubtest.Start(hubtest.Repo{ID: "a/b", Files: files})
	defer s.Close()

	res := ask(t, http.MethodHead, s.URL()+"/a/b/resolve/main/onnx/model.onnx")
	require.Equal(t, http.StatusFound, res.status)
	require.Equal(t, hubtest.CommitOf("a/b"), res.header.Get("X-Repo-Commit"))
	require.Equal(t, `"84d89877f0d4041efb6bf91a16f0248f2fd573e6af05c19f96bedb9f882f7882"`, res.header.Get("X-Linked-Etag"))
	require.Equal(t, "10", res.header.Get("X-Linked-Size"))
	away := res.header.Get("Location")
	require.NotContains(t, away, s.URL())

	res = ask(t, http.MethodGet, away, "Range", "bytes=7-")
	require.Equal(t, http.StatusPartialContent, res.status)
	require.Equal(t, "bytes 7-9/10", res.header.Get("Content-Range"))
	require.Equal(t, "789", res.body)
	require.EqualValues(t, 3, s.Bytes("onnx/model.onnx"))

	res = ask(t, http.MethodGet, s.URL()+"/a/b/resolve/main/config.json")
	require.Equal(t, "{}", res.body)
	require.Equal(t, `"9e26dfeeb6e641a33dae4961196235bdb965b21b"`, res.header.Get("Etag"), "git's name of the content")

	res = ask(t, http.MethodGet, s.URL()+"/api/models/a/b/tree/main?recursive=true")
	require.Contains(t, res.body, `"lfs":{"pointerSize":134,"oid":"84d89877`)
	res = ask(t, http.MethodGet, s.URL()+"/api/models/a/b/revision/main?blobs=true")
	require.Contains(t, res.body, `"rfilename":"onnx/model.onnx"`)
}

func TestRefusals(t *testing.T) {
	files := map[string]hubtest.Content{"x.bin": hubtest.Zeros(5)}
	s := hubtest.Start(hubtest.Repo{ID: "a/b", Files: files, Gated: true})
	defer s.Close()
	for path, want := range map[string]string{
		"/a/c/resolve/main/x.bin": "RepoNotFound", "/a/b/resolve/dev/x.bin": "RevisionNotFound",
		"/a/b/resolve/main/y.bin": "EntryNotFound", "/a/b/resolve/main/x.bin": "GatedRepo",
	} {
		res := ask(t, http.MethodGet, s.URL()+path)
		require.Equal(t, want, res.header.Get("X-Error-Code"))
	}
	res := ask(t, http.MethodGet, s.URL()+"/a/b/resolve/main/x.bin", "Authorization", "Bearer "+s.Token)
	require.Equal(t, http.StatusFound, res.status)
}
