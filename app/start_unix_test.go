//go:build unix

package app_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestStartWaitsForNoProgram starts a server beside an espeak-ng that notes its calls: the start asks it for nothing, the first
// list of voices does.
func TestStartWaitsForNoProgram(t *testing.T) {
	t.Parallel()
	espeak, err := exec.LookPath("espeak-ng")
	require.NoError(t, err)
	tools, calls := t.TempDir(), filepath.Join(t.TempDir(), "calls")
	script := fmt.Sprintf("#!/bin/sh\necho \"$@\" >>'%s'\nexec '%s' \"$@\"\n", calls, espeak)
	require.NoError(t, os.WriteFile(filepath.Join(tools, "espeak-ng"), []byte(script), 0o755))

	s := newUser(t).withEnv("PATH=" + tools).serve()
	status, _ := s.request("GET", "/health", "")
	require.Equal(t, 200, status)
	require.NoFileExists(t, calls)
	_, body := s.request("GET", "/voices/built-in", "")
	require.NotEmpty(t, parseJSON(t, body)["voices"])
	require.FileExists(t, calls)
}
