package files_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend/files"
)

// TestRealPath resolves links as far as a path exists, and keeps what is behind.
func TestRealPath(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "real", "inner"), 0o700))
	require.NoError(t, os.Symlink(filepath.Join(dir, "real"), filepath.Join(dir, "link")))
	require.NoError(t, os.Symlink(filepath.Join(dir, "nowhere"), filepath.Join(dir, "broken")))
	root := filepath.VolumeName(dir) + string(filepath.Separator)
	for path, want := range map[string]string{
		dir:                                 dir,
		filepath.Join(dir, "link"):          filepath.Join(dir, "real"),
		filepath.Join(dir, "link", "inner"): filepath.Join(dir, "real", "inner"),
		filepath.Join(dir, "link", "inner") + string(filepath.Separator): filepath.Join(dir, "real", "inner"),
		filepath.Join(dir, "link", "new", "er"):                          filepath.Join(dir, "real", "new", "er"),
		filepath.Join(dir, "broken", "new"):                              filepath.Join(dir, "broken", "new"),
		filepath.Join(dir, "a\x00b", "new"):                              filepath.Join(dir, "a\x00b", "new"),
		root:                                                             root,
		filepath.Join(root, "no such", "place"):                          filepath.Join(root, "no such", "place"),
		"no such/place":                                                  filepath.Join("no such", "place"),
		".":                                                              ".",
	} {
		require.Equal(t, want, files.RealPath(path), path)
	}
	far := filepath.Join(root, "no such", strings.Repeat("a/", 1_000_000))
	require.Equal(t, far, files.RealPath(far), "as quick as a short one")
}

func TestPathTooLong(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]bool{
		"": false, "/": false, "/" + strings.Repeat("a/", 2_000): false, "/" + strings.Repeat("a/", 2_048): true,
		"/" + strings.Repeat("é", 255) + "/models": false, "/" + strings.Repeat("é", 256) + "/models": true,
		"/models/" + strings.Repeat("a", 256): true,
	} {
		require.Equal(t, want, files.PathTooLong(path), path)
	}
}
