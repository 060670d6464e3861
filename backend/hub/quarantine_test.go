package hub_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hub"
	"github.com/voicewright/voicewright/backend/hub/hubtest"
)

// damage changes a byte of a file, and keeps its size and time.
func damage(t *testing.T, name string) {
	t.Helper()
	info, err := os.Stat(name)
	require.NoError(t, err)
	raw, err := os.ReadFile(name)
	require.NoError(t, err)
	raw[len(raw)/2] ^= 1
	require.NoError(t, os.WriteFile(name, raw, 0o600))
	require.NoError(t, os.Chtimes(name, info.ModTime(), info.ModTime()))
}

// corrupt returns the quarantined files.
func corrupt(t *testing.T, c *hub.Cache) []string {
	t.Helper()
	return slices.DeleteFunc(tree(t, c.Dir), func(name string) bool {
		return !strings.Contains(name, "/blobs/") || !strings.HasSuffix(name, ".corrupt")
	})
}

func TestCorruptBlobIsHiddenFromAllReaders(t *testing.T) {
	t.Parallel()
	for name, none := range map[string]bool{"with symbolic links": false, "without": true} {
		t.Run(name, func(t *testing.T) {
			files := voice()
			files["copy.onnx"] = files["onnx/model.onnx"]
			s := startHub(t, files)
			c := newClient(t, s.URL(), t.TempDir(), func(o *hub.Options) { o.NoSymlinks = none })
			snapshot := fetch(t, c, pinned(s, files), files)
			usageBefore := c.Cache().Usage()
			const bad = "onnx/model.onnx"
			damage(t, snapshot.Path(bad))
			damage(t, snapshot.Path("config.json"))
			err := c.Cache().Verify(t.Context(), snapshot, nil)
			require.Equal(t, backend.CodeChecksumMismatch, backend.CodeOf(err))
			for _, path := range []string{bad, "copy.onnx", "config.json"} {
				_, err := os.Lstat(snapshot.Path(path))
				require.ErrorIs(t, err, os.ErrNotExist, "the entry is gone: %s", path)
			}
			blob := filepath.Join(c.Cache().Dir, "models--acme--voice", "blobs", s.SHA256(repoID, bad))
			require.NoFileExists(t, blob)
			require.FileExists(t, blob+".corrupt")
			require.Len(t, corrupt(t, c.Cache()), 2, "each wrong content once")
			_, missing := c.Cache().Lookup(pinned(s, files))
			require.Len(t, missing.Files, 3)
			usage := c.Cache().Usage()
			require.EqualValues(t, 300_000+len(files["config.json"]), usage.Corrupt)
			require.Less(t, usage.Files, usageBefore.Files-300_000, "it does not count as downloaded")

			before := s.Bytes("onnx/model.onnx_data")
			fetch(t, newClient(t, s.URL(), c.Cache().Dir, func(o *hub.Options) { o.NoSymlinks = none }), pinned(s, files), files)
			require.Equal(t, before, s.Bytes("onnx/model.onnx_data"), "only what was wrong is fetched")
			require.Empty(t, corrupt(t, c.Cache()), "the next good one takes its place")
			require.Zero(t, c.Cache().Usage().Corrupt)
		})
	}
}

func TestDeleteRemovesQuarantinedFiles(t *testing.T) {
	t.Parallel()
	files := map[string][]byte{"model.onnx": noise(1, 1000), "config.json": []byte("{}")}
	s := startHub(t, files)
	for name, r := range map[string]hub.Request{"pinned": pinned(s, files), "of a branch": unpinned(files, "main")} {
		t.Run(name, func(t *testing.T) {
			c := newClient(t, s.URL(), t.TempDir())
			snapshot := fetch(t, c, r, files)
			for path := range files {
				damage(t, snapshot.Path(path))
			}
			require.Error(t, c.Cache().Verify(t.Context(), snapshot, nil))
			require.Len(t, corrupt(t, c.Cache()), 2)
			var freed int64
			for _, e := range hub.NewCache(c.Cache().Dir, "").Entries(r) { // also in another process
				n, err := c.Cache().Remove(e)
				require.NoError(t, err)
				freed += n
			}
			require.EqualValues(t, 1002, freed)
			require.NoDirExists(t, filepath.Join(c.Cache().Dir, "models--acme--voice"))
		})
	}
}

