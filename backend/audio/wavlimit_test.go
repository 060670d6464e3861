package audio

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

// In package audio, so that the test does not have to write 4 GiB.
func TestWAVWriterStopsAt4GiB(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "a.wav"))
	require.NoError(t, err)
	defer func() { _ = f.Close() }()
	w, err := NewWAVWriter(f, 24000, 1)
	require.NoError(t, err)
	w.bytes = maxWAVBytes - 5
	require.NoError(t, w.Write([]float32{0, 0}))
	err = w.Write([]float32{0})
	require.ErrorIs(t, err, ErrTooLong)
	require.Equal(t, backend.CodeUnsupportedMedia, backend.CodeOf(err))
	require.NoError(t, w.Write(nil))
}
