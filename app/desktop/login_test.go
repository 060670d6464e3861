package desktop

import (
	"encoding/xml"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// odd is a command whose words need quotes in every format.
func odd() []string {
	return []string{`/opt/My "Apps"/voicewright-desktop`, "--data", `/home/a b/100 % $HOME \ & <x>`}
}

// TestStartAtLogin turns the entry on and off, and leaves that of another data directory alone.
func TestStartAtLogin(t *testing.T) {
	for _, system := range []string{"linux", "darwin"} {
		folder := t.TempDir()
		entry, other := newLoginEntry(system, folder, odd()), newLoginEntry(system, folder, []string{"voicewright-desktop"})
		require.NoError(t, entry.set(false))
		require.NoError(t, entry.set(true))
		require.FileExists(t, entry.path)
		require.NoError(t, other.set(false))
		require.FileExists(t, entry.path)
		require.NoError(t, entry.set(true))
		require.NoError(t, entry.set(false))
		require.NoFileExists(t, entry.path)
	}
}

func TestAutostartFile(t *testing.T) {
	text := string(autostartFile(odd()))
	require.Contains(t, text, `Exec="/opt/My \\"Apps\\"/voicewright-desktop" "--data" "/home/a b/100 %% \\$HOME \\\\ & <x>"`+"\n")
	require.NotContains(t, string(autostartFile([]string{"a\nExec=b"})), "\nExec=b")
}

func TestLaunchAgent(t *testing.T) {
	path := filepath.Join(t.TempDir(), "agent.plist")
	require.NoError(t, os.WriteFile(path, launchAgent(odd()), 0o600))
	var agent struct {
		Words []string `xml:"dict>array>string"`
	}
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, xml.NewDecoder(strings.NewReader(string(raw))).Decode(&agent))
	require.Equal(t, odd(), agent.Words)
}
