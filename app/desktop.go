//go:build desktop

package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"
	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"
	"github.com/wailsapp/wails/v2/pkg/options/windows"
	"github.com/wailsapp/wails/v2/pkg/runtime"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/httpapi"
	"github.com/voicewright/voicewright/frontend"
)

// window is the one window and what it knows of its server.
type window struct {
	here    address
	api     *client
	data    string
	running bool // the server is another program's, and stays when the window goes
	words   phrases
	work    *work
	log     *slog.Logger

	place   placement
	focused atomic.Bool
	leaving atomic.Bool
	asking  sync.Mutex // one question at a time

	opened chan struct{}
	screen context.Context //nolint:containedctx // Wails knows a window by its context; read after opened is closed
}

// open shows the window, onto the server that holds the data directory when there is one.
func (p *program) open(cmd *cobra.Command) error {
	data, _, err := p.dirs()
	if err != nil {
		return err
	}
	log, err := p.logger()
	if err != nil {
		return err
	}
	if a, ok := serverOf(cmd.Context(), data); ok {
		return newWindow(a, data, true, log).run(cmd.Context())
	}
	ctx, stop := context.WithCancel(cmd.Context())
	defer stop()
	ready, ended := make(chan address, 1), make(chan error, 1)
	go func() {
		ended <- p.runServer(ctx, serveFlags{}, func(a address) error {
			ready <- a
			return nil
		})
	}()
	select {
	case a := <-ready: // the window belongs on the main thread
		err := newWindow(a, data, false, log).run(ctx)
		stop()
		return errors.Join(err, <-ended)
	case err := <-ended:
		return err
	}
}

func newWindow(a address, data string, running bool, log *slog.Logger) *window {
	w := &window{
		here: a, api: a.client(), data: data, running: running, words: phrasesOf(systemLanguage()),
		work: newWork(time.Now), log: log, place: loadPlacement(data), opened: make(chan struct{}),
	}
	w.focused.Store(true)
	return w
}

// run shows the window until it is closed or ctx ends.
func (w *window) run(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	var background sync.WaitGroup
	defer background.Wait()
	defer stop()
	background.Go(func() { w.watch(ctx) })
	state := options.Normal
	if w.place.Maximised {
		state = options.Maximised
	}
	err := wails.Run(&options.App{
		Title: w.words.title(w.running), Width: w.place.Width, Height: w.place.Height,
		MinWidth: leastWidth, MinHeight: leastHeight, WindowStartState: state,
		AssetServer: &assetserver.Options{Assets: frontend.Assets(), Middleware: httpapi.WindowPolicy(w.here.URL)},
		Menu:        w.menu(),
		Bind:        []any{&Bridge{w}},
		OnStartup:   func(screen context.Context) { w.start(ctx, screen) },
		OnDomReady:  func(screen context.Context) { runtime.WindowExecJS(screen, tellFocus) },
		OnBeforeClose: func(context.Context) bool {
			return w.keep(ctx)
		},
		ErrorFormatter:     func(err error) any { return shownError(err) },
		SingleInstanceLock: w.single(),
		Linux:              &linux.Options{ProgramName: "voicewright", WebviewGpuPolicy: linux.WebviewGpuPolicyNever},
		Windows:            &windows.Options{Theme: windows.SystemDefault},
	})
	if err != nil {
		return backend.E(backend.CodeNotPermitted, "The window cannot be opened.",
			"Use voicewright serve and open the page in a browser.").Because(err)
	}
	return nil
}

// start takes the window to its place, as soon as there is one.
func (w *window) start(ctx, screen context.Context) {
	w.screen = screen
	close(w.opened)
	context.AfterFunc(ctx, func() { runtime.Quit(screen) })
	w.settle()
	if err := runtime.InitializeNotifications(screen); err != nil {
		w.log.Info("no notifications", "error", err)
	}
}

// view is the context by which Wails knows the window, once there is one.
func (w *window) view() context.Context {
	<-w.opened
	return w.screen
}

// single brings the first window of a data directory to the front instead of a second one. What the second one was told
// is not used.
func (w *window) single() *options.SingleInstanceLock {
	name := sha256.Sum256([]byte(w.data))
	return &options.SingleInstanceLock{
		UniqueId: "voicewright-" + hex.EncodeToString(name[:8]),
		OnSecondInstanceLaunch: func(options.SecondInstanceData) {
			runtime.WindowShow(w.view())
			runtime.WindowUnminimise(w.view())
		},
	}
}
