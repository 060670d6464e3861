package hub_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hub"
	"github.com/voicewright/voicewright/backend/hub/hubtest"
)

// one is a hub with one large file, and a client with an empty cache.
func one(t *testing.T, size int, change ...func(*hub.Options)) (*hubtest.Server, *hub.Client, hub.Request, map[string][]byte) {
	t.Helper()
	files := map[string][]byte{"model.onnx": noise(1, size)}
	s := startHub(t, files)
	return s, newClient(t, s.URL(), t.TempDir(), change...), pinned(s, files), files
}

// ranges gives the Range headers that the storage has had.
func ranges(s *hubtest.Server) []string {
	var out []string
	for _, r := range s.Requests("model.onnx") {
		if r.Storage {
			out = append(out, r.Range)
		}
	}
	return out
}

func TestConnectionCutAtEveryTenPercentAndAtTheLastByte(t *testing.T) {
	const size = 1_000_000
	s, c, r, files := one(t, size)
	cuts := []int64{0}
	want := []string{"", ""} // cut at 0: nothing came, and it is asked for again
	for i := int64(1); i < 10; i++ {
		cuts = append(cuts, i*size/10)
		want = append(want, fmt.Sprintf("bytes=%d-", i*size/10))
	}
	cuts = append(cuts, size-1)
	want = append(want, fmt.Sprintf("bytes=%d-", size-1))
	s.Storage("model.onnx", hubtest.Always, hubtest.Cut(cuts...))
	fetch(t, c, r, files)
	require.Equal(t, want, ranges(s), "it goes on at the byte where it was cut")
	require.EqualValues(t, size, s.Bytes("model.onnx"), "no byte is fetched twice")
	for _, req := range s.Requests("model.onnx") {
		require.Equal(t, req.Range != "", req.IfRange != "", "a part is asked for of the same file only")
	}
}

// stall is long enough that no machine is so busy that a connection which gives something seems to stand still.
const stall = 2 * time.Second

func TestConnectionStalls(t *testing.T) {
	s, c, r, files := one(t, 1_000_000, func(o *hub.Options) { o.Stall = stall })
	s.Storage("model.onnx", 1, hubtest.Stall(300_000))
	fetch(t, c, r, files)
	require.Equal(t, []string{"", "bytes=300000-"}, ranges(s))
}

func TestConnectionStallsBeforeTheFirstByteForEver(t *testing.T) {
	s, c, r, _ := one(t, 1000, func(o *hub.Options) { o.Stall = 50 * time.Millisecond })
	s.Storage("model.onnx", hubtest.Always, hubtest.Stall(0))
	e := failsWith(t, c, r, backend.CodeDownloadFailed)
	require.Equal(t, 5, e.Params["attempts"])
	require.NotEmpty(t, e.Params["host"])
}

func TestPartWithWrongContentRange(t *testing.T) {
	s, c, r, files := one(t, 1_000_000)
	s.Storage("model.onnx", hubtest.Always, hubtest.Cut(400_000))
	s.Storage("model.onnx", 2, hubtest.WrongRange())
	fetch(t, c, r, files)
	require.Equal(t, []string{"", "bytes=400000-", ""}, ranges(s), "the file begins again")
}

func TestWholeFileInPlaceOfAPart(t *testing.T) {
	s, c, r, files := one(t, 1_000_000)
	s.Storage("model.onnx", hubtest.Always, hubtest.Cut(400_000))
	s.Storage("model.onnx", hubtest.Always, hubtest.IgnoreRange())
	fetch(t, c, r, files)
	require.Len(t, ranges(s), 2)
}

func TestRangeNotSatisfiable(t *testing.T) {
	s, c, r, files := one(t, 1_000_000)
	s.Storage("model.onnx", 1, hubtest.Cut(400_000))
	_, err := newClient(t, s.URL(), c.Cache().Dir, func(o *hub.Options) { o.Tries = 1 }).Download(t.Context(), r, nil)
	require.Error(t, err)
	require.EqualValues(t, 400_000, c.Cache().Partial(r))
	s.Storage("model.onnx", 1, hubtest.Status(http.StatusRequestedRangeNotSatisfiable))
	fetch(t, c, r, files)
	require.Equal(t, []string{"", "bytes=400000-", ""}, ranges(s))
}

func TestMoreBytesThanPromised(t *testing.T) {
	for _, said := range []bool{true, false} {
		s, c, r, files := one(t, 100_000)
		s.Storage("model.onnx", 1, hubtest.More(5, said))
		fetch(t, c, r, files)
		require.Len(t, ranges(s), 2)

		s, c, r, _ = one(t, 100_000)
		s.Storage("model.onnx", hubtest.Always, hubtest.More(5, said))
		e := failsWith(t, c, r, backend.CodeDownloadFailed)
		require.Equal(t, "model.onnx", e.Params["file"])
	}
}

