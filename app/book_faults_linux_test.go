package app_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// TestFullDiskInABook has room for the first six chapters: the others say so, and are made when there is room again.
func TestFullDiskInABook(t *testing.T) {
	u := newUser(t)
	u.mountDataDir(0, "150m")
	s := u.serve()
	path := s.makeBook(killedText(8))
	var first []string
	for _, ch := range bookChapters(s.must("GET", path, "", ""))[:6] {
		first = append(first, strconv.Quote(ch["id"].(string)))
	}
	before := s.generateBook(path, `{"chapters":[`+strings.Join(first, ",")+`]}`)
	require.Equal(t, "done done done done done done new new", bookStates(before))

	fill := filepath.Join(u.data, "fill")
	fillDiskBut(t, fill, 300<<10)
	s.must("POST", path+"/generate", "{}", "")
	var b object
	require.Eventually(t, func() bool { // that of the last one waits where the library has no room for it either
		b = s.must("GET", path, "", "")
		return bookChapters(b)[6]["state"] == "failed"
	}, testTimeout, 20*time.Millisecond)
	require.Regexp(t, "^done done done done done done failed (failed|new|partial)$", bookStates(b))
	failure := bookChapters(b)[6]["error"].(object)
	require.Equal(t, "insufficient_disk", failure["code"], failure)
	require.NotEmpty(t, failure["remedy"])
	for i, ch := range bookChapters(b)[:6] {
		require.Equal(t, bookChapters(before)[i]["generations"], ch["generations"])
		status, _ := s.request("GET", "/audio/"+ch["generations"].([]any)[0].(string), "")
		require.Equal(t, http.StatusOK, status)
	}
	require.NoError(t, os.Remove(fill))
	b = s.generateBook(path, "{}")
	require.Equal(t, "done done done done done done done done", bookStates(b))

	fillDiskBut(t, fill, 100<<10)
	status, problem := s.refused("GET", path+"/export")
	require.Equal(t, []any{http.StatusInsufficientStorage, "insufficient_disk"}, []any{status, problem["code"]})
	require.Empty(t, u.unfinished())
	require.NoError(t, os.Remove(fill))
	status, _ = s.request("GET", path+"/export", "")
	require.Equal(t, http.StatusOK, status)
	require.Empty(t, u.unfinished())
}

// fillDiskBut writes a file that leaves so many bytes.
func fillDiskBut(t *testing.T, path string, left int64) {
	t.Helper()
	var disk unix.Statfs_t
	require.NoError(t, unix.Statfs(filepath.Dir(path), &disk))
	bytes := int64(disk.Bavail)*disk.Bsize - left
	require.Positive(t, bytes)
	require.NoError(t, os.WriteFile(path, make([]byte, bytes), 0o600))
}
