package sqlite_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/sqlite"
)

// disk mounts a small file system of its own; TestFullFile and TestOpenWithoutAFolder cover the same errors where
// that is not permitted.
func disk(t *testing.T, size string) string {
	t.Helper()
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("this user may not mount a file system: %v", err)
	}
	t.Cleanup(func() { require.NoError(t, unix.Unmount(dir, unix.MNT_DETACH)) })
	return dir
}

func TestFullDisk(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	path := filepath.Join(disk(t, "1m"), "voicewright.db")
	db, err := sqlite.Open(ctx, sqlite.Options{Path: path})
	require.NoError(t, err)
	stored := 0
	for range 100 {
		if _, err = db.CreateGeneration(ctx, backend.Generation{Text: strings.Repeat("much text ", 5000)}); err != nil {
			break
		}
		stored++
	}
	requireError(t, err, backend.CodeInsufficientDisk, path)
	list, err := db.Generations(ctx, backend.GenerationFilter{})
	require.NoError(t, err)
	require.Equal(t, stored, list.Total)
	requireError(t, db.BackupTo(ctx, path+".copy"), backend.CodeInsufficientDisk, path)
	require.NoFileExists(t, path+".copy")
	require.NoFileExists(t, path+".copy.part")
	requireError(t, db.Close(), backend.CodeInsufficientDisk, path)

	require.NoError(t, unix.Mount("", filepath.Dir(path), "", unix.MS_REMOUNT, "size=8m"))
	list, err = openAt(t, path).Generations(ctx, backend.GenerationFilter{})
	require.NoError(t, err)
	require.Equal(t, stored, list.Total, "nothing is lost once there is room")
}

func TestDiskTooSmallForANewLibrary(t *testing.T) {
	t.Parallel()
	path := filepath.Join(disk(t, "16k"), "voicewright.db")
	_, err := sqlite.Open(context.Background(), sqlite.Options{Path: path})
	requireError(t, err, backend.CodeInsufficientDisk, path)
}

func TestReadOnlyDisk(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	dir := disk(t, "4m")
	path := filepath.Join(dir, "voicewright.db")
	db, err := sqlite.Open(ctx, sqlite.Options{Path: path})
	require.NoError(t, err)
	require.NoError(t, db.Close())
	require.NoError(t, unix.Mount("", dir, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""))
	_, err = sqlite.Open(ctx, sqlite.Options{Path: path})
	requireError(t, err, backend.CodeNotPermitted, path)
	_, err = sqlite.Open(ctx, sqlite.Options{Path: filepath.Join(dir, "new.db")})
	requireError(t, err, backend.CodeNotPermitted, filepath.Join(dir, "new.db"))
}
