//go:build unix

package models_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

// TestImportOfAPipe: a named pipe in a folder must not block every import.
func TestImportOfAPipe(t *testing.T) {
	t.Parallel()
	l := newFixture(t, withPiper(t))
	for _, file := range []string{lessac + ".onnx", lessac + ".onnx.json"} {
		dir := t.TempDir()
		require.NoError(t, os.CopyFS(dir, os.DirFS(filepath.Join("testdata", lessac))))
		require.NoError(t, os.Remove(filepath.Join(dir, file)))
		require.NoError(t, syscall.Mkfifo(filepath.Join(dir, file), 0o600))
		_, err := l.manager.Import(t.Context(), dir, "", "")
		require.Equal(t, file, failure(t, backend.CodeModelCorrupt, err).Params["file"])
	}
	l.imported("next", "anna")
}

// TestImportIntoOfAPipe: a pipe is rejected as a file and in a folder.
func TestImportIntoOfAPipe(t *testing.T) {
	t.Parallel()
	l := newFixture(t, deep)
	dir := lay(t, map[string]string{"alpha.config": "config of alpha"})
	pipe := filepath.Join(dir, "alpha.graph")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	_, err := l.manager.ImportInto(t.Context(), "alpha", pipe)
	requireCode(t, backend.CodeChecksumMismatch, err)
	_, err = l.manager.ImportInto(t.Context(), "alpha", dir)
	requireCode(t, backend.CodeModelCorrupt, err)
}
