// Package whispertest has small Whisper models for tests. They are complete files of the real format whose weights were made by
// hand, so that they answer known texts: plain, plain-q5_1, long, german, english-only.en, large-v3-turbo, and tones, which
// answers by what it hears.
package whispertest

import (
	"bytes"
	"compress/gzip"
	"embed"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

//go:embed testdata/*.bin.gz
var packed embed.FS

// Names returns the names of all models.
func Names(t testing.TB) []string {
	t.Helper()
	entries, err := packed.ReadDir("testdata")
	require.NoError(t, err)
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = strings.TrimSuffix(strings.TrimPrefix(e.Name(), "ggml-"), ".bin.gz")
	}
	return names
}

// Bytes returns the file of a model.
func Bytes(t testing.TB, name string) []byte {
	t.Helper()
	raw, err := packed.ReadFile("testdata/ggml-" + name + ".bin.gz")
	require.NoError(t, err)
	unpacked, err := gzip.NewReader(bytes.NewReader(raw))
	require.NoError(t, err)
	file, err := io.ReadAll(unpacked)
	require.NoError(t, err)
	return file
}

// Path returns the path of a model, ggml-NAME.bin in a folder of its own, until the test ends.
func Path(t testing.TB, name string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ggml-"+name+".bin")
	require.NoError(t, os.WriteFile(path, Bytes(t, name), 0o600))
	return path
}
