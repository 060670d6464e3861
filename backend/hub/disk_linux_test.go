package hub_test

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/hub"
)

// mount mounts a small disk and returns its folder.
func mount(t *testing.T, options string) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, options); err != nil {
		t.Skipf("only root may mount: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) })
	return dir
}

func TestDiskFullInTheMiddle(t *testing.T) {
	t.Parallel()
	files := map[string][]byte{"model.onnx": noise(1, 1_500_000)}
	s := startHub(t, files)
	dir := mount(t, "size=1m")
	c := newClient(t, s.URL(), dir, func(o *hub.Options) {
		o.Free = func(context.Context, string) uint64 { return 1 << 40 } // another program takes the space meanwhile
	})
	e := failsWith(t, c, pinned(s, files), backend.CodeInsufficientDisk)
	require.Positive(t, e.Params["needed"])
	there := c.Cache().Partial(pinned(s, files))
	require.Positive(t, there, "the downloaded part stays")

	require.NoError(t, syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT, "size=8m"))
	fetch(t, c, pinned(s, files), files)
	asked := s.Requests("model.onnx")
	require.Equal(t, 1_500_000-there, asked[len(asked)-1].Bytes, "only the missing part is downloaded")
}

func TestDirectoryReadOnly(t *testing.T) {
	t.Parallel()
	files := map[string][]byte{"model.onnx": noise(1, 1000)}
	s := startHub(t, files)
	dir := filepath.Join(t.TempDir(), "models")
	require.NoError(t, os.Mkdir(dir, 0o555))
	if os.Geteuid() == 0 { // root may write into it all the same
		dir = mount(t, "size=1m")
		require.NoError(t, syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, "size=1m"))
	}
	failsWith(t, newClient(t, s.URL(), dir), pinned(s, files), backend.CodeNotPermitted)
}
