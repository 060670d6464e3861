package onnx

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/backend"
)

// TestLibraryOnWindows loads the library from beside the program only: not from the current directory, where it may lie beside a
// document, nor one that the system finds.
func TestLibraryOnWindows(t *testing.T) {
	here, programs := t.TempDir(), t.TempDir()
	t.Chdir(here)
	write := func(parts ...string) string {
		path := filepath.Join(append(parts, "onnxruntime.dll")...)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, nil, 0o600))
		return path
	}
	write(here)
	write(here, "build", "lib", "onnxruntime")
	write(programs, "lib", "onnxruntime")
	options := Options{Executable: filepath.Join(programs, "app", "voicewright.exe")}
	found, err := candidates("windows", options)
	require.NoError(t, err)
	require.Empty(t, found)

	beside := write(programs, "app")
	found, err = candidates("windows", options)
	require.NoError(t, err)
	require.Equal(t, []string{beside}, found)
}

// TestLibraryNeedsTheRuntimeOfVisualC says what to install when Windows lacks a library that this one needs.
func TestLibraryNeedsTheRuntimeOfVisualC(t *testing.T) {
	err := errUnloadable("windows", "onnxruntime.dll", fmt.Errorf("load: %w", moduleNotFound))
	require.Equal(t, backend.CodeRuntimeMissing, err.Code)
	require.Contains(t, err.Detail, "Visual C++")
	require.Contains(t, err.Remedy, "vc_redist.x64.exe")

	err = errUnloadable("windows", `C:\onnxruntime.dll`, os.ErrInvalid)
	require.Contains(t, err.Detail, `C:\onnxruntime.dll`)
}
