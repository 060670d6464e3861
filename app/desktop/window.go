//go:build desktop

package desktop

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net/http"
	system "runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"
	"github.com/wailsapp/wails/v2/pkg/options/windows"
	"github.com/wailsapp/wails/v2/pkg/runtime"

	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/app/datadir"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/frontend"
)

// window is the one window and what it knows of its server.
type window struct {
	here    client.Address
	api     *client.Client
	data    string
	policy  func(apiURL string) func(http.Handler) http.Handler
	running bool // the server is another program's, and stays when the window goes
	door    *door
	words   atomic.Pointer[phrases]
	work    *work
	log     *slog.Logger

	place    placement // at the start
	spoken   atomic.Pointer[string]
	focused  atomic.Bool
	leaving  atomic.Bool
	asking   sync.Mutex // one question at a time
	choosing sync.Mutex // one dialog for files at a time: Wails would mix up the answers

	opened chan struct{}
	screen context.Context //nolint:containedctx // Wails knows a window by its context; read after opened is closed
}

// doorPatience is how long a second start waits for a first window that does not answer: it may be ending, which takes the
// grace of the server and that of its work.
const doorPatience = 2*ShutdownGrace + 5*time.Second

// Open shows the window until it is closed, or brings the one that is open already to the front.
func Open(ctx context.Context, o Options) (opened bool, err error) {
	d, err := takeDoor(ctx, o.Data, activation(), doorPatience)
	if err != nil || d == nil {
		return true, err
	}
	for deadline := time.Now().Add(datadir.LockPatience); ; {
		if a, ok := datadir.FindServer(ctx, o.Data); ok {
			return true, errors.Join(newWindow(a, o, true, d).run(ctx), d.leave())
		}
		err := openWithServer(ctx, o, d)
		if !errors.Is(err, &backend.Error{Code: backend.CodeDataDirLocked}) || time.Now().After(deadline) {
			return true, errors.Join(err, d.leave())
		}
		select { // a command has the data directory, or a server starts
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
		}
	}
}

// openWithServer shows the window onto a server of its own, which ends with it.
func openWithServer(ctx context.Context, o Options, d *door) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	ready, ended := make(chan client.Address, 1), make(chan error, 1)
	go func() {
		ended <- backend.Contain(func() error {
			return o.Serve(ctx, func(a client.Address) error {
				ready <- a
				return nil
			})
		})
	}()
	select {
	case a := <-ready: // the window belongs on the main thread
		err := newWindow(a, o, false, d).run(ctx)
		stop()
		return errors.Join(err, <-ended)
	case err := <-ended:
		return err
	}
}

// newWindow makes the window; its words are those of the page when it was last open, at first those of the system.
func newWindow(a client.Address, o Options, running bool, d *door) *window {
	w := &window{
		here: a, api: a.Client(), data: o.Data, policy: o.Policy, running: running, door: d, work: newWork(time.Now), log: o.Log,
		place: loadPlacement(o.Data), opened: make(chan struct{}),
	}
	w.speak(cmp.Or(w.place.Language, o.Language))
	w.focused.Store(true)
	return w
}

// speak takes the words of a language.
func (w *window) speak(language string) {
	words := phrasesOf(language)
	w.words.Store(&words)
	w.spoken.Store(&language)
}

// run shows the window until it is closed or ctx ends.
func (w *window) run(ctx context.Context) (err error) {
	defer func() {
		if gone := recover(); gone != nil { // so Wails says that there is no desktop
			if err = w.unopened(gone); err == nil {
				panic(gone)
			}
		}
	}()
	ctx, stop := context.WithCancel(ctx)
	var background sync.WaitGroup
	defer background.Wait()
	defer stop()
	background.Go(func() { backend.Protect(w.log, "the events for the window", func() { w.watch(ctx) }) })
	icon, _ := fs.ReadFile(frontend.Assets(), "icon.svg")
	err = wails.Run(&options.App{
		Title: w.words.Load().title(w.running), Width: w.place.Width, Height: w.place.Height,
		MinWidth: leastWidth, MinHeight: leastHeight,
		AssetServer: &assetserver.Options{Assets: frontend.Assets(), Middleware: w.policy(w.here.URL)},
		Menu:        w.menu(),
		Bind:        []any{&Bridge{w}},
		OnStartup:   func(screen context.Context) { w.start(ctx, screen) },
		OnDomReady:  func(screen context.Context) { runtime.WindowExecJS(screen, greetPage) },
		OnBeforeClose: func(context.Context) bool {
			return w.keep(ctx)
		},
		ErrorFormatter: func(err error) any { return rejection(err) },
		Linux: &linux.Options{
			ProgramName: "voicewright", WebviewGpuPolicy: linux.WebviewGpuPolicyNever, Icon: icon,
		},
		Windows: &windows.Options{Theme: windows.SystemDefault},
	})
	if err != nil {
		return w.unopened(err)
	}
	w.vanish()
	return nil
}

// unopened words why there is no window; nil for a panic of another kind.
func (w *window) unopened(cause any) error {
	err, ok := cause.(error)
	if _, bug := cause.(system.Error); !ok || bug || w.wasOpened() {
		return nil
	}
	return backend.E(backend.CodeNotPermitted, "The window cannot be opened.",
		"Use voicewright serve and open the page in a browser.").WithCause(err)
}

// start takes the window to its place, as soon as there is one.
func (w *window) start(ctx, screen context.Context) {
	w.screen = screen
	close(w.opened)
	w.adopt()
	w.settle()
	if err := w.door.listen(ctx, w.front); err != nil {
		w.log.Info("a second start cannot bring the window to the front", "error", err)
	}
	context.AfterFunc(ctx, func() { runtime.Quit(screen) }) // now that there is something to leave
	if system.GOOS == "linux" && !sessionBus() {
		w.log.Info("no notifications without a session bus")
	} else if err := runtime.InitializeNotifications(screen); err != nil {
		w.log.Info("no notifications", "error", err)
	} else {
		runtime.OnNotificationResponse(screen, func(runtime.NotificationResult) { w.front("") })
	}
}

func (w *window) wasOpened() bool {
	select {
	case <-w.opened:
		return true
	default:
		return false
	}
}

// view is the context by which Wails knows the window, once there is one.
func (w *window) view() context.Context {
	<-w.opened
	return w.screen
}
