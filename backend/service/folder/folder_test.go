package folder_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
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
	require.Equal(t, []string{"a.mp3"}, names(t, f))
}

// names returns the names of the files in a folder.
func names(t *testing.T, f *folder.Folder) (list []string) {
	t.Helper()
	for name, err := range f.Names(t.Context()) {
		require.NoError(t, err)
		list = append(list, name)
	}
	return list
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
	require.Empty(t, names(t, f))
}

func TestOpenRefusesAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	_, err := folder.Open(path)
	require.ErrorContains(t, err, path)
}

// TestFilesAreOnTheDisk: a file has its name only once its content is on the disk, and Create returns once the name is too.
func TestFilesAreOnTheDisk(t *testing.T) {
	dir := t.TempDir()
	f, err := folder.Open(dir)
	require.NoError(t, err)
	broken := errors.New("input/output error")
	var steps []string
	var fileFails, dirFails error
	f.SetSync(func(file *os.File) error {
		content, err := os.ReadFile(file.Name())
		require.NoError(t, err)
		require.Equal(t, "audio", string(content))
		require.NoFileExists(t, filepath.Join(dir, "a.mp3"))
		steps = append(steps, "content")
		return fileFails
	}, func(synced string) error {
		require.Equal(t, dir, synced)
		require.FileExists(t, filepath.Join(dir, "a.mp3"))
		steps = append(steps, "name")
		return dirFails
	})
	write := func() error {
		return f.Create(t.Context(), "a.mp3", func(w io.Writer) error {
			_, err := io.WriteString(w, "audio")
			return err
		})
	}
	fileFails = broken
	require.ErrorIs(t, write(), broken)
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, entries)
	fileFails, dirFails = nil, broken
	require.ErrorIs(t, write(), broken)
	require.NoError(t, f.Delete(t.Context(), "a.mp3"))
	dirFails = nil
	require.NoError(t, write())
	require.Equal(t, []string{"content", "content", "name", "content", "name"}, steps)
}

// TestManyReady: a check that nobody is asked to pay for writes nothing again and again, and still sees at once when the folder changes.
func TestManyReady(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "files")
	f, err := folder.Open(dir)
	require.NoError(t, err)
	require.NoError(t, f.Ready(t.Context()))
	changed := func() time.Time {
		info, err := os.Stat(dir)
		require.NoError(t, err)
		return info.ModTime()
	}
	before := changed()
	var all sync.WaitGroup
	for range 10 {
		all.Go(func() {
			for range 50 {
				assert.NoError(t, f.Ready(t.Context()))
			}
		})
	}
	all.Wait()
	require.Equal(t, before, changed())
	past := time.Unix(1_700_000_000, 0)
	require.NoError(t, os.Chtimes(dir, past, past))
	require.NoError(t, f.Ready(t.Context()))
	require.False(t, changed().Equal(past), "what changed is checked again")
	require.NoError(t, os.RemoveAll(dir))
	require.ErrorIs(t, f.Ready(t.Context()), fs.ErrNotExist)
	require.NoError(t, os.Mkdir(dir, 0o700))
	require.NoError(t, f.Ready(t.Context()))
}

// TestReady looks whether files can be written now, and leaves nothing behind.
func TestReady(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "files")
	f, err := folder.Open(dir)
	require.NoError(t, err)
	ready := func() error {
		err := f.Ready(t.Context())
		entries, _ := os.ReadDir(dir)
		require.Empty(t, entries)
		return err
	}
	require.NoError(t, ready())
	require.NoError(t, os.Remove(dir))
	require.ErrorIs(t, ready(), fs.ErrNotExist)
	require.NoDirExists(t, dir)
	require.NoError(t, os.WriteFile(dir, nil, 0o600))
	require.Error(t, f.Ready(t.Context()), "a file in the place of the folder")
	require.NoError(t, os.Remove(dir))
	require.NoError(t, os.Mkdir(dir, 0o500))
	if os.Getuid() != 0 && runtime.GOOS != "windows" { // whom permissions bind
		require.ErrorIs(t, ready(), fs.ErrPermission)
	}
	require.NoError(t, os.Chmod(dir, 0o700))
	require.NoError(t, ready())
}
