package enginetest

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Library returns the folder or file of the ONNX Runtime library for tests: VOICEWRIGHT_ORT, else build/lib/onnxruntime
// of the source tree that the test runs in. The test fails if there is none.
func Library(t testing.TB) string {
	t.Helper()
	if path := os.Getenv("VOICEWRIGHT_ORT"); path != "" {
		return path
	}
	path := filepath.Join(Root(t), "build", "lib", "onnxruntime")
	_, err := os.Stat(path)
	require.NoError(t, err, "The ONNX Runtime library was not found. Run make setup, or set VOICEWRIGHT_ORT.")
	return path
}

// Root returns the top folder of the source tree that the test runs in, the one with go.mod.
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

// parityKits is the environment variable in which Parity passes the folder of the kits to Kit.
const parityKits = "VOICEWRIGHT_PARITY_IN_USE"

// Parity makes a test and its subtests use the kits in the folder VOICEWRIGHT_PARITY, if it is set. Those kits may hold
// other cases, counts and weights than the copies in testdata, so only tests that loop over all cases call it; the
// others depend on the copies.
func Parity(t *testing.T) {
	t.Helper()
	if dir := os.Getenv("VOICEWRIGHT_PARITY"); dir != "" {
		t.Setenv(parityKits, dir)
	}
}

// Kit returns the folder of a parity kit: in a test that called Parity the one with this name (such as "piper") in
// VOICEWRIGHT_PARITY, else own, the copy in the package's testdata.
func Kit(t testing.TB, name, own string) string {
	t.Helper()
	if dir := os.Getenv(parityKits); dir != "" {
		return filepath.Join(dir, name)
	}
	abs, err := filepath.Abs(own)
	require.NoError(t, err)
	return abs
}

// Lines returns the objects of a file of JSON lines, at least one. If the file does not exist, it reads path.gz.
func Lines[T any](t testing.TB, path string) []T {
	t.Helper()
	var from io.Reader
	f, err := os.Open(path)
	from = f
	if os.IsNotExist(err) {
		f, err = os.Open(path + ".gz")
		require.NoError(t, err)
		from, err = gzip.NewReader(f)
	}
	require.NoError(t, err)
	defer f.Close()
	var all []T
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var one T
		require.NoError(t, json.Unmarshal(lines.Bytes(), &one), path)
		all = append(all, one)
	}
	require.NoError(t, lines.Err())
	require.NotEmpty(t, all, path)
	return all
}
