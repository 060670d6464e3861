//go:build desktop

package desktop

import (
	"context"
	"net/http"
	"os"

	"github.com/wailsapp/wails/v2/pkg/runtime"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/settings"
	"github.com/voicewright/voicewright/backend/shortcut"
)

// preferences are the settings of the desktop.
type preferences struct {
	shortcut     string
	startAtLogin bool
}

// followPreferences applies the settings of the desktop at the start and after each change, until ctx ends.
func (w *window) followPreferences(ctx context.Context) {
	select {
	case <-w.opened:
	case <-ctx.Done():
		return
	}
	var applied preferences
	release := func() {}
	defer func() { release() }()
	for {
		if now, err := w.preferences(ctx); err != nil {
			w.log.Info("read the settings of the desktop", "error", err)
		} else {
			if err := startAtLogin(now.startAtLogin, w.loginCommand()); err != nil {
				w.log.Warn("start at login", "error", err)
			}
			if now.shortcut != applied.shortcut {
				release()
				release = w.listenForReading(ctx, now.shortcut)
			}
			applied = now
		}
		select {
		case <-w.changed:
		case <-ctx.Done():
			return
		}
	}
}

func (w *window) preferences(ctx context.Context) (p preferences, err error) {
	var all map[string]any
	err = w.api.Call(ctx, http.MethodGet, "/settings", nil, &all)
	p.shortcut, _ = all[settings.ReadShortcut].(string)
	p.startAtLogin, _ = all[settings.StartAtLogin].(bool)
	return p, err
}

// loginCommand returns the command that shows this window at login.
func (w *window) loginCommand() []string {
	program, err := os.Executable()
	if err != nil {
		program = os.Args[0]
	}
	return []string{program, "--data", w.data, "--background"}
}

// listenForReading reads the clipboard aloud at a shortcut, "" for none, until the returned function is called. The page says
// when the desktop refuses the shortcut.
func (w *window) listenForReading(ctx context.Context, keys string) (release func()) {
	parsed, err := shortcut.Parse(keys)
	if keys == "" || err != nil { // settings are checked when they are set
		return func() {}
	}
	release, err = w.listen(ctx, parsed, func() {
		go backend.Protect(w.log, "reading the clipboard", w.readClipboard)
	})
	if err != nil {
		w.log.Warn("the shortcut that reads the clipboard", "error", err)
		runtime.EventsEmit(w.view(), menuNoShortcut, keys)
		return func() {}
	}
	return release
}