func TestCorruptFileOfAnotherProgramIsNotChanged(t *testing.T) {
	t.Parallel()
	files := map[string][]byte{"model.onnx": noise(1, 1000)}
	s := startHub(t, files)
	shared := filled(t, s, files)
	before := tree(t, shared)
	cache := hub.NewCache(t.TempDir(), shared)
	cache.Link = noLink
	c := cacheClient(t, s.URL(), cache)
	snapshot := fetch(t, c, pinned(s, files), files)
	damage(t, snapshot.Path("model.onnx"))
	require.Error(t, cache.Verify(t.Context(), snapshot, nil))
	require.Equal(t, before, tree(t, shared), "the other program's cache is only read")
	require.Empty(t, corrupt(t, cache))
	_, err := os.Lstat(snapshot.Path("model.onnx"))
	require.ErrorIs(t, err, os.ErrNotExist, "our link is gone")
	fetch(t, c, pinned(s, files), files)
}

// TestReplacedFileIsNotQuarantined replaces a file while the old one is being read.
func TestReplacedFileIsNotQuarantined(t *testing.T) {
	t.Parallel()
	files := map[string][]byte{"model.onnx": noise(1, 1000)}
	s := startHub(t, files)
	c := newClient(t, s.URL(), t.TempDir())
	snapshot := fetch(t, c, pinned(s, files), files)
	damage(t, snapshot.Path("model.onnx"))
	err := c.Cache().Verify(t.Context(), snapshot, func(int64) {
		_, err := c.Cache().Remove(snapshot)
		require.NoError(t, err)
		fetch(t, c, pinned(s, files), files)
	})
	require.Equal(t, backend.CodeChecksumMismatch, backend.CodeOf(err))
	require.Empty(t, corrupt(t, c.Cache()))
	_, ok := c.Cache().Snapshot(pinned(s, files))
	require.True(t, ok)
}

func TestLookupReturnsCorruptFiles(t *testing.T) {
	t.Parallel()
	files := voice()
	s := startHub(t, files)
	c := newClient(t, s.URL(), t.TempDir())
	r := unpinned(files, "main")
	_, missing := c.Cache().Lookup(r)
	require.Len(t, missing.Files, len(files), "nothing is here yet")
	snapshot := fetch(t, c, r, files)
	real, err := filepath.EvalSymlinks(snapshot.Path("config.json"))
	require.NoError(t, err)
	info, err := os.Stat(real)
	require.NoError(t, err)
	require.NoError(t, os.Chtimes(real, info.ModTime(), info.ModTime().Add(1e9)))
	here, missing := c.Cache().Lookup(r)
	require.Len(t, here.Files, len(files)-1)
	require.Equal(t, commit, missing.Revision)
	require.Equal(t, []hub.File{{Path: "config.json", Size: info.Size(), SHA256: s.SHA256(repoID, "config.json")}}, missing.Files)
	require.NoError(t, c.Cache().Verify(t.Context(), missing, nil), "its bytes are right")
}

// TestBranchThatMovedForOtherFiles: a listing for other files of the repository moves the branch to a newer commit.
func TestBranchThatMovedForOtherFiles(t *testing.T) {
	t.Parallel()
	first, second := map[string][]byte{"a.onnx": noise(1, 1000)}, map[string][]byte{"b.onnx": noise(2, 1000)}
	s := startHub(t, first)
	c := newClient(t, s.URL(), t.TempDir())
	old := fetch(t, c, unpinned(first, "main"), first)
	s.Add(hubtest.Repo{ID: repoID, Commit: hubtest.CommitOf("second"), Files: map[string]hubtest.Content{
		"a.onnx": hubtest.Bytes(noise(3, 1000)), "b.onnx": hubtest.Bytes(second["b.onnx"]),
	}})
	fetch(t, c, unpinned(second, "main"), second)

	later := hub.NewCache(c.Cache().Dir, "")
	found, ok := later.Snapshot(unpinned(first, "main"))
	require.True(t, ok, "complete files stay complete")
	require.Equal(t, old, found)
	_, ok = later.Snapshot(unpinned(map[string][]byte{"a.onnx": nil, "b.onnx": nil}, "main"))
	require.False(t, ok, "files of two commits are no set")
	require.NoError(t, newClient(t, s.URL(), later.Dir, noNetwork(t)).CheckDownload(t.Context(), unpinned(first, "main")))

	third := map[string][]byte{"a.onnx": noise(3, 1000)}
	now := fetch(t, c, unpinned(third, "main"), third)
	require.Equal(t, hubtest.CommitOf("second"), now.Revision, "the noted commit is taken before an older one")
	for _, e := range later.Entries(unpinned(first, "main")) {
		_, err := later.Remove(e)
		require.NoError(t, err)
	}
	_, ok = later.Snapshot(unpinned(first, "main"))
	require.False(t, ok, "a delete takes it away under every commit")
	_, ok = later.Snapshot(unpinned(second, "main"))
	require.True(t, ok)
}

