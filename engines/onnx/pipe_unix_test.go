//go:build unix

package onnx_test

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/engines/onnx"
)

// TestPipesAreRefused: opening a named pipe waits for a writer, perhaps for ever.
func TestPipesAreRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model.onnx")
	require.NoError(t, syscall.Mkfifo(path, 0o600))
	_, err := onnx.Inspect(path)
	require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err))
	require.Equal(t, "The model file model.onnx is not a regular file.", backend.AsError(err).Detail)
	_, err = onnx.ReadSmall(path, 100)
	require.Equal(t, backend.CodeModelCorrupt, backend.CodeOf(err))
}
