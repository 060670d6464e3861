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

func TestConnectionCutAtEveryTenPercentAndAtTheLastByte(t *testing.T) {
	t.Parallel()
	const size = 1_000_000
	s, c, r, files := newFixture(t, size)
	cuts := []int64{0}
	want := []string{"", ""} // cut at 0: no byte arrived
	for i := int64(1); i < 10; i++ {
		cuts = append(cuts, i*size/10)
		want = append(want, fmt.Sprintf("bytes=%d-", i*size/10))
	}
	cuts = append(cuts, size-1)
	want = append(want, fmt.Sprintf("bytes=%d-", size-1))
	s.Storage("model.onnx", hubtest.Always, hubtest.Cut(cuts...))
	fetch(t, c, r, files)
	require.Equal(t, want, ranges(s), "the download resumes at the byte of the cut")
	require.EqualValues(t, size, s.Bytes("model.onnx"), "no byte is fetched twice")
	for _, req := range s.Requests("model.onnx") {
		require.Equal(t, req.Range != "", req.IfRange != "", "a range is requested only of the same file")
	}
}

// stall is so long that a connection that delivers something does not stall even on a busy machine.
const stall = 2 * time.Second

func TestConnectionStalls(t *testing.T) {
	t.Parallel()
	s, c, r, files := newFixture(t, 1_000_000, func(o *hub.Options) { o.Stall = stall })
	s.Storage("model.onnx", 1, hubtest.Stall(300_000))
	fetch(t, c, r, files)
	require.Equal(t, []string{"", "bytes=300000-"}, ranges(s))
}

func TestConnectionStallsBeforeTheFirstByteForever(t *testing.T) {
	t.Parallel()
	s, c, r, _ := newFixture(t, 1000, func(o *hub.Options) { o.Stall = 50 * time.Millisecond })
	s.Storage("model.onnx", hubtest.Always, hubtest.Stall(0))
	e := failsWith(t, c, r, backend.CodeDownloadFailed)
	require.Equal(t, 5, e.Params["attempts"])
	require.NotEmpty(t, e.Params["host"])
}

func TestPartWithWrongContentRange(t *testing.T) {
	t.Parallel()
	s, c, r, files := newFixture(t, 1_000_000)
	s.Storage("model.onnx", hubtest.Always, hubtest.Cut(400_000))
	s.Storage("model.onnx", 2, hubtest.WrongRange())
	fetch(t, c, r, files)
	require.Equal(t, []string{"", "bytes=400000-", ""}, ranges(s), "the download restarts")
}

func TestCompleteFileInsteadOfAPart(t *testing.T) {
	t.Parallel()
	s, c, r, files := newFixture(t, 1_000_000)
	s.Storage("model.onnx", hubtest.Always, hubtest.Cut(400_000))
	s.Storage("model.onnx", hubtest.Always, hubtest.IgnoreRange())
	fetch(t, c, r, files)
	require.Len(t, ranges(s), 2)
}

func TestRangeNotSatisfiable(t *testing.T) {
	t.Parallel()
	s, c, r, files := newFixture(t, 1_000_000)
	s.Storage("model.onnx", 1, hubtest.Cut(400_000))
	_, err := newClient(t, s.URL(), c.Cache().Dir, func(o *hub.Options) { o.Tries = 1 }).Download(t.Context(), r, nil)
	require.Error(t, err)
	require.EqualValues(t, 400_000, c.Cache().Partial(r))
	s.Storage("model.onnx", 1, hubtest.Status(http.StatusRequestedRangeNotSatisfiable))
	fetch(t, c, r, files)
	require.Equal(t, []string{"", "bytes=400000-", ""}, ranges(s))
}

func TestMoreBytesThanPromised(t *testing.T) {
	t.Parallel()
	for _, said := range []bool{true, false} {
		s, c, r, files := newFixture(t, 100_000)
		s.Storage("model.onnx", 1, hubtest.More(5, said))
		fetch(t, c, r, files)
		require.Len(t, ranges(s), 2)

		s, c, r, _ = newFixture(t, 100_000)
		s.Storage("model.onnx", hubtest.Always, hubtest.More(5, said))
		e := failsWith(t, c, r, backend.CodeDownloadFailed)
		require.Equal(t, "model.onnx", e.Params["file"])
	}
}

func TestFewerBytesThanPromised(t *testing.T) {
	t.Parallel()
	for _, said := range []bool{true, false} {
		s, c, r, files := newFixture(t, 100_000)
		s.Storage("model.onnx", 1, hubtest.Fewer(5, said))
		fetch(t, c, r, files)
		if !said {
			require.Equal(t, []string{"", "bytes=99995-"}, ranges(s), "only what is missing is fetched")
		}
	}
}

