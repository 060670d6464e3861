package typing

import (
	"context"
	"errors"
	"os/exec"
	"strings"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/subprocess"
)

// wayland can set the clipboard with wl-copy. A Wayland session lets no program type into another.
type wayland struct{}

func (wayland) insert(context.Context, string) error {
	return errUnavailable("forbidden", "A Wayland session does not let programs type into others.",
		"Set dictation to the clipboard in Settings, and paste the text yourself.")
}

func (wayland) copy(ctx context.Context, text string) error {
	cmd := subprocess.Desktop(ctx, "wl-copy", "--type", "text/plain;charset=utf-8")
	cmd.Stdin = strings.NewReader(text)
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return backend.ErrCancelled.WithCause(ctx.Err())
	case errors.Is(err, exec.ErrNotFound):
		return backend.E(backend.CodeRuntimeMissing, "wl-copy is not installed; it sets the clipboard on Wayland.",
			"Install the package wl-clipboard.").With("program", "wl-copy").WithCause(err)
	case err != nil:
		return noDesktop(err)
	}
	return nil
}

func (wayland) close() {}
