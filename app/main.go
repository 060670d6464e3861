package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/voicewright/voicewright/app/cli"
	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/app/datadir"
	"github.com/voicewright/voicewright/app/desktop"
	"github.com/voicewright/voicewright/app/shortcuts"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/httpapi/page"
	"github.com/voicewright/voicewright/backend/shortcut"
)

// Stdio are the streams of the process.
type Stdio = cli.Stdio

// Main runs a command line and returns the exit code.
func Main(ctx context.Context, args []string, io Stdio) int {
	ctx, stop := untilSignal(ctx)
	defer stop()
	return cli.Run(ctx, args, io, cli.App{
		Version: Version(), Connect: connect, FindServer: findServer, Serve: runServer, OpenWindow: openWindow,
		Examine: examine, Restore: restore, HasUpdates: updatesChecker(nil).Address() != "",
	})
}

// untilSignal returns a context that ends with the first signal; the next one ends the program at once. The cause says when it
// was not the user who interrupted it.
func untilSignal(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	received := make(chan os.Signal, 1)
	signal.Notify(received, endSignals()...)
	go func() {
		select {
		case s := <-received:
			signal.Stop(received)
			if s == os.Interrupt {
				cancel(context.Canceled)
			} else {
				cancel(cli.ErrTerminated)
			}
		case <-ctx.Done():
		}
	}()
	return ctx, func() { signal.Stop(received); cancel(nil) }
}

// endSignals are the signals that end the program. A closed terminal ends it too, unless it was started by nohup.
func endSignals() []os.Signal {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}

// connect returns a client of the server that holds the data directory, else of a studio opened in this process.
func connect(ctx context.Context, o cli.Options) (*client.Client, error) {
	for deadline := time.Now().Add(datadir.LockTimeout); ; {
		studio, err := Open(ctx, Config{
			Data: o.Data, Models: o.Models, Addr: client.MemoryAddress, Log: o.Log, AskPassphrase: o.AskPassphrase,
		})
		if err == nil {
			return inMemory(studio), nil
		}
		if !errors.Is(err, &backend.Error{Code: backend.CodeDataDirLocked}) {
			return nil, err
		}
		if c, ok := findServer(ctx, o.Data); ok {
			return c, nil
		}
		if time.Now().After(deadline) {
			return nil, err
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return nil, backend.ErrCancelled.WithCause(ctx.Err())
		}
	}
}

// inMemory returns a client of a studio, which is closed with it.
func inMemory(studio *Studio) *client.Client {
	return client.InMemory(studio.API.Handler(), func() error {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		return studio.Close(ctx)
	})
}

// findServer returns a client of the server that holds the directory.
func findServer(ctx context.Context, dir string) (*client.Client, bool) {
	a, ok := datadir.FindServer(ctx, dir)
	if !ok {
		return nil, false
	}
	return a.Client(), true
}

// openWindow shows the window, with a server of its own when none is running.
func openWindow(ctx context.Context, o cli.Options, io cli.Stdio) (opened bool, err error) {
	args := []string{"--data", o.Data, "--log-level", o.LogLevel}
	if o.Models != "" {
		args = append(args, "--models", o.Models)
	}
	if o.Background {
		args = append(args, "--background")
	}
	args = append(args, o.Files...)
	return desktop.Open(ctx, desktop.Options{
		Data: o.Data, Language: systemLanguage(), Log: o.Log, Policy: page.WindowPolicy,
		Serve: func(ctx context.Context, ready func(client.Address) error) error {
			return runServer(ctx, o, cli.ServeOptions{Warn: func(warning string) { _, _ = fmt.Fprintln(io.Err, warning) }}, ready)
		},
		Files: o.Files, Background: o.Background, LaunchArgs: args,
		Listen: func(ctx context.Context, s shortcut.Shortcut, pressed func()) (func(), error) {
			listener, err := shortcuts.Listen(ctx, o.Log, shortcuts.Action{
				Name: "read-clipboard", Description: "Voicewright: read the clipboard aloud", Shortcut: s, Pressed: pressed, Released: func() {},
			})
			if err != nil {
				return nil, err
			}
			return listener.Close, nil
		}, Out: io.Out, Errors: io.Err,
	})
}
