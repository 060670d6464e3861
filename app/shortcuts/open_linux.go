package shortcuts

import (
	"context"
	"errors"
	"os"
)

// open uses the portal on Wayland, where no program sees keys meant for others, and the X server elsewhere.
func open(ctx context.Context, a Action) (source, string, error) {
	switch {
	case os.Getenv("WAYLAND_DISPLAY") != "":
		return openPortal(ctx, os.Getenv("DBUS_SESSION_BUS_ADDRESS"), a)
	case os.Getenv("DISPLAY") != "":
		return openX11(a)
	}
	return nil, "", noDesktop(errors.New("neither WAYLAND_DISPLAY nor DISPLAY is set"))
}
