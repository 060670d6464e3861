package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

func TestBelow(t *testing.T) {
	root := t.TempDir()
	data, models := filepath.Join(root, "data"), filepath.Join(root, "models")
	for _, name := range []string{"data/audio/a.wav", "models/m.onnx", "data-of-others/x", "outside"} {
		path := filepath.Join(root, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, nil, 0o600))
	}
	require.NoError(t, os.Symlink(filepath.Join(root, "outside"), filepath.Join(data, "link")))
	for _, name := range []string{"data/audio/a.wav", "models/m.onnx", "data", "data/../models/m.onnx"} {
		got, err := below(root+"/"+name, data, models, filepath.Join(root, "missing"))
		require.NoError(t, err, name)
		require.FileExists(t, filepath.Join(root, "outside"))
		require.True(t, strings.HasPrefix(got, filepath.Clean(filepath.Dir(data))), name)
	}
	for _, path := range []string{
		"", "data/audio/a.wav", "/etc/passwd", root, root + "/outside", root + "/data/../outside", root + "/data/link",
		root + "/data-of-others/x", root + "/data/missing", root + "/data/\x00",
	} {
		_, err := below(path, data, models)
		require.Equal(t, backend.CodeNotFound, backend.CodeOf(err), path)
	}
}

func TestRevealers(t *testing.T) {
	linux := revealers("linux", "/home/me/a b,c%.wav")
	require.Equal(t, "array:string:file:///home/me/a%20b%2Cc%25.wav", linux[0][len(linux[0])-2])
	require.Equal(t, []string{"xdg-open", "/home/me"}, linux[1])
	require.Equal(t, [][]string{{"open", "-R", "/a.wav"}}, revealers("darwin", "/a.wav"))
	require.Equal(t, [][]string{{"explorer", `/select,C:\a.wav`}}, revealers("windows", `C:\a.wav`))
	t.Setenv("PATH", t.TempDir())
	require.Equal(t, backend.CodeNotPermitted, backend.CodeOf(reveal(t.Context(), "linux", "/a.wav")))
}

func TestExportNames(t *testing.T) {
	for title, want := range map[string]string{
		"": "speech.wav", "Chapter 1": "Chapter 1.wav", `a/b\c:d*e?"<>|`: "a b c d e.wav", "..": "speech.wav",
		"../../x": "x.wav", "line\nbreak\x00": "line break.wav", strings.Repeat("ä", 80): strings.Repeat("ä", 60) + ".wav",
	} {
		require.Equal(t, want, exportName(title, "wav"), title)
	}
	for path, want := range map[string][]string{
		"/a/b.wav": {"/a/b.wav", "wav"}, "/a/b.MP3": {"/a/b.MP3", "mp3"}, "/a/b": {"/a/b.flac", "flac"},
		"/a/Dr. No": {"/a/Dr. No.flac", "flac"}, "/a/b.exe": {"/a/b.exe.flac", "flac"}, "/a/b.": {"/a/b..flac", "flac"},
	} {
		target, format := exportTarget(path, "flac")
		require.Equal(t, want, []string{target, format}, path)
	}
}

func TestReadChosen(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.txt")
	require.NoError(t, os.WriteFile(path, []byte("Hello"), 0o600))
	raw, err := readChosen(path, 5)
	require.NoError(t, err)
	require.Equal(t, "Hello", string(raw))
	_, err = readChosen(path, 4)
	require.Equal(t, backend.CodeBodyTooLarge, backend.CodeOf(err))
	_, err = readChosen(dir, 4)
	require.Equal(t, backend.CodeUnsupportedMedia, backend.CodeOf(err))
	_, err = readChosen(filepath.Join(dir, "missing"), 4)
	require.Error(t, err)
	require.Equal(t, backend.CodeInternal, shownError(err).Code)
	require.NotContains(t, shownError(err).Detail, dir)
}
