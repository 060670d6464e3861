package files

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRemoveAll removes by both ways, and leaves what links point to.
func TestRemoveAll(t *testing.T) {
	t.Parallel()
	for name, remove := range map[string]func(string) error{"by handle": RemoveAll, "by name": removeByName} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			kept := filepath.Join(dir, "kept")
			require.NoError(t, os.Mkdir(kept, 0o700))
			require.NoError(t, os.WriteFile(filepath.Join(kept, "a"), []byte("a"), 0o600))
			doomed := filepath.Join(dir, "doomed")
			require.NoError(t, os.MkdirAll(filepath.Join(doomed, "deep", "er"), 0o700))
			require.NoError(t, os.WriteFile(filepath.Join(doomed, "deep", "b"), []byte("b"), 0o400))
			require.NoError(t, os.Symlink(kept, filepath.Join(doomed, "deep", "link")))
			require.NoError(t, os.Symlink(filepath.Join(dir, "nowhere"), filepath.Join(doomed, "broken")))

			require.NoError(t, remove(filepath.Join(kept, "none")))
			require.NoError(t, remove(doomed))
			require.NoDirExists(t, doomed)
			require.NoError(t, remove(doomed))
			require.FileExists(t, filepath.Join(kept, "a"))
			require.NoError(t, remove(filepath.Join(kept, "a")))
			require.NoFileExists(t, filepath.Join(kept, "a"))
		})
	}
}
