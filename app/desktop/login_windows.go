//go:build desktop

package desktop

import (
	"errors"
	"fmt"

	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"
)

// startAtLogin makes the system run a command at login, or no more.
func startAtLogin(enabled bool, command []string) error {
	key, _, err := registry.CreateKey(registry.CURRENT_USER, `Software\Microsoft\Windows\CurrentVersion\Run`,
		registry.QUERY_VALUE|registry.SET_VALUE)
	if err != nil {
		return fmt.Errorf("open the registry: %w", err)
	}
	defer func() { _ = key.Close() }()
	const name = "Voicewright"
	line := windows.ComposeCommandLine(command)
	now, _, err := key.GetStringValue(name)
	if err != nil && !errors.Is(err, registry.ErrNotExist) {
		return fmt.Errorf("read the registry: %w", err)
	}
	same := err == nil && now == line // the entry of another data directory stays
	switch {
	case enabled && !same:
		return key.SetStringValue(name, line)
	case !enabled && same:
		return key.DeleteValue(name)
	}
	return nil
}
