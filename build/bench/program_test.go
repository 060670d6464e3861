package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestSizesOfPackages measures the files as make package names them, each by the one row that it belongs to.
func TestSizesOfPackages(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(root, "dist"), 0o700))
	for i, name := range []string{
		"voicewright_0.0.0~git20261130.abc_amd64.deb", "voicewright-desktop_0.0.0~git20261130.abc_amd64.deb",
		"voicewright-service_0.0.0~git20261130.abc_amd64.deb", "voicewright-0.0.0~git20261130.abc-1.x86_64.rpm",
		"voicewright-0.0.0-git20261130.abc-linux-x64.tar.xz", "voicewright-0.0.0-git20261130.abc-linux-arm64.tar.xz",
		"voicewright-0.0.0-git20261130.abc-windows-x64.zip", "voicewright-0.0.0-git20261130.abc-windows-x64-setup.exe",
		"voicewright-0.0.1-windows-x64-setup.exe",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(root, "dist", name), make([]byte, (i+1)*100_000), 0o600))
	}
	m := &measurement{root: root}
	m.figures.Sessions = []session{{Began: time.Unix(0, 0)}}
	var rows []row
	for _, r := range goals {
		if packages[r.name] != "" {
			rows = append(rows, r)
		}
	}
	m.sizes(t.Context(), rows)
	found := map[string][]float64{}
	for _, r := range m.figures.Results {
		found[r.Name] = r.Values
	}
	require.Equal(t, map[string][]float64{"Program/deb": {0.1}, "Program/deb-window": {0.2}, "Program/archive": {0.5}}, found)
	require.Len(t, m.figures.Missing, 1)
	require.Equal(t, "Program/installer", m.figures.Missing[0].Name)
	require.Equal(t, "dist/ has several", m.figures.Missing[0].Reason)
}
