//go:build desktop

package desktop

import (
	"context"
	"net/http"
	system "runtime"
	"strings"

	"github.com/wailsapp/wails/v2/pkg/runtime"

	"github.com/voicewright/voicewright/app/tray"
	"github.com/voicewright/voicewright/backend"
)

// openTray shows the icon in the notification area, and returns a function that removes it. It must be called on the main
// thread.
func (w *window) openTray(ctx context.Context) (closeTray func()) {
	if system.GOOS == "linux" && !sessionBus() {
		w.log.Info("no icon in the notification area without a session bus")
		return func() {}
	}
	icon := tray.Open(w.log, "Voicewright", tray.Icon(), w.trayItems(ctx))
	w.relabel = func(t *texts) { icon.SetLabels(t.trayLabels()) }
	return icon.Close
}

// trayItems returns the entries of the icon's menu; trayLabels are their labels.
func (w *window) trayItems(ctx context.Context) []tray.Item {
	actions := []func(){
		func() { w.front("") },
		w.readClipboard,
		func() { w.dictate(ctx) },
		func() { runtime.Quit(w.view()) },
	}
	items := make([]tray.Item, len(actions))
	for i, label := range w.texts.Load().trayLabels() {
		items[i] = tray.Item{Label: label, Do: actions[i]}
	}
	return items
}

// trayLabels returns the entries of the tray's menu.
func (t texts) trayLabels() []string { return []string{t.show, t.readClipboard, t.dictate, t.quit} }

// readClipboard lets the page read the text of the clipboard aloud.
func (w *window) readClipboard() {
	text, err := runtime.ClipboardGetText(w.view())
	if err != nil { // also where it has no text
		w.log.Info("read the clipboard", "error", err)
	}
	runtime.EventsEmit(w.view(), menuReadAloud, strings.TrimSpace(text))
}

// dictate starts or ends a dictation. What prevents it is shown in the settings.
func (w *window) dictate(ctx context.Context) {
	var now backend.Dictation
	err := w.api.Call(ctx, http.MethodGet, "/dictation", nil, &now)
	if err == nil {
		path := "/dictation/start"
		if now.Status == backend.DictationRecording {
			path = "/dictation/stop"
		}
		err = w.api.Call(ctx, http.MethodPost, path, nil, nil)
	}
	if err != nil {
		w.log.Info("dictate", "error", err)
		runtime.EventsEmit(w.view(), menuDictation)
		w.front("")
	}
}
