package models_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/voicewright/voicewright/backend"
)

// mounted mounts a small file system on the models directory.
func mounted(l *fixture, flags uintptr, size string) {
	l.t.Helper()
	require.NoError(l.t, os.Mkdir(l.dir, 0o700))
	if err := unix.Mount("tmpfs", l.dir, "tmpfs", flags, "size="+size); err != nil {
		l.t.Skipf("this user may not mount a file system: %v", err)
	}
	l.t.Cleanup(func() { require.NoError(l.t, unix.Unmount(l.dir, unix.MNT_DETACH)) })
}

func TestImportOntoAFullDisk(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) { mounted(l, 0, "64k") })
	_, err := l.manager.Import(t.Context(), l.folder("big", strings.Repeat("voice ", 20_000)), "", "")
	requireCode(t, backend.CodeInsufficientDisk, err)
	require.Empty(t, l.files())
	l.imported("small", "x")
}

func TestImportOntoAReadOnlyDisk(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) { mounted(l, unix.MS_RDONLY, "64k") })
	_, err := l.manager.Import(t.Context(), l.folder("a", "x"), "", "")
	requireCode(t, backend.CodeNotPermitted, err)
	require.Empty(t, l.files())
}

// disk mounts a small file system and returns its folder.
func disk(t *testing.T, size string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "disk")
	require.NoError(t, os.Mkdir(dir, 0o700))
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("this user may not mount a file system: %v", err)
	}
	t.Cleanup(func() { require.NoError(t, unix.Unmount(dir, unix.MNT_DETACH)) })
	return dir
}

func TestMoveDirectoryToAnotherDisk(t *testing.T) {
	t.Parallel()
	for name, below := range map[string]string{"a folder of it": "models", "its top folder": ""} {
		t.Run(name, func(t *testing.T) {
			to := filepath.Join(disk(t, "16m"), below)
			l := populated(t)
			from := l.dir
			require.NoError(t, l.manager.MoveDirectory(t.Context(), to, keepNothing, keepNothing))
			require.NoDirExists(t, from)
			requireMoved(t, l, to)
			require.NoError(t, l.manager.MoveDirectory(t.Context(), from, keepNothing, keepNothing), "and back")
			l.dir = from
			l.acquire("beta").Release()
			left, err := os.ReadDir(filepath.Dir(filepath.Join(to, "x")))
			require.True(t, err != nil || len(left) == 0)
		})
	}
}

func TestMoveDirectoryToAnotherDiskThatIsUndone(t *testing.T) {
	t.Parallel()
	l := populated(t)
	before := l.files()
	to := disk(t, "16m")
	err := l.manager.MoveDirectory(t.Context(), to, keepNothing, func(string) error { return errors.New("not kept") })
	require.ErrorContains(t, err, "not kept")
	require.Equal(t, before, l.files(), "every file is in the old directory")
	requireEmpty(t, to)

	requireMoved(t, l, l.dir)
}

// TestMoveDirectoryThatCannotStart fails before it unloads any model.
func TestMoveDirectoryThatCannotStart(t *testing.T) {
	t.Parallel()
	l := populated(t)
	before := l.files()
	small := disk(t, "64k")
	e := failure(t, backend.CodeInsufficientDisk, l.manager.MoveDirectory(t.Context(), filepath.Join(small, "deep", "models"), keepNothing, keepNothing))
	require.Greater(t, e.Params["needed"], int64(size))
	require.Less(t, e.Params["free"], uint64(70_000))
	requireEmpty(t, small)

	locked := disk(t, "64k")
	require.NoError(t, unix.Mount("", locked, "tmpfs", unix.MS_REMOUNT|unix.MS_RDONLY, ""))
	for _, to := range []string{locked, filepath.Join(locked, "models")} {
		requireCode(t, backend.CodeNotPermitted, l.manager.MoveDirectory(t.Context(), to, keepNothing, keepNothing))
	}
	requireInvalid(t, "path_not_creatable", "path", l.manager.MoveDirectory(t.Context(), "/proc/nowhere", keepNothing, keepNothing))

	require.True(t, l.get("alpha").Loaded, "no model is unloaded")
	require.Equal(t, before, l.files())
	requireMoved(t, l, l.dir)
}

func requireEmpty(t *testing.T, dir string) {
	t.Helper()
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestDownloadOntoAFullDisk(t *testing.T) {
	t.Parallel()
	l := newFixture(t, func(l *fixture) {
		l.known("alpha", "anna")
		mounted(l, 0, "64k")
	})
	_, err := l.manager.Download(t.Context(), "alpha", false)
	e := failure(t, backend.CodeInsufficientDisk, err)
	require.EqualValues(t, size+15, e.Params["needed"])
	require.Less(t, e.Params["free"], uint64(70_000))
	require.Empty(t, l.reports("alpha"))
}

func TestMoveDirectoryWithoutSymbolicLinks(t *testing.T) {
	t.Parallel()
	to := filepath.Join(disk(t, "16m"), "models")
	l := populated(t)
	l.hub.NoSymlinks = true
	l.start()
	require.NoError(t, l.manager.MoveDirectory(t.Context(), to, keepNothing, keepNothing))
	require.NoError(t, filepath.WalkDir(to, func(path string, d os.DirEntry, err error) error {
		require.Zero(t, d.Type()&os.ModeSymlink, path)
		return err
	}))
	requireMoved(t, l, to)
}
