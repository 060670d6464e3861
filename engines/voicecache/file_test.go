package voicecache_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/engines/voicecache"
)

// stored computes a value of the folder and returns the path and the content of its file.
func stored(t *testing.T, folder string) (string, []byte) {
	t.Helper()
	newModel("tiny", 1).rate(t, reference(folder, 8000))
	found, err := filepath.Glob(filepath.Join(folder, "*.voice"))
	require.NoError(t, err)
	require.Len(t, found, 1)
	raw, err := os.ReadFile(found[0])
	require.NoError(t, err)
	return found[0], raw
}

// computes reports whether a new model computes the value of the folder, and does not read it.
func computes(t *testing.T, folder string) bool {
	t.Helper()
	m := newModel("tiny", 1)
	require.Equal(t, 8000, m.rate(t, reference(folder, 8000)))
	return m.computed.Load() == 1
}

// TestDamagedFilesAreMadeAgain: cut off at each length, and changed in each byte.
func TestDamagedFilesAreMadeAgain(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path, raw := stored(t, folder)
	damage := func(content []byte) {
		t.Helper()
		require.NoError(t, os.WriteFile(path, content, 0o600))
		require.True(t, computes(t, folder))
		again, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, raw, again)
		require.False(t, computes(t, folder))
	}
	for n := range raw {
		damage(raw[:n])
		changed := bytes.Clone(raw)
		changed[n] ^= 0x40
		damage(changed)
	}
	damage(append(bytes.Clone(raw), 0))
	damage(bytes.Repeat([]byte{0xff}, 1000))
}

// TestForeignFilesAreReplaced: the file of another voice under this name, something that is no file, and a payload that its
// model no longer reads.
func TestForeignFilesAreReplaced(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path, _ := stored(t, folder)
	other := t.TempDir()
	newModel("other", 1).rate(t, reference(other, 8000))
	found, err := filepath.Glob(filepath.Join(other, "*.voice"))
	require.NoError(t, err)
	require.NoError(t, os.Rename(found[0], path))
	require.True(t, computes(t, folder))
	require.False(t, computes(t, folder))

	require.NoError(t, os.Remove(path))
	require.NoError(t, os.MkdirAll(filepath.Join(path, "inside"), 0o700))
	require.True(t, computes(t, folder), "a folder in its place")
	require.NoError(t, os.RemoveAll(path))

	stored(t, folder)
	m := &model{Cache: voicecache.New(voicecache.Options[int]{
		Name:   "tiny",
		Encode: func(int) ([]byte, error) { return nil, errors.New("no bytes") },
		Decode: func([]byte) (int, error) { return 0, errors.New("of an older version") },
	})}
	require.Equal(t, 8000, m.rate(t, reference(folder, 8000)))
	require.EqualValues(t, 1, m.computed.Load())
}

// TestFolders: a value is returned wherever its file cannot be written.
func TestFolders(t *testing.T) {
	t.Parallel()
	profile := t.TempDir()
	states := filepath.Join(profile, "states")
	require.True(t, computes(t, states), "the folder is made")
	old := time.Now().Add(-48 * time.Hour)
	path, _ := stored(t, states)
	require.NoError(t, os.Chtimes(path, time.Time{}, old))
	require.False(t, computes(t, states))
	used, err := os.Stat(path)
	require.NoError(t, err)
	require.True(t, used.ModTime().After(old.Add(time.Hour)), "the file says when it was used")
	info, err := os.Stat(states)
	require.NoError(t, err)
	require.EqualValues(t, 0o700, info.Mode().Perm())

	require.NoError(t, os.RemoveAll(profile))
	require.True(t, computes(t, states), "the profile was deleted")
	require.NoDirExists(t, profile)

	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	require.True(t, computes(t, file), "a file in the place of the folder")

	if os.Geteuid() == 0 {
		t.Log("the user root writes into every folder")
		return
	}
	locked := t.TempDir()
	path, _ = stored(t, locked)
	require.NoError(t, os.Chmod(path, 0))
	require.NoError(t, os.Chmod(locked, 0o500))
	t.Cleanup(func() { _ = os.Chmod(locked, 0o700) })
	require.True(t, computes(t, locked), "neither readable nor writable")
}

// BenchmarkMemory looks up a voice that was prepared.
func BenchmarkMemory(b *testing.B) {
	m, ref := newModel("tiny", 2), reference("", 8000)
	m.rate(b, ref)
	b.ReportAllocs()
	for b.Loop() {
		m.rate(b, ref)
	}
}
