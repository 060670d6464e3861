//go:build !nomicrophone

package microphone

import (
	"bytes"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gen2brain/malgo"
)

// soundSystem returns the sound server if it runs, else ALSA if it has a microphone. They are not opened to find out: libpulse
// leaks a handle and creates a folder when there is no server, and ALSA writes to the standard error output when there is no
// card.
func soundSystem(cookie string) (b malgo.Backend, ok bool) {
	if serverRuns() {
		moveCookie(cookie)
		return malgo.BackendPulseaudio, true
	}
	cards, err := os.ReadFile("/proc/asound/pcm")
	return malgo.BackendAlsa, err == nil && bytes.Contains(cards, []byte("capture"))
}

// serverRuns reports whether a PulseAudio server, or PipeWire in its place, can be reached.
func serverRuns() bool {
	if server := os.Getenv("PULSE_SERVER"); server != "" {
		path, local := socketOf(server)
		return !local || listens(path)
	}
	for _, path := range serverSockets() {
		if listens(path) {
			return true
		}
	}
	return false
}

// moveCookie makes libpulse create its cookie at path, else it does so in the home directory. It changes nothing where the user
// has a cookie.
func moveCookie(path string) {
	home, _ := os.UserHomeDir()
	config, _ := os.UserConfigDir()
	for _, cookie := range []string{filepath.Join(config, "pulse", "cookie"), filepath.Join(home, ".pulse-cookie")} {
		if _, err := os.Stat(cookie); err == nil {
			return
		}
	}
	if path != "" && os.Getenv("PULSE_COOKIE") == "" {
		_ = os.Setenv("PULSE_COOKIE", path) // it fails only for a malformed name
	}
}

// socketOf returns the path of the first server in PULSE_SERVER, such as {machine}unix:/path, and whether it is one on this
// machine.
func socketOf(servers string) (path string, local bool) {
	first, _, _ := strings.Cut(strings.TrimSpace(servers), " ")
	if strings.HasPrefix(first, "{") {
		_, first, _ = strings.Cut(first, "}")
	}
	path, ok := strings.CutPrefix(first, "unix:")
	return path, ok || strings.HasPrefix(first, "/")
}

// serverSockets returns where libpulse looks for the server of this user, and the one of the machine.
func serverSockets() []string {
	config, _ := os.UserConfigDir() // without one, its socket is not found
	sockets, _ := filepath.Glob(filepath.Join(config, "pulse", "*-runtime", "native"))
	sockets = append(sockets, "/run/pulse/native")
	if dir := os.Getenv("PULSE_RUNTIME_PATH"); dir != "" {
		sockets = append(sockets, filepath.Join(dir, "native"))
	}
	if dir := os.Getenv("XDG_RUNTIME_DIR"); dir != "" {
		sockets = append(sockets, filepath.Join(dir, "pulse", "native"))
	}
	return sockets
}

// listens reports whether a server accepts connections at a socket.
func listens(path string) bool {
	conn, err := net.DialTimeout("unix", path, time.Second) //nolint:noctx // on this machine: it is accepted or refused at once
	if err != nil {
		return false
	}
	_ = conn.Close()
	return true
}
