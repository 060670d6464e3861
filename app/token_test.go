package app

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/voicewright/voicewright/app/cli"
)

// TestTokenIsGeneratedOnce keeps the first token, and generates another one only when the file is empty.
func TestTokenIsGeneratedOnce(t *testing.T) {
	dir := t.TempDir()
	first, err := serverToken(dir, cli.ServeOptions{})
	require.NoError(t, err)
	require.Len(t, first, 43)
	again, err := serverToken(dir, cli.ServeOptions{})
	require.NoError(t, err)
	require.Equal(t, first, again)
	given, err := serverToken(dir, cli.ServeOptions{Token: "given"})
	require.NoError(t, err)
	require.Equal(t, "given", given)
	none, err := serverToken(dir, cli.ServeOptions{Token: "given", NoToken: true})
	require.NoError(t, err)
	require.Empty(t, none)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "token"), []byte("\n"), 0o600))
	other, err := serverToken(dir, cli.ServeOptions{})
	require.NoError(t, err)
	require.NotEqual(t, first, other)
	require.Len(t, other, 43)
}
