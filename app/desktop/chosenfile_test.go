package desktop

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

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

func TestUnused(t *testing.T) {
	dir := t.TempDir()
	for _, want := range []string{"a b.flac", "a b (2).flac", "a b (3).flac"} {
		path := unused(filepath.Join(dir, "a b.flac"))
		require.Equal(t, filepath.Join(dir, want), path)
		require.NoError(t, os.WriteFile(path, nil, 0o600))
	}
}
