package covers_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/books/covers"
)

// TestSweep starts the program after kills: between the file and the book, and between the book and the former file.
func TestSweep(t *testing.T) {
	t.Parallel()
	c := covers.Covers{Dir: filepath.Join(t.TempDir(), "books"), Log: slog.New(slog.NewTextHandler(t.Output(), nil))}
	c.Sweep(nil)
	n, bytes, err := c.Use()
	require.NoError(t, err)
	require.Zero(t, n+int(bytes), "no book ever had one")
	first, second := []byte("\xFF\xD8\xFFone"), []byte("\xFF\xD8\xFFtwo")
	require.NotEqual(t, covers.Name(first), covers.Name(second))
	for _, book := range []string{"kept", "deleted", "without"} {
		require.NoError(t, c.Write(book, covers.Name(first), first))
		require.NoError(t, c.Write(book, covers.Name(second), second))
	}
	c.Sweep(map[string]string{"kept": covers.Name(second)})
	n, bytes, err = c.Use()
	require.NoError(t, err)
	require.Equal(t, []int{1, len(second)}, []int{n, int(bytes)})
	found, err := filepath.Glob(filepath.Join(c.Dir, "*", "*"))
	require.NoError(t, err)
	require.Equal(t, []string{c.Path("kept", covers.Name(second))}, found)
	data, err := os.ReadFile(found[0])
	require.NoError(t, err)
	require.Equal(t, second, data)
	c.Keep("kept", "")
	require.NoDirExists(t, filepath.Dir(found[0]))
}