func TestFewerBytesThanPromised(t *testing.T) {
	for _, said := range []bool{true, false} {
		s, c, r, files := one(t, 100_000)
		s.Storage("model.onnx", 1, hubtest.Fewer(5, said))
		fetch(t, c, r, files)
		if !said {
			require.Equal(t, []string{"", "bytes=99995-"}, ranges(s), "only what is missing is fetched")
		}
	}
}

func TestFewerBytesForEver(t *testing.T) {
	s, c, r, _ := one(t, 100_000)
	s.Storage("model.onnx", hubtest.Always, hubtest.Fewer(5, true))
	failsWith(t, c, r, backend.CodeDownloadFailed)
}

func TestWrongBytesOnce(t *testing.T) {
	s, c, r, files := one(t, 100_000)
	s.Storage("model.onnx", 1, hubtest.Corrupt(50_000))
	fetch(t, c, r, files)
	require.Equal(t, []string{"", ""}, ranges(s), "it is fetched again by itself")
}

func TestWrongBytesForEver(t *testing.T) {
	s, c, r, _ := one(t, 100_000)
	s.Storage("model.onnx", hubtest.Always, hubtest.Corrupt(50_000))
	e := failsWith(t, c, r, backend.CodeChecksumMismatch)
	require.Equal(t, "model.onnx", e.Params["file"])
	require.Len(t, ranges(s), 2)
	require.Zero(t, c.Cache().Partial(r), "what is wrong is thrown away")
	for _, name := range tree(t, c.Cache().Dir) {
		require.NotContains(t, name, "blobs/")
	}
}

func TestETagChangedBetweenParts(t *testing.T) {
	for name, fault := range map[string]hubtest.Fault{
		"the server keeps to If-Range": hubtest.ETag("other"),
		"the server ignores If-Range":  hubtest.RenamedPart("other"),
	} {
		t.Run(name, func(t *testing.T) {
			s, c, r, files := one(t, 1_000_000)
			s.Storage("model.onnx", 1, hubtest.Cut(400_000))
			_, err := newClient(t, s.URL(), c.Cache().Dir, func(o *hub.Options) { o.Tries = 1 }).Download(t.Context(), r, nil)
			require.Error(t, err)
			s.Storage("model.onnx", hubtest.Always, fault)
			fetch(t, c, r, files)
			require.Equal(t, "bytes=400000-", ranges(s)[1])
		})
	}
}

func TestOtherContentUnderThePinIsRefusedBeforeItsFirstByte(t *testing.T) {
	s, c, r, _ := one(t, 100_000)
	r.Files[0].SHA256 = s.SHA256(repoID, "model.onnx")[1:] + "0"
	failsWith(t, c, r, backend.CodeChecksumMismatch)
	require.Zero(t, c.Cache().Partial(r))
}

func TestRedirectLoop(t *testing.T) {
	s, c, r, _ := one(t, 1000)
	s.Hub("model.onnx", hubtest.Always, hubtest.Redirect("{self}"))
	e := failsWith(t, c, r, backend.CodeDownloadFailed)
	require.Contains(t, e.Detail, "loop")

	s.Heal()
	s.Hub("model.onnx", hubtest.Always, hubtest.Redirect("{self}x"))
	failsWith(t, c, r, backend.CodeDownloadFailed)
}

func TestRelativeRedirectOfARenamedRepository(t *testing.T) {
	s, c, r, files := one(t, 1000)
	s.Hub("model.onnx", 1, hubtest.Redirect(fmt.Sprintf("/%s/resolve/%s/model.onnx?again", repoID, commit)))
	fetch(t, c, r, files)
}