// TestNewestCommitOfABranchIsUsed has two older commits of a branch with the wanted files, and the stored commit without them.
func TestNewestCommitOfABranchIsUsed(t *testing.T) {
	t.Parallel()
	files := map[string][]byte{"a.onnx": noise(1, 1000)}
	s := startHub(t, files)
	c := newClient(t, s.URL(), t.TempDir())
	fetch(t, c, unpinned(files, "main"), files)
	for i, name := range []string{"second", "third"} {
		content := map[string]hubtest.Content{"a.onnx": hubtest.Bytes(noise(byte(5+i), 1000)), "b.onnx": hubtest.Bytes(noise(9, 10))}
		s.Add(hubtest.Repo{ID: repoID, Commit: hubtest.CommitOf(name), Files: content})
		want := unpinned(files, "main")
		if name == "third" {
			want = unpinned(map[string][]byte{"b.onnx": nil}, "main")
		}
		_, err := c.Download(t.Context(), want, nil)
		require.NoError(t, err)
	}
	found, ok := c.Cache().Snapshot(unpinned(files, "main"))
	require.True(t, ok)
	require.Equal(t, hubtest.CommitOf("second"), found.Revision)
}

func TestEqualContentIsFetchedOnce(t *testing.T) {
	t.Parallel()
	files := map[string][]byte{"a/model.onnx": noise(1, 300_000), "b/model.onnx": noise(1, 300_000), "c/d/model.onnx": noise(1, 300_000)}
	for name, change := range map[string]func(*hub.Cache){
		"with symbolic links": func(*hub.Cache) {},
		"with hard links":     func(c *hub.Cache) { c.Symlink = noLink },
		"with neither":        func(c *hub.Cache) { c.Symlink, c.Link = noLink, noLink },
	} {
		t.Run(name, func(t *testing.T) {
			s := startHub(t, files)
			cache := hub.NewCache(t.TempDir(), "")
			change(cache)
			snapshot := fetch(t, cacheClient(t, s.URL(), cache), pinned(s, files), files)
			var sent int64
			for path := range files {
				sent += s.Bytes(path)
			}
			require.EqualValues(t, 300_000, sent)
			one := snapshot
			one.Files = snapshot.Files[:1]
			_, err := cache.Remove(one)
			require.NoError(t, err)
			for _, f := range snapshot.Files[1:] {
				raw, err := os.ReadFile(snapshot.Path(f.Path))
				require.NoError(t, err, "each stands for itself")
				require.Equal(t, files[f.Path], raw)
			}
		})
	}
}

// TestEqualContentOfACacheWithoutSymbolicLinks has an entry that is a file itself, to which no other entry may link.
func TestEqualContentOfACacheWithoutSymbolicLinks(t *testing.T) {
	t.Parallel()
	first, second := map[string][]byte{"a/model.onnx": noise(1, 1000)}, map[string][]byte{"b/model.onnx": noise(1, 1000)}
	s := startHub(t, map[string][]byte{"a/model.onnx": noise(1, 1000), "b/model.onnx": noise(1, 1000)})
	dir := t.TempDir()
	old := fetch(t, newClient(t, s.URL(), dir, func(o *hub.Options) { o.NoSymlinks = true }), pinned(s, first), first)
	c := newClient(t, s.URL(), dir)
	now := fetch(t, c, pinned(s, second), second)
	require.Zero(t, s.Bytes("b/model.onnx"))
	_, err := c.Cache().Remove(old)
	require.NoError(t, err)
	requireContent(t, now, second)
}
