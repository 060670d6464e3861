package enginetest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Library gives the folder or file of the ONNX Runtime library for tests: VOICEWRIGHT_ORT, else
// build/lib/onnxruntime of the source tree that the test runs in. It fails the test where there is none.
func Library(t testing.TB) string {
	t.Helper()
	if path := os.Getenv("VOICEWRIGHT_ORT"); path != "" {
		return path
	}
	path := filepath.Join(Root(t), "build", "lib", "onnxruntime")
	_, err := os.Stat(path)
	require.NoError(t, err, "The ONNX Runtime library is not there. Run the set-up (make setup), or set VOICEWRIGHT_ORT.")
	return path
}

// Root gives the top folder of the source tree that the test runs in, the one with go.mod.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	require.NoError(t, err)
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		require.NotEqual(t, dir, parent, "The test does not run inside the source tree.")
		dir = parent
	}
}

// Kit gives the folder with a parity kit: DIR/name where VOICEWRIGHT_PARITY=DIR is set (name such as "piper"),
// else own, the copy in the package's testdata.
func Kit(t testing.TB, name, own string) string {
	t.Helper()
	if dir := os.Getenv("VOICEWRIGHT_PARITY"); dir != "" {
		return filepath.Join(dir, name)
	}
	abs, err := filepath.Abs(own)
	require.NoError(t, err)
	return abs
}