func TestTokenStaysOnTheHub(t *testing.T) {
	s, c, r, files := one(t, 1000, func(o *hub.Options) { o.Token = "hf_test" })
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

func TestMirrorGoesOnWhereTheHubStopped(t *testing.T) {
	files := map[string][]byte{"model.onnx": noise(1, 100_000)}
	s, mirror := startHub(t, files), startHub(t, files)
	s.Storage("", hubtest.Always, hubtest.Cut(40_000, 40_000, 40_000, 40_000, 40_000))
	r := pinned(s, files)
	r.Mirrors = []string{mirror.URL()}
	fetch(t, newClient(t, s.URL(), t.TempDir()), r, files)
	require.EqualValues(t, 60_000, mirror.Bytes("model.onnx"))
}

func TestMirrorIsNotAskedForAFileWithoutAPin(t *testing.T) {
	files := map[string][]byte{"config.json": noise(1, 1000)}
	s, mirror := startHub(t, files), startHub(t, files)
	s.Hub("config.json", hubtest.Always, hubtest.Status(500))
	c := newClient(t, s.URL(), t.TempDir())
	r := hub.Request{Repo: repoID, Revision: commit, Files: []hub.File{{Path: "config.json"}}, Mirrors: []string{mirror.URL()}}
	failsWith(t, c, r, backend.CodeDownloadFailed)
	require.Empty(t, mirror.Requests(""))
}

func TestGated(t *testing.T) {
	content := map[string]hubtest.Content{"model.onnx": hubtest.Bytes(noise(1, 1000))}
	s := hubtest.Start(hubtest.Repo{ID: repoID, Files: content, Gated: true})
	defer s.Close()
	files := map[string][]byte{"model.onnx": noise(1, 1000)}
	r := pinned(s, files)
	dir := t.TempDir()
	e := failsWith(t, newClient(t, s.URL(), dir), r, backend.CodeHubGated)
	require.Equal(t, 1, e.Params["attempts"], "asking again would not help")
	s.Hub("", 1, hubtest.Status(http.StatusUnauthorized))
	failsWith(t, newClient(t, s.URL(), dir), r, backend.CodeHubGated)
	fetch(t, newClient(t, s.URL(), dir, func(o *hub.Options) { o.Token = s.Token }), r, files)
}

func TestNotFoundSaysWhat(t *testing.T) {
	s, c, r, _ := one(t, 1000)
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
	for name, test := range map[string]struct {
		headers []string
		want    time.Duration
	}{
		"RateLimit":             {[]string{"RateLimit", `"resolvers";r=0;t=55`}, 56 * time.Second},
		"Retry-After":           {[]string{"Retry-After", "7"}, 7 * time.Second},
		"Retry-After as a date": {[]string{"Retry-After", "Sat, 01 Jan 2000 00:00:30 GMT", "Date", "Sat, 01 Jan 2000 00:00:10 GMT"}, 20 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			w := new(waits)
			s, c, r, files := one(t, 1000, func(o *hub.Options) { o.Wait = w.wait })
			s.Hub("model.onnx", 1, hubtest.Status(http.StatusTooManyRequests, test.headers...))
			fetch(t, c, r, files)
			require.Equal(t, []time.Duration{test.want}, w.all)
		})
	}
}

func TestRateLimitedForEver(t *testing.T) {
	s, c, r, _ := one(t, 1000)
	s.Hub("", hubtest.Always, hubtest.Status(http.StatusTooManyRequests, "RateLimit", `"resolvers";r=0;t=55`))
	e := failsWith(t, c, r, backend.CodeHubRateLimited)
	require.Equal(t, 56, e.Params["retry_after"])
	require.Equal(t, 5, e.Params["attempts"])
}

func TestServerErrorThenFine(t *testing.T) {
	for _, status := range []int{408, 500, 502, 503, 504} {
		w := new(waits)
		s, c, r, files := one(t, 1000, func(o *hub.Options) { o.Wait = w.wait })
		s.Hub("model.onnx", 2, hubtest.Status(status))
		s.Storage("model.onnx", 2, hubtest.Status(status))
		fetch(t, c, r, files)
		require.Len(t, w.all, 4)
		require.Greater(t, w.all[3], w.all[0], "the waits grow")
	}
}

func TestServerErrorForEver(t *testing.T) {
	s, c, r, _ := one(t, 1000)
	s.Hub("", hubtest.Always, hubtest.Status(500))
	e := failsWith(t, c, r, backend.CodeDownloadFailed)
	require.Equal(t, 5, e.Params["attempts"])
	require.Equal(t, 500, e.Params["status"])
}

func TestSignedAddressRanOut(t *testing.T) {
	w := new(waits)
	s, c, r, files := one(t, 1000, func(o *hub.Options) { o.Wait = w.wait })
	s.Storage("model.onnx", 1, hubtest.Status(http.StatusForbidden))
	fetch(t, c, r, files)
	require.Equal(t, []time.Duration{0}, w.all, "the hub is asked for a new address at once")
}

func TestNobodyListens(t *testing.T) {
	s, c, r, _ := one(t, 1000)
	s.Close()
	e := failsWith(t, c, r, backend.CodeDownloadFailed)
	require.Equal(t, 5, e.Params["attempts"])
}

func TestSlowDrip(t *testing.T) {
	const size, piece, pause = 20_000, 500, 60 * time.Millisecond
	require.Greater(t, size/piece*pause, stall, "the whole takes longer than a stall")
	s, c, r, files := one(t, size, func(o *hub.Options) { o.Stall = stall })
	s.Storage("model.onnx", 1, hubtest.Slow(piece, pause))
	fetch(t, c, r, files)
	require.Len(t, ranges(s), 1, "slow is not stalled")
}

