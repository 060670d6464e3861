package enginetest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/audio"
)

// ClipFile returns the path of a recording of speech in the source tree, such as jfk.wav.
func ClipFile(t testing.TB, name string) string {
	t.Helper()
	for _, dir := range []string{"backend/audio/testdata/speech", "engines/vad/testdata/librivox"} {
		path := filepath.Join(Root(t), filepath.FromSlash(dir), name)
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	t.Fatalf("there is no clip %s", name)
	return ""
}

// Clip returns the audio of a recording of speech in the source tree.
func Clip(t testing.TB, name string) audio.Buffer {
	t.Helper()
	f, err := os.Open(ClipFile(t, name))
	require.NoError(t, err)
	defer func() { _ = f.Close() }()
	b, err := audio.ReadWAV(f)
	require.NoError(t, err)
	return b
}
