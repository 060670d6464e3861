package typing

import (
	"errors"
	"log/slog"
	"os"
)

func open(log *slog.Logger) (desktop, error) {
	switch {
	case os.Getenv("WAYLAND_DISPLAY") != "":
		return wayland{}, nil
	case os.Getenv("DISPLAY") != "":
		return openX11(log)
	}
	return nil, noDesktop(errors.New("neither WAYLAND_DISPLAY nor DISPLAY is set"))
}
