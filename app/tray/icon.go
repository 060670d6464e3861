// Package tray is the icon of the program in the notification area of the desktop, with a menu (build tag desktop). On Linux it
// is a StatusNotifierItem on the session bus, on Windows and macOS their own.
package tray

import (
	"runtime"

	"github.com/voicewright/voicewright/app/tray/icon"
)

const iconSize = 64

// Icon returns the program's sign as PNG, on Windows as ICO.
func Icon() []byte {
	if runtime.GOOS == "windows" {
		return icon.ICO(iconSize)
	}
	return icon.PNG(iconSize)
}
