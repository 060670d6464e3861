//go:build desktop

package desktop

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/wailsapp/wails/v2/pkg/runtime"

	"github.com/voicewright/voicewright/backend"
)

// pageScript runs in each page after it was loaded. It makes the page report its focus, which Wails does not know, its language
// and its title. It also turns the error of a failed call back into the object of the API, as Wails passes only a text.
const pageScript = `(() => {
	const bridge = window.go.desktop.Bridge, root = document.documentElement;
	for (const [name, call] of Object.entries(bridge)) {
		bridge[name] = (...args) => call(...args).catch((error) => {
			let parsed;
			try { parsed = JSON.parse(error.message); } catch { throw error; }
			throw parsed;
		});
	}
	const focus = () => bridge.SetFocused(document.hasFocus()), language = () => bridge.SetLanguage(root.lang);
	const title = () => bridge.SetTitle(document.title);
	addEventListener("focus", focus);
	addEventListener("blur", focus);
	new MutationObserver(language).observe(root, { attributeFilter: ["lang"] });
	new MutationObserver(title).observe(document.querySelector("title"), { childList: true });
	focus();
	language();
	title();
})()`

// restorePlacement moves the window to where it was when it was closed, if that is still on a screen.
func (w *window) restorePlacement() {
	_, screens, err := w.currentPlacement()
	if err != nil {
		w.log.Info("read the screens", "error", err)
		return
	}
	w.setPlacement(w.placement.fit(screens))
}

// savePlacement saves the placement of the window and the language of the page.
func (w *window) savePlacement() {
	current, _, err := w.currentPlacement()
	if err == nil {
		current.Language = *w.language.Load()
		err = current.save(w.data)
	}
	if err != nil {
		w.log.Info("the placement of the window was not saved", "error", err)
	}
}

// beforeClose is called before the window closes; it returns true to keep it open. It asks the user when jobs would end with
// the window, but not when the program is stopped.
func (w *window) beforeClose(ctx context.Context) bool {
	if ctx.Err() != nil {
		return w.close()
	}
	if !w.asking.TryLock() {
		return true // the question is already shown
	}
	defer w.asking.Unlock()
	labels := w.texts.Load()
	question := labels.quitQuestion(w.jobs.running())
	if question != "" && !w.running && !w.confirm(question, labels.quitAnyway, labels.keepWorking) {
		return true
	}
	return w.close()
}

// close prepares the window for closing and returns false, the first time. Wails handles signals too, and GTK fails when a
// window is closed twice.
func (w *window) close() (keep bool) {
	if w.closing.Swap(true) {
		return true
	}
	w.closeDialogs()
	w.savePlacement()
	if err := w.instance.stopListening(); err != nil {
		w.log.Info("stop listening for a second start", "error", err)
	}
	return false
}

// followEvents follows the events of the server until ctx ends, for the question above and for notifications.
func (w *window) followEvents(ctx context.Context) {
	const retryDelay = 2 * time.Second
	for ctx.Err() == nil {
		err := w.api.Follow(ctx, "/events", func(data []byte) error {
			if string(data) == "{}" { // an event without data: the settings have changed, or something else
				select {
				case w.changed <- struct{}{}:
				default: // announced already
				}
			}
			if ended := w.jobs.handle(data); ended != nil && ended.long {
				// A notification service may be slow.
				go backend.Protect(w.log, "a notification", func() { w.notify(ended) })
			}
			return nil
		})
		w.log.Debug("the events of the server ended", "error", err)
		w.jobs.reset() // the next stream begins with the running jobs
		select {
		case <-ctx.Done():
		case <-time.After(retryDelay):
		}
	}
}

// notify shows a notification about a long job that ended while the user was in another window.
func (w *window) notify(f *finished) {
	if w.focused.Load() && !runtime.WindowIsMinimised(w.view()) {
		return
	}
	if granted, err := runtime.RequestNotificationAuthorization(w.view()); err != nil || !granted {
		return
	}
	err := runtime.SendNotification(w.view(), runtime.NotificationOptions{
		ID: uuid.NewString(), Title: w.texts.Load().notification(f), Body: w.texts.Load().seeApp,
	})
	if err != nil {
		w.log.Info("show a notification", "error", err)
	}
}
