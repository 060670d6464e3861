package hub_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hub"
	"github.com/voicewright/voicewright/backend/hub/hubtest"
)

func TestRedirectLoop(t *testing.T) {
	t.Parallel()
	s, c, r, _ := newFixture(t, 1000)
	s.Hub("model.onnx", hubtest.Always, hubtest.Redirect("{self}"))
	e := failsWith(t, c, r, backend.CodeDownloadFailed)
	require.Contains(t, e.Detail, "loop")

	s.Heal()
	s.Hub("model.onnx", hubtest.Always, hubtest.Redirect("{self}x"))
	failsWith(t, c, r, backend.CodeDownloadFailed)
}

func TestRelativeRedirectOfARenamedRepository(t *testing.T) {
	t.Parallel()
	s, c, r, files := newFixture(t, 1000)
	s.Hub("model.onnx", 1, hubtest.Redirect(fmt.Sprintf("/%s/resolve/%s/model.onnx?again", repoID, commit)))
	fetch(t, c, r, files)
}

func TestGated(t *testing.T) {
	t.Parallel()
	content := map[string]hubtest.Content{"model.onnx": hubtest.Bytes(noise(1, 1000))}
	s := hubtest.Start(hubtest.Repo{ID: repoID, Files: content, Gated: true})
	defer s.Close()
	files := map[string][]byte{"model.onnx": noise(1, 1000)}
	r := pinned(s, files)
	dir := t.TempDir()
	e := failsWith(t, newClient(t, s.URL(), dir), r, backend.CodeHubGated)
	require.Equal(t, 1, e.Params["attempts"], "a retry would not help")
	s.Hub("", 1, hubtest.Status(http.StatusUnauthorized))
	failsWith(t, newClient(t, s.URL(), dir), r, backend.CodeHubGated)
	fetch(t, newClient(t, s.URL(), dir, func(o *hub.Options) { o.Token = s.Token }), r, files)
}

func TestNotFoundNamesWhatIsMissing(t *testing.T) {
	t.Parallel()
	s, c, r, _ := newFixture(t, 1000)
	for name, change := range map[string]func(*hub.Request){
		"repository": func(r *hub.Request) { r.Repo = "acme/other" },
		"revision":   func(r *hub.Request) { r.Revision = hubtest.CommitOf("other") },
		"other.onnx": func(r *hub.Request) { r.Files[0].Path = "other.onnx" },
	} {
		req := r
		req.Files = append([]hub.File(nil), r.Files...)
		change(&req)
		e := failsWith(t, c, req, backend.CodeDownloadFailed)
		require.Contains(t, e.Detail, name)
		require.Equal(t, 1, e.Params["attempts"])
	}
	require.NotEmpty(t, s.Requests(""))
}

func TestRateLimited(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		headers []string
		want    time.Duration
	}{
		"RateLimit":             {[]string{"RateLimit", `"resolvers";r=0;t=55`}, 56 * time.Second},
		"Retry-After":           {[]string{"Retry-After", "7"}, 7 * time.Second},
		"Retry-After as a date": {[]string{"Retry-After", "Sat, 01 Jan 2000 00:00:30 GMT", "Date", "Sat, 01 Jan 2000 00:00:10 GMT"}, 20 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			w := new(waitLog)
			s, c, r, files := newFixture(t, 1000, func(o *hub.Options) { o.Wait = w.wait })
			s.Hub("model.onnx", 1, hubtest.Status(http.StatusTooManyRequests, test.headers...))
			fetch(t, c, r, files)
			require.Equal(t, []time.Duration{test.want}, w.all)
		})
	}
}

func TestRateLimitedForever(t *testing.T) {
	t.Parallel()
	s, c, r, _ := newFixture(t, 1000)
	s.Hub("", hubtest.Always, hubtest.Status(http.StatusTooManyRequests, "RateLimit", `"resolvers";r=0;t=55`))
	e := failsWith(t, c, r, backend.CodeHubRateLimited)
	require.Equal(t, 56, e.Params["retry_after"])
	require.Equal(t, 5, e.Params["attempts"])
}

func TestServerErrorThenSuccess(t *testing.T) {
	t.Parallel()
	for _, status := range []int{408, 500, 502, 503, 504} {
		w := new(waitLog)
		s, c, r, files := newFixture(t, 1000, func(o *hub.Options) { o.Wait = w.wait })
		s.Hub("model.onnx", 2, hubtest.Status(status))
		s.Storage("model.onnx", 2, hubtest.Status(status))
		fetch(t, c, r, files)
		require.Len(t, w.all, 4)
		require.Greater(t, w.all[3], w.all[0], "the waits grow")
	}
}

func TestServerErrorForever(t *testing.T) {
	t.Parallel()
	s, c, r, _ := newFixture(t, 1000)
	s.Hub("", hubtest.Always, hubtest.Status(500))
	e := failsWith(t, c, r, backend.CodeDownloadFailed)
	require.Equal(t, 5, e.Params["attempts"])
	require.Equal(t, 500, e.Params["status"])
}

func TestSignedAddressExpired(t *testing.T) {
	t.Parallel()
	w := new(waitLog)
	s, c, r, files := newFixture(t, 1000, func(o *hub.Options) { o.Wait = w.wait })
	s.Storage("model.onnx", 1, hubtest.Status(http.StatusForbidden))
	fetch(t, c, r, files)
	require.Equal(t, []time.Duration{0}, w.all, "a new address is requested at once")
}

func TestNobodyListens(t *testing.T) {
	t.Parallel()
	s, c, r, _ := newFixture(t, 1000)
	s.Close()
	e := failsWith(t, c, r, backend.CodeDownloadFailed)
	require.Equal(t, 5, e.Params["attempts"])
}
