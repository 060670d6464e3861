package hub_test

import (
	"context"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hub"
	"github.com/voicewright/voicewright/backend/hub/hubtest"
)

func TestStandardLayout(t *testing.T) {
	t.Parallel()
	files := map[string][]byte{"onnx/model.onnx": noise(1, 1000), "config.json": []byte("{}")}
	s := startHub(t, files)
	dir := t.TempDir()
	fetch(t, newClient(t, s.URL(), dir), unpinned(files, "main"), files)
	repo := filepath.Join(dir, "models--acme--voice")
	ref, err := os.ReadFile(filepath.Join(repo, "refs", "main"))
	require.NoError(t, err)
	require.Equal(t, commit, string(ref))
	link, err := os.Readlink(filepath.Join(repo, "snapshots", commit, "onnx", "model.onnx"))
	require.NoError(t, err)
	require.Equal(t, filepath.Join("..", "..", "..", "blobs", s.SHA256(repoID, "onnx/model.onnx")), link)
	link, err = os.Readlink(filepath.Join(repo, "snapshots", commit, "config.json"))
	require.NoError(t, err)
	require.Equal(t, filepath.Join("..", "..", "blobs", "9e26dfeeb6e641a33dae4961196235bdb965b21b"), link, "git's name of {}")
}

func TestPinnedSmallFileIsNamedAsTheHubNamesIt(t *testing.T) {
	t.Parallel()
	files := map[string][]byte{"config.json": []byte("{}")}
	s := startHub(t, files)
	dir := t.TempDir()
	fetch(t, newClient(t, s.URL(), dir), pinned(s, files), files)
	require.FileExists(t, filepath.Join(dir, "models--acme--voice", "blobs", "9e26dfeeb6e641a33dae4961196235bdb965b21b"))
}

func TestSymlinksNotPermitted(t *testing.T) {
	t.Parallel()
	files := voice()
	s := startHub(t, files)
	cache := hub.NewCache(t.TempDir(), "")
	cache.Symlink = func(string, string) error { return &os.LinkError{Op: "symlink", Err: syscall.EPERM} }
	c := cacheClient(t, s.URL(), cache)
	snapshot := fetch(t, c, pinned(s, files), files)
	for path := range files {
		info, err := os.Lstat(snapshot.Path(path))
		require.NoError(t, err)
		require.True(t, info.Mode().IsRegular(), "the file itself stands in the snapshot")
	}
	var total int64
	for _, b := range files {
		total += int64(len(b))
	}
	require.Less(t, cache.Usage().Files, total+10_000, "and nowhere else")

	r := pinned(s, files)
	content := map[string]hubtest.Content{}
	for path, b := range files {
		content[path] = hubtest.Bytes(b)
	}
	freed, err := cache.Remove(snapshot)
	require.NoError(t, err)
	require.Equal(t, total, freed)
	_, ok := cache.Snapshot(r)
	require.False(t, ok)
}

// filled returns a cache of another program with all files, and its names with their inodes.
func filled(t *testing.T, s *hubtest.Server, files map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	fetch(t, newClient(t, s.URL(), dir), unpinned(files, "main"), files)
	require.NoError(t, os.RemoveAll(filepath.Join(dir, "models--acme--voice", "verified")), "another program keeps no records")
	return dir
}

func noLink(string, string) error { return &os.LinkError{Op: "link", Err: syscall.EXDEV} }

func TestFilesOfTheSharedCacheAreUsed(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		link    func(string, string) error
		symlink func(string, string) error
		check   func(t *testing.T, shared, ours string)
	}{
		"by hard link": {os.Link, os.Symlink, func(t *testing.T, shared, ours string) {
			a, err := os.Stat(shared)
			require.NoError(t, err)
			b, err := os.Stat(ours)
			require.NoError(t, err)
			require.True(t, os.SameFile(a, b))
		}},
		"by symbolic link": {noLink, os.Symlink, func(t *testing.T, shared, ours string) {
			real, err := filepath.EvalSymlinks(ours)
			require.NoError(t, err)
			theirs, err := filepath.EvalSymlinks(shared)
			require.NoError(t, err)
			require.Equal(t, theirs, real)
		}},
		"by copy": {noLink, func(string, string) error { return errors.New("no") }, func(t *testing.T, shared, ours string) {
			a, err := os.Stat(shared)
			require.NoError(t, err)
			b, err := os.Stat(ours)
			require.NoError(t, err)
			require.False(t, os.SameFile(a, b))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			files := voice()
			s := startHub(t, files)
			shared := filled(t, s, files)
			before := tree(t, shared)
			cache := hub.NewCache(t.TempDir(), shared)
			cache.Link, cache.Symlink = test.link, test.symlink
			c := cacheClient(t, s.URL(), cache, noNetwork(t))
			snapshot := fetch(t, c, pinned(s, files), files)
			for path := range files {
				test.check(t, filepath.Join(shared, "models--acme--voice", "snapshots", commit, filepath.FromSlash(path)), snapshot.Path(path))
			}
			freed, err := cache.Remove(snapshot)
			require.NoError(t, err)
			require.Equal(t, name == "by copy", freed > 0, "what is shared frees nothing")
			require.Equal(t, before, tree(t, shared), "the other program's cache is only read")
		})
	}
}