func TestClockJumps(t *testing.T) {
	start := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	var calls atomic.Int64 // the download and its reports ask
	jumps := []time.Duration{0, time.Second, -87600 * time.Hour, 2 * time.Second, 87600 * time.Hour, 0}
	s, c, r, files := one(t, 20_000, func(o *hub.Options) {
		o.Now = func() time.Time {
			return start.Add(jumps[calls.Add(1)%int64(len(jumps))])
		}
	})
	s.Storage("model.onnx", hubtest.Always, hubtest.Slow(1000, 60*time.Millisecond))
	fetch(t, c, r, files)
	require.NotZero(t, calls.Load())
}

// TestStrangeNamesInAListing: a file with a name that leaves its folder, or that some system cannot store, is refused, and
// the rest of its repository can be used.
func TestStrangeNamesInAListing(t *testing.T) {
	for _, name := range []string{
		"../evil", "/etc/passwd", `a\..\evil`, "a/../../evil", "C:evil", "NUL", "a//b", "", "a/.", "a\x00b", "sample: one?.wav",
	} {
		s, c, r, files := one(t, 1000)
		s.List(name)
		r.Files = []hub.File{{Path: name}}
		failsWith(t, c, r, backend.CodeDownloadFailed)
		require.Empty(t, s.Requests(""), "nobody is asked for such a file")

		r.Files, r.Revision = []hub.File{{Path: "model.onnx"}}, "main"
		fetch(t, c, r, files)
	}
}

// TestHubThatNamesAnotherBlob: the hub's name of a content is the name of a file in the cache. A file under the name of
// another one would take its place.
func TestHubThatNamesAnotherBlob(t *testing.T) {
	files := map[string][]byte{"model.onnx": noise(1, 5000), "config.json": noise(2, 3000), "other.json": noise(3, 4000)}
	for _, victim := range []string{"model.onnx", "config.json"} {
		s := startHub(t, files)
		c := newClient(t, s.URL(), t.TempDir())
		first := map[string][]byte{victim: files[victim]}
		snapshot := fetch(t, c, pinned(s, first), first)
		blob, err := filepath.EvalSymlinks(snapshot.Path(victim))
		require.NoError(t, err)
		s.Hub("other.json", hubtest.Always, hubtest.ETag(filepath.Base(blob)))
		second := map[string][]byte{"other.json": files["other.json"]}
		fetch(t, c, pinned(s, second), second)
		holds(t, snapshot, first)
	}
}

// TestLinkInThePlaceOfAPartialFile: somebody put a link to a file of the user's where the download is written.
func TestLinkInThePlaceOfAPartialFile(t *testing.T) {
	s, c, r, files := one(t, 1000)
	blobs := filepath.Join(c.Cache().Dir, "models--acme--voice", "blobs")
	require.NoError(t, os.MkdirAll(blobs, 0o755))
	diary := filepath.Join(t.TempDir(), "diary.txt")
	require.NoError(t, os.WriteFile(diary, []byte("my diary"), 0o600))
	link := filepath.Join(blobs, s.SHA256(repoID, "model.onnx")+".resume.incomplete")
	require.NoError(t, os.Symlink(diary, link))
	fetch(t, c, r, files)
	raw, err := os.ReadFile(diary)
	require.NoError(t, err)
	require.Equal(t, "my diary", string(raw))

	_, c, r, files = one(t, 1000)
	blobs = filepath.Join(c.Cache().Dir, "models--acme--voice", "blobs")
	require.NoError(t, os.MkdirAll(blobs, 0o755))
	nowhere := filepath.Join(t.TempDir(), "nothing")
	require.NoError(t, os.Symlink(nowhere, filepath.Join(blobs, filepath.Base(link))))
	fetch(t, c, r, files)
	require.NoFileExists(t, nowhere)
}

func TestCacheMovedWhileDownloading(t *testing.T) {
	s, c, r, files := one(t, 1_000_000)
	goOn := make(chan struct{})
	s.Storage("model.onnx", 1, hubtest.Hold(300_000, goOn))
	moved := c.Cache().Dir + "-moved"
	t.Cleanup(func() { _ = os.RemoveAll(moved) })
	once := false
	_, err := c.Download(t.Context(), r, func(p hub.Progress) {
		if p.Current > 0 && !once {
			once = true
			require.NoError(t, os.Rename(c.Cache().Dir, moved))
			close(goOn)
		}
	})
	require.True(t, once)
	require.Equal(t, backend.CodeDownloadFailed, backend.CodeOf(err))
	require.Contains(t, backend.AsError(err).Detail, "moved")
	require.NoDirExists(t, c.Cache().Dir, "the old place is not made again")
	fetch(t, newClient(t, s.URL(), moved), r, files)
	require.EqualValues(t, 1_000_000, s.Bytes("model.onnx"), "at the new place it goes on")
}
