package app

import (
	"context"
	"errors"
	"os"
	"runtime"
	"time"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/subprocess"
)

// errNoBrowser means that nobody could see a browser on this machine.
var errNoBrowser = errors.New("there is no desktop or no browser")

// browserCommand returns the command that opens an address on a system; ok is false without a desktop.
func browserCommand(system, address string, getenv func(string) string) (command []string, ok bool) {
	switch system {
	case "darwin":
		return []string{"open", address}, true
	case "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler", address}, true
	default:
		return []string{"xdg-open", address}, getenv("DISPLAY") != "" || getenv("WAYLAND_DISPLAY") != ""
	}
}

// browserTimeout is how long a command may take to fail: xdg-open may be the browser itself, which keeps running.
const browserTimeout = 3 * time.Second

// openBrowser opens an address in the system browser, which outlives ctx.
func openBrowser(ctx context.Context, address string) error {
	args, ok := browserCommand(runtime.GOOS, address, os.Getenv)
	if !ok {
		return errNoBrowser
	}
	program, err := subprocess.Find(args[0])
	if err != nil {
		return errors.Join(errNoBrowser, err)
	}
	command := subprocess.Desktop(context.WithoutCancel(ctx), program, args[1:]...)
	if err := command.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- backend.Contain(command.Wait) }()
	timer := time.NewTimer(browserTimeout)
	defer timer.Stop()
	select {
	case err := <-ended:
		return err
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