func TestUnpinnedFilesOfTheSharedCacheAreUsedOffline(t *testing.T) {
	t.Parallel()
	files := voice()
	s := startHub(t, files)
	cache := hub.NewCache(t.TempDir(), filled(t, s, files))
	fetch(t, cacheClient(t, s.URL(), cache, noNetwork(t)), unpinned(files, commit), files)
}

func TestGraphAndItsDataComeFromOneCache(t *testing.T) {
	t.Parallel()
	files := map[string][]byte{"model.onnx": noise(1, 1000), "model.onnx_data": noise(2, 2000)}
	s := startHub(t, files)
	shared := filled(t, s, map[string][]byte{"model.onnx": files["model.onnx"]})
	cache := hub.NewCache(t.TempDir(), shared)
	cache.Link = noLink
	snapshot := fetch(t, cacheClient(t, s.URL(), cache), pinned(s, files), files)
	graph, err := filepath.EvalSymlinks(snapshot.Path("model.onnx"))
	require.NoError(t, err)
	data, err := filepath.EvalSymlinks(snapshot.Path("model.onnx_data"))
	require.NoError(t, err)
	require.Equal(t, filepath.Dir(data), filepath.Dir(graph), "the graph was copied, as its data had to be fetched")
}

func TestCorruptFileOfTheSharedCacheIsReplaced(t *testing.T) {
	t.Parallel()
	files := map[string][]byte{"model.onnx": noise(1, 1000)}
	s := startHub(t, files)
	shared := filled(t, s, files)
	blob := filepath.Join(shared, "models--acme--voice", "blobs", s.SHA256(repoID, "model.onnx"))
	require.NoError(t, os.WriteFile(blob, noise(7, 1000), 0o644))
	before := s.Bytes("model.onnx")
	cache := hub.NewCache(t.TempDir(), shared)
	fetch(t, cacheClient(t, s.URL(), cache), pinned(s, files), files)
	require.Equal(t, before+1000, s.Bytes("model.onnx"))
}

func TestSharedCacheThatIsTheCacheItself(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.Empty(t, hub.NewCache(dir, dir).Shared)
}

func TestFilesOfAnotherProgramInOurDirectoryAreVerifiedNotFetched(t *testing.T) {
	t.Parallel()
	files := voice()
	s := startHub(t, files)
	dir := filled(t, s, files)
	_, ok := hub.NewCache(dir, "").Snapshot(pinned(s, files))
	require.False(t, ok, "nothing unverified is found")
	fetch(t, newClient(t, s.URL(), dir, noNetwork(t)), pinned(s, files), files)
}

func TestFileThatChangedIsNotFoundAndFetchedAgain(t *testing.T) {
	t.Parallel()
	files := voice()
	s := startHub(t, files)
	c := newClient(t, s.URL(), t.TempDir())
	snapshot := fetch(t, c, pinned(s, files), files)
	name := snapshot.Path("onnx/model.onnx")
	require.NoError(t, os.WriteFile(name, noise(8, 300_000), 0o644))
	later := time.Now().Add(time.Second) // two writes may have the same time
	require.NoError(t, os.Chtimes(name, later, later))
	_, ok := c.Cache().Snapshot(pinned(s, files))
	require.False(t, ok)
	before := s.Bytes("onnx/model.onnx_data")
	fetch(t, c, pinned(s, files), files)
	require.Equal(t, before, s.Bytes("onnx/model.onnx_data"))
}

func TestVerify(t *testing.T) {
	t.Parallel()
	files := voice()
	s := startHub(t, files)
	c := newClient(t, s.URL(), t.TempDir())
	snapshot := fetch(t, c, pinned(s, files), files)
	var read int64
	require.NoError(t, c.Cache().Verify(t.Context(), snapshot, func(n int64) { read = n }))
	var total int64
	for _, b := range files {
		total += int64(len(b))
	}
	require.Equal(t, total, read)

	info, err := os.Stat(snapshot.Path("onnx/model.onnx"))
	require.NoError(t, err)
	bad := append([]byte(nil), files["onnx/model.onnx"]...)
	bad[77] ^= 1
	require.NoError(t, os.WriteFile(snapshot.Path("onnx/model.onnx"), bad, 0o644))
	require.NoError(t, os.Chtimes(snapshot.Path("onnx/model.onnx"), info.ModTime(), info.ModTime()))
	_, ok := c.Cache().Snapshot(pinned(s, files))
	require.True(t, ok, "a change that hides its time is found by reading only")
	err = c.Cache().Verify(t.Context(), snapshot, nil)
	require.Equal(t, backend.CodeChecksumMismatch, backend.CodeOf(err))
	require.Equal(t, "onnx/model.onnx", backend.AsError(err).Params["file"])
	fetch(t, c, pinned(s, files), files)
}

