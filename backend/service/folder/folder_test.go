package folder_test

import (
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/service"
	"github.com/voicewright/voicewright/backend/service/folder"
	"github.com/voicewright/voicewright/backend/service/storetest"
)

func TestFiles(t *testing.T) {
	storetest.RunFiles(t, func(t *testing.T) service.Files {
		f, err := folder.Open(filepath.Join(t.TempDir(), "new", "files"))
		require.NoError(t, err)
		return f
	})
}

func TestFilesArePrivate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "files")
	f, err := folder.Open(dir)
	require.NoError(t, err)
	require.NoError(t, f.Create(t.Context(), "a.mp3", func(io.Writer) error { return nil }))
	for path, mode := range map[string]os.FileMode{dir: 0o700 | os.ModeDir, filepath.Join(dir, "a.mp3"): 0o600} {
		info, err := os.Stat(path)
		require.NoError(t, err)
		require.Equal(t, mode, info.Mode())
	}
}

// TestOpenRemovesHalfWrittenFiles finds what a killed process left; another process may be writing the newer one.
func TestOpenRemovesHalfWrittenFiles(t *testing.T) {
	dir := t.TempDir()
	old, current, stored := filepath.Join(dir, ".part-old"), filepath.Join(dir, ".part-new"), filepath.Join(dir, "a.mp3")
	for _, path := range []string{old, current, stored} {
		require.NoError(t, os.WriteFile(path, []byte("x"), 0o600))
	}
	past := time.Now().Add(-2 * time.Hour)
	require.NoError(t, os.Chtimes(old, past, past))
	require.NoError(t, os.Chtimes(stored, past, past))
	f, err := folder.Open(dir)
	require.NoError(t, err)
	require.NoFileExists(t, old)
	require.FileExists(t, current)
	names, err := f.Names(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{"a.mp3"}, names)
}

// TestLinksAndFoldersAreNoFiles does not follow what somebody else put into the folder.
func TestLinksAndFoldersAreNoFiles(t *testing.T) {
	dir := t.TempDir()
	secret := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(secret, []byte("x"), 0o600))
	require.NoError(t, os.Symlink(secret, filepath.Join(dir, "link.mp3")))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "folder.mp3"), 0o700))
	f, err := folder.Open(dir)
	require.NoError(t, err)
	for _, name := range []string{"link.mp3", "folder.mp3"} {
		_, _, err := f.Open(t.Context(), name)
		require.ErrorIs(t, err, service.ErrNotFound, name)
	}
	names, err := f.Names(t.Context())
	require.NoError(t, err)
	require.Empty(t, names)
}

func TestOpenRefusesAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	_, err := folder.Open(path)
	require.ErrorContains(t, err, path)
}
