package audio

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLongWAVFile: a file of more than 4 GiB says that its length is unknown, as the size of a header has 32 bits.
func TestLongWAVFile(t *testing.T) {
	for _, long := range []bool{false, true} {
		f, err := os.Create(filepath.Join(t.TempDir(), "a.wav"))
		require.NoError(t, err)
		w, err := NewWAVWriter(f, 16000, 1)
		require.NoError(t, err)
		if long {
			w.AllowLong()
		}
		w.bytes = maxWAVBytes - 2 // as if it had written that much
		err = w.Write([]float32{0.5, 0.25})
		if !long {
			require.ErrorIs(t, err, ErrTooLong)
			continue
		}
		require.NoError(t, err)
		require.NoError(t, w.Close())
		require.EqualValues(t, maxWAVBytes/2+1, w.Frames())
		b, err := readWAVFile(t.Context(), f.Name(), false)
		require.NoError(t, err)
		require.Equal(t, []float32{0.5, 0.25}, b.Samples)
		require.NoError(t, f.Close())
	}
}