func TestVerifyCanBeCancelled(t *testing.T) {
	t.Parallel()
	files := voice()
	s := startHub(t, files)
	c := newClient(t, s.URL(), t.TempDir())
	snapshot := fetch(t, c, pinned(s, files), files)
	ctx, cancel := context.WithCancel(t.Context())
	err := c.Cache().Verify(ctx, snapshot, func(int64) { cancel() })
	require.Equal(t, backend.CodeCancelled, backend.CodeOf(err))
	_, ok := c.Cache().Snapshot(pinned(s, files))
	require.True(t, ok, "what was not read to its end is not doubted")
}

func TestRemoveKeepsWhatAnotherNeeds(t *testing.T) {
	t.Parallel()
	files := voice()
	s := startHub(t, files)
	c := newClient(t, s.URL(), t.TempDir())
	all := fetch(t, c, unpinned(files, "main"), files)
	kept := map[string][]byte{"config.json": files["config.json"], "onnx/model.onnx": files["onnx/model.onnx"]}
	keep, ok := c.Cache().Snapshot(pinned(s, kept))
	require.True(t, ok)
	freed, err := c.Cache().Remove(all, keep)
	require.NoError(t, err)
	require.EqualValues(t, 700_000, freed)
	fetch(t, newClient(t, s.URL(), c.Cache().Dir, noNetwork(t)), pinned(s, kept), kept)

	again := fetch(t, c, unpinned(files, "main"), files)
	content := map[string]hubtest.Content{}
	for path, b := range files {
		content[path] = hubtest.Bytes(b)
	}
	s.Add(hubtest.Repo{ID: repoID, Commit: hubtest.CommitOf("second"), Files: content})
	second := fetch(t, c, unpinned(files, "main"), files)
	freed, err = c.Cache().Remove(again)
	require.NoError(t, err)
	require.Zero(t, freed, "the second commit has the same blobs")
	requireContent(t, second, files)
	freed, err = c.Cache().Remove(second)
	require.NoError(t, err)
	require.EqualValues(t, 300_000+700_000+len(files["config.json"]), freed)
	require.NoDirExists(t, filepath.Join(c.Cache().Dir, "models--acme--voice"))
	freed, err = c.Cache().Remove(second)
	require.NoError(t, err)
	require.Zero(t, freed)
}

func TestNamesThatLeaveTheCacheAreRefused(t *testing.T) {
	t.Parallel()
	c := newClient(t, "http://127.0.0.1:1", t.TempDir(), noNetwork(t))
	file := []hub.File{{Path: "a"}}
	for _, r := range []hub.Request{
		{Repo: "../x", Revision: "main", Files: file},
		{Repo: "a/../../x", Revision: "main", Files: file},
		{Repo: "a--b", Revision: "main", Files: file},
		{Repo: "a/b", Revision: "../main", Files: file},
		{Repo: "a/b", Revision: "", Files: file},
		{Repo: "a/b", Revision: "main"},
		{Repo: "a/b", Revision: "main", Files: []hub.File{{Path: "../a"}}},
		{Repo: "a/b", Revision: "main", Files: []hub.File{{Path: "a", SHA256: "../../../etc/passwd"}}},
	} {
		failsWith(t, c, r, backend.CodeDownloadFailed)
	}
	require.Empty(t, tree(t, c.Cache().Dir))
}

func TestTemporaryFilesOfAKilledProcessAreRemoved(t *testing.T) {
	t.Parallel()
	s, c, r, files := newFixture(t, 1000)
	blobs := filepath.Join(c.Cache().Dir, "models--acme--voice", "blobs")
	require.NoError(t, os.MkdirAll(blobs, 0o755))
	old, young := filepath.Join(blobs, ".new-a01020304"), filepath.Join(blobs, ".new-b01020304")
	for _, name := range []string{old, young} {
		require.NoError(t, os.WriteFile(name, noise(1, 10), 0o644))
	}
	past := time.Now().Add(-48 * time.Hour)
	require.NoError(t, os.Chtimes(old, past, past))
	fetch(t, c, r, files)
	require.NoFileExists(t, old)
	require.FileExists(t, young, "another process may be writing it")
	require.NotEmpty(t, s.Requests(""))
}

