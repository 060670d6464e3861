//go:build desktop && !windows

package desktop

import (
	"fmt"
	"os"
	"runtime"
)

// startAtLogin makes the desktop run a command at login, or no more.
func startAtLogin(enabled bool, command []string) error {
	folder, err := os.UserHomeDir()
	if runtime.GOOS != "darwin" {
		folder, err = os.UserConfigDir()
	}
	if err != nil {
		return fmt.Errorf("find the folder of the login: %w", err)
	}
	return newLoginEntry(runtime.GOOS, folder, command).set(enabled)
}
