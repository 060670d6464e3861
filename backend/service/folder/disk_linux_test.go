package folder_test

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/folder"
)

// TestFullDisk needs a user who may mount a small file system; a failing writer takes the same path without one.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=64k"); err != nil {
		t.Skipf("this user may not mount a file system: %v", err)
	}
	t.Cleanup(func() { require.NoError(t, unix.Unmount(dir, unix.MNT_DETACH)) })
	f, err := folder.Open(dir)
	require.NoError(t, err)
	write := func(bytes int) error {
		return f.Create(t.Context(), "a.mp3", func(w io.Writer) error {
			_, err := w.Write(make([]byte, bytes))
			return err
		})
	}
	require.ErrorIs(t, write(1<<20), service.ErrStoreBusy)
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, entries, "the half-written file is removed")
	require.NoError(t, write(1<<10))

	require.NoError(t, f.Ready(t.Context()))
	filler, err := os.Create(filepath.Join(dir, "filler"))
	require.NoError(t, err)
	for err == nil {
		_, err = filler.Write(make([]byte, 1<<10))
	}
	require.NoError(t, filler.Close())
	f.ForgetReady()
	require.ErrorIs(t, f.Ready(t.Context()), service.ErrStoreBusy)
	require.NoError(t, os.Remove(filler.Name()))
	require.NoError(t, f.Ready(t.Context()))
	require.Equal(t, []string{"a.mp3"}, names(t, f))
	require.NoError(t, unix.Mount("", dir, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""))
	f.ForgetReady()
	require.ErrorIs(t, f.Ready(t.Context()), syscall.EROFS)
}