func TestFewerBytesForever(t *testing.T) {
	t.Parallel()
	s, c, r, _ := newFixture(t, 100_000)
	s.Storage("model.onnx", hubtest.Always, hubtest.Fewer(5, true))
	failsWith(t, c, r, backend.CodeDownloadFailed)
}

func TestWrongBytesOnce(t *testing.T) {
	t.Parallel()
	s, c, r, files := newFixture(t, 100_000)
	s.Storage("model.onnx", 1, hubtest.Corrupt(50_000))
	fetch(t, c, r, files)
	require.Equal(t, []string{"", ""}, ranges(s), "it is downloaded again automatically")
}

func TestWrongBytesForever(t *testing.T) {
	t.Parallel()
	s, c, r, _ := newFixture(t, 100_000)
	s.Storage("model.onnx", hubtest.Always, hubtest.Corrupt(50_000))
	e := failsWith(t, c, r, backend.CodeChecksumMismatch)
	require.Equal(t, "model.onnx", e.Params["file"])
	require.Len(t, ranges(s), 2)
	require.Zero(t, c.Cache().Partial(r), "corrupt content is removed")
	for _, name := range tree(t, c.Cache().Dir) {
		require.NotContains(t, name, "blobs/")
	}
}

func TestETagChangedBetweenParts(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]hubtest.Fault{
		"the server keeps to If-Range": hubtest.ETag("other"),
		"the server ignores If-Range":  hubtest.RenamedPart("other"),
	} {
		t.Run(name, func(t *testing.T) {
			s, c, r, files := newFixture(t, 1_000_000)
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
	t.Parallel()
	s, c, r, _ := newFixture(t, 100_000)
	r.Files[0].SHA256 = s.SHA256(repoID, "model.onnx")[1:] + "0"
	failsWith(t, c, r, backend.CodeChecksumMismatch)
	require.Zero(t, c.Cache().Partial(r))
}

func TestSlowDrip(t *testing.T) {
	t.Parallel()
	const size, piece, pause = 20_000, 500, 60 * time.Millisecond
	require.Greater(t, size/piece*pause, stall, "the download takes longer than a stall")
	s, c, r, files := newFixture(t, size, func(o *hub.Options) { o.Stall = stall })
	s.Storage("model.onnx", 1, hubtest.Slow(piece, pause))
	fetch(t, c, r, files)
	require.Len(t, ranges(s), 1, "slow is not stalled")
}

func TestClockJumps(t *testing.T) {
	t.Parallel()
	start := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	var calls atomic.Int64 // by the download and its reports
	jumps := []time.Duration{0, time.Second, -87600 * time.Hour, 2 * time.Second, 87600 * time.Hour, 0}
	s, c, r, files := newFixture(t, 20_000, func(o *hub.Options) {
		o.Now = func() time.Time {
			return start.Add(jumps[calls.Add(1)%int64(len(jumps))])
		}
	})
	s.Storage("model.onnx", hubtest.Always, hubtest.Slow(1000, 60*time.Millisecond))
	fetch(t, c, r, files)
	require.NotZero(t, calls.Load())
}

// TestInvalidNamesInAListing: a file whose name leaves its folder or is invalid on some system is rejected; other files of the
// repository can be downloaded.
func TestInvalidNamesInAListing(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"../evil", "/etc/passwd", `a\..\evil`, "a/../../evil", "C:evil", "NUL", "a//b", "", "a/.", "a\x00b", "sample: one?.wav",
	} {
		s, c, r, files := newFixture(t, 1000)
		s.List(name)
		r.Files = []hub.File{{Path: name}}
		failsWith(t, c, r, backend.CodeDownloadFailed)
		require.Empty(t, s.Requests(""), "no request is sent for such a file")

		r.Files, r.Revision = []hub.File{{Path: "model.onnx"}}, "main"
		fetch(t, c, r, files)
	}
}

// TestHubThatNamesAnotherBlob: the hub's name of a content is a file name in the cache. Other content under that name would
// replace the file.
func TestHubThatNamesAnotherBlob(t *testing.T) {
	t.Parallel()
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
		requireContent(t, snapshot, first)
	}
}

// TestLinkInsteadOfAPartialFile: somebody put a link to a user's file where the download is written.
func TestLinkInsteadOfAPartialFile(t *testing.T) {
	t.Parallel()
	s, c, r, files := newFixture(t, 1000)
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

	_, c, r, files = newFixture(t, 1000)
	blobs = filepath.Join(c.Cache().Dir, "models--acme--voice", "blobs")
	require.NoError(t, os.MkdirAll(blobs, 0o755))
	nowhere := filepath.Join(t.TempDir(), "nothing")
	require.NoError(t, os.Symlink(nowhere, filepath.Join(blobs, filepath.Base(link))))
	fetch(t, c, r, files)
	require.NoFileExists(t, nowhere)
}

func TestCacheMovedWhileDownloading(t *testing.T) {
	t.Parallel()
	s, c, r, files := newFixture(t, 1_000_000)
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
