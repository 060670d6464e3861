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
	"github.com/wailsapp/wails/v2/pkg/options/mac"
	"github.com/wailsapp/wails/v2/pkg/runtime"

	"github.com/voicewright/voicewright/app/client"
	"github.com/voicewright/voicewright/app/datadir"
	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/shortcut"
	"github.com/voicewright/voicewright/frontend"
)

// window is the window with its server.
type window struct {
	address  client.Address
	api      *client.Client
	data     string
	policy   func(apiURL string) func(http.Handler) http.Handler
	running  bool // the server is one of another process, which continues when the window is closed
	instance *instance
	texts    atomic.Pointer[texts]
	relabel  func(*texts) // of the tray
	handed   handedFiles
	jobs     *jobTracker
	changed  chan struct{} // perhaps a setting
	listen   func(ctx context.Context, s shortcut.Shortcut, pressed func()) (release func(), err error)
	minimise bool // at the start
	log      *slog.Logger

	placement placement // at the start
	language  atomic.Pointer[string]
	focused   atomic.Bool
	closing   atomic.Bool
	asking    sync.Mutex // one question at a time
	choosing  sync.Mutex // one file dialog at a time: Wails would mix up their results

	opened chan struct{}
	screen context.Context //nolint:containedctx // Wails identifies a window by its context; read after opened is closed
}

// instanceTimeout is how long a second start waits for a first window that does not respond: it may be closing, which takes
// as long as the server and its jobs need to end.
const instanceTimeout = 2*ShutdownGrace + 5*time.Second

// Open shows the window until it is closed, or brings the one that is open already to the front.
func Open(ctx context.Context, o Options) (opened bool, err error) {
	i, err := acquireInstance(ctx, o.Data, arrival{Activation: activation(), Files: o.Files}, instanceTimeout)
	if err != nil || i == nil {
		return true, err
	}
	for deadline := time.Now().Add(datadir.LockTimeout); ; {
		if a, ok := datadir.FindServer(ctx, o.Data); ok {
			return true, errors.Join(newWindow(a, o, true, i).run(ctx), i.release())
		}
		err := openWithServer(ctx, o, i)
		if !errors.Is(err, &backend.Error{Code: backend.CodeDataDirLocked}) || time.Now().After(deadline) {
			return true, errors.Join(err, i.release())
		}
		select { // a command uses the data directory, or a server is starting
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
		}
	}
}

// openWithServer shows the window with its own server, which ends with it.
func openWithServer(ctx context.Context, o Options, i *instance) error {
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
	case a := <-ready: // the window must be on the main thread
		err := newWindow(a, o, false, i).run(ctx)
		stop()
		return errors.Join(err, <-ended)
	case err := <-ended:
		return err
	}
}

// newWindow returns a window. Its language is that of the page when it was last open, at first that of the system.
func newWindow(a client.Address, o Options, running bool, i *instance) *window {
	w := &window{
		address: a, api: a.Client(), data: o.Data, policy: o.Policy, running: running, instance: i, jobs: newJobTracker(time.Now), log: o.Log,
		changed: make(chan struct{}, 1), listen: o.Listen, minimise: o.Background,
		placement: loadPlacement(o.Data), opened: make(chan struct{}),
	}
	w.setLanguage(cmp.Or(w.placement.Language, o.Language))
	w.focused.Store(true)
	w.handed.add(o.Files)
	return w
}

// setLanguage sets the language of the texts.
func (w *window) setLanguage(language string) {
	t := textsFor(language)
	w.texts.Store(&t)
	w.language.Store(&language)
	if w.relabel != nil {
		w.relabel(&t)
	}
}

// run shows the window until it is closed or ctx ends.
func (w *window) run(ctx context.Context) (err error) {
	defer func() {
		if p := recover(); p != nil { // Wails panics when there is no desktop
			if err = w.openError(p); err == nil {
				panic(p)
			}
		}
	}()
	ctx, stop := context.WithCancel(ctx)
	var background sync.WaitGroup
	defer background.Wait()
	defer stop()
	background.Go(func() { backend.Protect(w.log, "the events for the window", func() { w.followEvents(ctx) }) })
	background.Go(func() { backend.Protect(w.log, "the settings of the desktop", func() { w.followPreferences(ctx) }) })
	defer w.openTray(ctx)()
	icon, _ := fs.ReadFile(frontend.Assets(), "icon.svg")
	err = wails.Run(&options.App{
		Title: w.texts.Load().title("", w.running), Width: w.placement.Width, Height: w.placement.Height,
		WindowStartState: startState(w.minimise), MinWidth: minWidth, MinHeight: minHeight,
		AssetServer: &assetserver.Options{Assets: frontend.Assets(), Middleware: w.middleware},
		Menu:        w.menu(),
		Bind:        []any{&Bridge{w}},
		OnStartup:   func(screen context.Context) { w.start(ctx, screen) },
		OnDomReady:  func(screen context.Context) { runtime.WindowExecJS(screen, pageScript) },
		OnBeforeClose: func(context.Context) bool {
			return w.beforeClose(ctx)
		},
		ErrorFormatter: func(err error) any { return rejection(err) },
		Linux: &linux.Options{
			ProgramName: "voicewright", WebviewGpuPolicy: linux.WebviewGpuPolicyNever, Icon: icon,
		},
		Mac:     &mac.Options{OnFileOpen: func(path string) { w.openFiles([]string{path}) }},
		Windows: windowsOptions(w.texts.Load()),
	})
	if err != nil {
		return w.openError(err)
	}
	w.hideClosed()
	return nil
}

func startState(minimise bool) options.WindowStartState {
	if minimise {
		return options.Minimised
	}
	return options.Normal
}

// openError returns the error of a window that could not be opened; nil for another panic.
func (w *window) openError(cause any) error {
	err, ok := cause.(error)
	if _, bug := cause.(system.Error); !ok || bug || w.wasOpened() {
		return nil
	}
	return errNotOpened(err)
}

// start sets up the window as soon as it exists.
func (w *window) start(ctx, screen context.Context) {
	w.screen = screen
	close(w.opened)
	w.watchNative()
	w.restorePlacement()
	if err := w.instance.listen(ctx, w.arrived); err != nil {
		w.log.Info("a second start cannot bring the window to the front", "error", err)
	}
	context.AfterFunc(ctx, func() { runtime.Quit(screen) }) // not before there is a window to quit
	if system.GOOS == "linux" && !sessionBus() {
		w.log.Info("no notifications without a session bus")
	} else if err := runtime.InitializeNotifications(screen); err != nil {
		w.log.Info("no notifications", "error", err)
	} else {
		runtime.OnNotificationResponse(screen, func(runtime.NotificationResult) { w.front("") })
	}
}

// middleware applies the policy of the page, and serves it the files that were opened with the program.
func (w *window) middleware(next http.Handler) http.Handler {
	return w.policy(w.address.URL)(w.handed.serve(next))
}

// arrived brings the window to the front when the program was started once more, and opens the files of that start.
func (w *window) arrived(now arrival) {
	w.front(now.Activation)
	w.openFiles(now.Files)
}

// openFiles lets the page open files; one that is not there yet asks for them when it is.
func (w *window) openFiles(paths []string) {
	w.handed.add(paths)
	if len(paths) > 0 && w.wasOpened() {
		runtime.EventsEmit(w.view(), menuOpenFiles)
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

// view returns the context by which Wails identifies the window, once it exists.
func (w *window) view() context.Context {
	<-w.opened
	return w.screen
}
