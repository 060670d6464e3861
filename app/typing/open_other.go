//go:build !linux && !windows && !darwin

package typing

import (
	"errors"
	"log/slog"
)

func open(*slog.Logger) (desktop, error) {
	return nil, noDesktop(errors.New("not built for this system"))
}
