package files_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/files"
)

// listing returns what a folder holds: the content by file name, "folder" for a folder.
func listing(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	out := map[string]string{}
	for _, e := range entries {
		if e.IsDir() {
			out[e.Name()] = "folder"
			continue
		}
		raw, err := os.ReadFile(filepath.Join(dir, e.Name()))
		require.NoError(t, err)
		out[e.Name()] = string(raw)
	}
	return out
}

func TestReplace(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, strings.Repeat("n", 255)) // the longest name that most file systems have
	for _, content := range []string{"first", "", "second"} {
		require.NoError(t, files.Write(path, []byte(content), 0o644))
		require.Equal(t, map[string]string{filepath.Base(path): content}, listing(t, dir))
	}
}

// TestReplaceFails lets each step fail: the former file stays as it was, and nothing else is left.
func TestReplaceFails(t *testing.T) {
	full := errors.New("no space left")
	for name, write := range map[string]func(f *os.File) error{
		"before the first byte": func(*os.File) error { return full },
		"in the middle": func(f *os.File) error {
			_, _ = f.WriteString("ha")
			return full
		},
		"the file cannot be closed": func(f *os.File) error { return f.Close() },
		"the temporary file is gone": func(f *os.File) error {
			_ = f.Close()
			_ = os.Remove(f.Name())
			return full
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "a.json")
			require.NoError(t, os.WriteFile(path, []byte("former"), 0o600))
			require.Error(t, files.Replace(path, 0o600, write))
			require.Equal(t, map[string]string{"a.json": "former"}, listing(t, dir))
		})
	}
	t.Run("the name is that of a folder", func(t *testing.T) {
		dir := t.TempDir()
		path := filepath.Join(dir, "a.json")
		require.NoError(t, os.MkdirAll(filepath.Join(path, "inside"), 0o700))
		require.Error(t, files.Write(path, []byte("new"), 0o600))
		require.Equal(t, map[string]string{"a.json": "folder"}, listing(t, dir))
	})
	t.Run("the folder is missing", func(t *testing.T) {
		dir := t.TempDir()
		require.ErrorIs(t, files.Write(filepath.Join(dir, "none", "a.json"), nil, 0o600), fs.ErrNotExist)
		require.Empty(t, listing(t, dir))
	})
	t.Run("a panic", func(t *testing.T) {
		dir := t.TempDir()
		path := filepath.Join(dir, "a.json")
		require.NoError(t, os.WriteFile(path, []byte("former"), 0o600))
		require.Panics(t, func() { _ = files.Replace(path, 0o600, func(*os.File) error { panic("bug") }) })
		require.Equal(t, map[string]string{"a.json": "former"}, listing(t, dir))
	})
}

func TestReplaceFrom(t *testing.T) {
	dir, spool := t.TempDir(), t.TempDir()
	path := filepath.Join(dir, "a.wav")
	err := files.ReplaceFrom(spool, path, 0o600, func(f *os.File) error {
		require.Equal(t, spool, filepath.Dir(f.Name()))
		require.Empty(t, listing(t, dir), "the folder has no unfinished file")
		_, err := f.WriteString("audio")
		return err
	})
	require.NoError(t, err)
	require.Equal(t, map[string]string{"a.wav": "audio"}, listing(t, dir))
	require.Empty(t, listing(t, spool))
}

func TestPlace(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.mp3")
	write := func(content string, err error) func(temp string) error {
		return func(temp string) error {
			require.Equal(t, dir, filepath.Dir(temp))
			return errors.Join(os.WriteFile(temp, []byte(content), 0o600), err)
		}
	}
	require.NoError(t, files.Place(path, write("first", nil)))
	require.ErrorContains(t, files.Place(path, write("second", errors.New("stopped"))), "stopped")
	require.Error(t, files.Place(path, func(string) error { return nil }), "nothing was made")
	require.Equal(t, map[string]string{"a.mp3": "first"}, listing(t, dir))

	require.NoError(t, files.Place(path, func(temp string) error { return os.Symlink("nowhere", temp) }))
	target, err := os.Readlink(path)
	require.NoError(t, err)
	require.Equal(t, "nowhere", target)
	require.NoError(t, files.Write(path, []byte("third"), 0o600))
	require.Equal(t, map[string]string{"a.mp3": "third"}, listing(t, dir), "a link is replaced, not followed")
}

func TestMove(t *testing.T) {
	dir := t.TempDir()
	temp, path := filepath.Join(dir, "temp"), filepath.Join(dir, "a.wav")
	require.NoError(t, os.WriteFile(temp, []byte("audio"), 0o400))
	require.NoError(t, files.Move(temp, path))
	require.Equal(t, map[string]string{"a.wav": "audio"}, listing(t, dir))

	require.ErrorIs(t, files.Move(temp, path), fs.ErrNotExist)
	require.NoError(t, os.WriteFile(temp, []byte("other"), 0o600))
	require.Error(t, files.Move(temp, filepath.Join(dir, "none", "a.wav")))
	require.Equal(t, map[string]string{"a.wav": "audio", "temp": "other"}, listing(t, dir))
}

// TestSweep removes what killed processes left, and nothing that a running one may still write.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	var temp string
	err := files.Place(filepath.Join(dir, "a.json"), func(name string) error {
		temp = name
		return os.WriteFile(name, []byte("{}"), 0o600)
	})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(temp, []byte("half"), 0o600)) // as a killed process leaves it
	files.Sweep(dir, time.Now())
	require.Equal(t, map[string]string{"a.json": "{}", filepath.Base(temp): "half"}, listing(t, dir))
	files.Sweep(dir, time.Now().Add(48*time.Hour))
	require.Equal(t, map[string]string{"a.json": "{}"}, listing(t, dir))
	require.NoError(t, os.WriteFile(temp, []byte("half"), 0o600))
	files.SweepOwned(dir)
	require.Equal(t, map[string]string{"a.json": "{}"}, listing(t, dir))
	files.Sweep(filepath.Join(dir, "none"), time.Now())
}

// TestMode is that of the caller, whatever the former file had.
func TestMode(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // it has no modes
	}
	path := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(path, nil, 0o666))
	for _, mode := range []fs.FileMode{0o600, 0o400, 0o644} {
		require.NoError(t, files.Write(path, []byte("x"), mode))
		info, err := os.Stat(path)
		require.NoError(t, err)
		require.Equal(t, mode, info.Mode().Perm())
	}
}
