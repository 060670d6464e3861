//go:build unix

package hub_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

// TestVerifyOfAPipe: a pipe instead of a file is corrupt, and Verify does not wait for it.
func TestVerifyOfAPipe(t *testing.T) {
	t.Parallel()
	files := voice()
	s := startHub(t, files)
	c := newClient(t, s.URL(), t.TempDir())
	snapshot := fetch(t, c, pinned(s, files), files)
	name := snapshot.Path("onnx/model.onnx")
	require.NoError(t, os.Remove(name))
	require.NoError(t, syscall.Mkfifo(name, 0o600))
	verified := make(chan error, 1)
	go func() { verified <- c.Cache().Verify(t.Context(), snapshot, nil) }()
	var err error
	select {
	case err = <-verified:
	case <-time.After(time.Minute):
		w, openErr := os.OpenFile(name, os.O_WRONLY, 0) // unblocks the reader, so that the test ends
		require.NoError(t, openErr)
		require.NoError(t, w.Close())
		require.Error(t, <-verified)
		t.Fatal("the pipe is read")
	}
	require.Equal(t, backend.CodeChecksumMismatch, backend.CodeOf(err))
	fetch(t, c, pinned(s, files), files)

	blob, err := filepath.EvalSymlinks(name)
	require.NoError(t, err)
	require.NoError(t, os.Remove(blob))
	require.NoError(t, syscall.Mkfifo(blob, 0o600))
	fetch(t, c, pinned(s, files), files)
}
