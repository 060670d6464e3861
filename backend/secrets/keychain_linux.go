package secrets

import (
	"os"
	"path/filepath"
	"strings"
)

// systemKeychain returns the Secret Service of the user's session.
func systemKeychain() itemStore {
	return &secretService{address: sessionBus, desktop: hasDesktop, limits: usualLimits}
}

// sessionBus returns the D-Bus address of the user's session, "" where there is none. Nothing is started.
func sessionBus() string {
	if address := os.Getenv("DBUS_SESSION_BUS_ADDRESS"); address != "" {
		return address
	}
	socket := filepath.Join(os.Getenv("XDG_RUNTIME_DIR"), "bus")
	info, err := os.Stat(socket)
	if err != nil || !filepath.IsAbs(socket) || info.Mode()&os.ModeSocket == 0 || strings.ContainsAny(socket, ",;%") {
		return ""
	}
	return "unix:path=" + socket
}

// hasDesktop reports whether the user can be asked to unlock the keychain.
func hasDesktop() bool { return os.Getenv("WAYLAND_DISPLAY") != "" || os.Getenv("DISPLAY") != "" }
