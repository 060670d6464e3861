//go:build !nomicrophone

package microphone

import (
	"net"
	"os"
	"path/filepath"
	"testing"

	"github.com/gen2brain/malgo"
	"github.com/stretchr/testify/require"
)

func TestFindServer(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR", "PULSE_RUNTIME_PATH"} {
		t.Setenv(name, filepath.Join(dir, name))
	}
	t.Setenv("PULSE_SERVER", "")
	require.False(t, serverRuns())

	stale := filepath.Join(dir, "XDG_RUNTIME_DIR", "pulse", "native")
	require.NoError(t, os.MkdirAll(filepath.Dir(stale), 0o700))
	require.NoError(t, os.WriteFile(stale, nil, 0o600))
	require.False(t, serverRuns(), "a socket that a crash left")
	require.NoError(t, os.Remove(stale))

	server, err := net.Listen("unix", stale)
	require.NoError(t, err)
	require.True(t, serverRuns())
	t.Setenv("XDG_RUNTIME_DIR", "")
	require.False(t, serverRuns())
	for servers, want := range map[string]bool{
		"unix:" + stale: true, "{0123}unix:" + stale + " tcp:other": true, stale: true, "unix:" + dir: false,
		"tcp:192.0.2.1": true, "studio.example": true, // libpulse connects to other machines
	} {
		t.Setenv("PULSE_SERVER", servers)
		require.Equal(t, want, serverRuns(), servers)
	}
	require.NoError(t, server.Close())
}

func TestCookie(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", "")
	t.Setenv("PULSE_COOKIE", "")
	moveCookie("")
	require.Empty(t, os.Getenv("PULSE_COOKIE"))
	moveCookie("/data/cookie")
	require.Equal(t, "/data/cookie", os.Getenv("PULSE_COOKIE"))
	t.Setenv("PULSE_COOKIE", "")
	require.NoError(t, os.MkdirAll(filepath.Join(home, ".config", "pulse"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(home, ".config", "pulse", "cookie"), nil, 0o600))
	moveCookie("/data/cookie")
	require.Empty(t, os.Getenv("PULSE_COOKIE"), "the user has one")
}

func TestDeviceID(t *testing.T) {
	var id malgo.DeviceID
	copy(id[:], "alsa_input.usb-Desk.mono")
	require.Equal(t, "alsa_input.usb-Desk.mono", deviceID(id))
	copy(id[:], "{\x000\x00.\x00")
	require.Equal(t, id.String(), deviceID(id), "wide characters")
	for id, want := range map[string]bool{"null": true, "upmix": true, "default": false, "hw:0,0": false, "sysdefault:CARD=PCH": false} {
		require.Equal(t, want, isALSAPlugin(id), id)
	}
}