// TestOneContentUnderTwoPaths has a small file, which the hub names by its git hash, that two models have under two paths.
func TestOneContentUnderTwoPaths(t *testing.T) {
	t.Parallel()
	files := map[string][]byte{"a/config.json": []byte("{}"), "b/config.json": []byte("{}")}
	s := startHub(t, files)
	client := newClient(t, s.URL(), t.TempDir())
	var asked []hub.Request
	for path := range files {
		r := pinned(s, map[string][]byte{path: files[path]})
		asked = append(asked, r)
		_, err := client.Download(t.Context(), r, nil)
		require.NoError(t, err)
	}
	for _, r := range asked {
		_, ok := client.Cache().Snapshot(r)
		require.True(t, ok, "the second download does not damage the first one")
	}
}

func TestPut(t *testing.T) {
	t.Parallel()
	content := map[string][]byte{"onnx/graph.onnx": noise(1, 1000), "copy.onnx": noise(1, 1000)}
	s := startHub(t, content)
	cache := hub.NewCache(t.TempDir(), "")
	r := pinned(s, content)
	from := filepath.Join(t.TempDir(), "mine.bin")
	require.NoError(t, os.WriteFile(from, noise(2, 1000), 0o600))
	err := cache.Put(t.Context(), repoID, commit, r.Files[0], from)
	require.Equal(t, backend.CodeChecksumMismatch, backend.CodeOf(err))
	require.NoError(t, os.WriteFile(from, noise(1, 1001), 0o600))
	err = cache.Put(t.Context(), repoID, commit, r.Files[0], from)
	require.Equal(t, backend.CodeChecksumMismatch, backend.CodeOf(err))
	_, ok := cache.Snapshot(r)
	require.False(t, ok)

	require.NoError(t, os.WriteFile(from, noise(1, 1000), 0o600))
	for range 2 {
		for _, f := range r.Files {
			require.NoError(t, cache.Put(t.Context(), repoID, commit, f, from))
		}
	}
	require.NoError(t, os.Remove(from))
	snapshot, ok := cache.Snapshot(r)
	require.True(t, ok)
	require.NoError(t, cache.Verify(t.Context(), snapshot, nil))
	require.Empty(t, s.Requests(""))
	entries := cache.Entries(r)
	require.Len(t, entries, 1)
	require.Equal(t, snapshot.Dir, entries[0].Dir)
	_, err = cache.Remove(entries[0])
	require.NoError(t, err)
	_, ok = cache.Snapshot(r)
	require.False(t, ok)

	err = cache.Put(t.Context(), repoID, commit, hub.File{Path: "../x", Size: 1, SHA256: r.Files[0].SHA256}, from)
	require.Equal(t, backend.CodeDownloadFailed, backend.CodeOf(err))
	err = cache.Put(t.Context(), repoID, commit, hub.File{Path: "x"}, from)
	require.Equal(t, backend.CodeDownloadFailed, backend.CodeOf(err))
	require.Error(t, cache.Put(t.Context(), repoID, commit, r.Files[0], from))
}

func TestTrimRemovesTheOldest(t *testing.T) {
	t.Parallel()
	files := map[string][]byte{"a/model.onnx": []byte("graph")}
	for _, name := range []string{"old", "older", "new", "newest"} {
		files["a/samples/"+name+".mp3"] = []byte(name)
	}
	s := startHub(t, files)
	c := newClient(t, s.URL(), t.TempDir())
	fetch(t, c, unpinned(files, "main"), files)
	records := filepath.Join(c.Cache().Dir, "models--acme--voice", "verified", commit)
	for age, name := range []string{"newest", "new", "old", "older"} {
		at := time.Now().Add(-time.Duration(age) * time.Hour)
		require.NoError(t, os.Chtimes(filepath.Join(records, url.PathEscape("a/samples/"+name+".mp3")+".json"), at, at))
	}
	isSample := func(path string) bool { return filepath.Ext(path) == ".mp3" }
	require.NoError(t, c.Cache().Trim(repoID, 4, isSample))
	requireContent(t, fetch(t, newClient(t, s.URL(), c.Cache().Dir, noNetwork(t)), unpinned(files, "main"), files), files)
	require.NoError(t, c.Cache().Trim(repoID, 2, isSample))
	here, missing := c.Cache().Lookup(unpinned(files, "main"))
	names := func(s hub.Snapshot) (out []string) {
		for _, f := range s.Files {
			out = append(out, f.Path)
		}
		return out
	}
	require.ElementsMatch(t, []string{"a/model.onnx", "a/samples/new.mp3", "a/samples/newest.mp3"}, names(here))
	require.ElementsMatch(t, []string{"a/samples/old.mp3", "a/samples/older.mp3"}, names(missing))
	require.NoError(t, c.Cache().Trim("acme/none", 0, isSample))
}
