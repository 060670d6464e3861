//go:build desktop

package desktop

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/wailsapp/wails/v2/pkg/runtime"

	"github.com/voicewright/voicewright/backend"
)

// greetPage runs in each page that was loaded. It lets the page tell whether it has the focus, which Wails does not know,
// and which language it speaks; and it makes of a failed call what the API says, as Wails makes an Error of a text.
const greetPage = `(() => {
	const bridge = window.go.desktop.Bridge, root = document.documentElement;
	for (const [name, call] of Object.entries(bridge)) {
		bridge[name] = (...given) => call(...given).catch((error) => {
			let said;
			try { said = JSON.parse(error.message); } catch { throw error; }
			throw said;
		});
	}
	const focus = () => bridge.Focused(document.hasFocus()), language = () => bridge.Speaks(root.lang);
	addEventListener("focus", focus);
	addEventListener("blur", focus);
	new MutationObserver(language).observe(root, { attributeFilter: ["lang"] });
	focus();
	language();
})()`

// settle takes the window back to where it was, if that place is still there.
func (w *window) settle() {
	_, screens, err := w.look()
	if err != nil {
		w.log.Info("the screens are unknown", "error", err)
		return
	}
	w.put(w.place.fit(screens))
}

// remember keeps the window's place.
func (w *window) remember() {
	place, _, err := w.look()
	if err == nil {
		place.Language = *w.spoken.Load()
		err = place.save(w.data)
	}
	if err != nil {
		w.log.Info("the window's place is not kept", "error", err)
	}
}

// keep is asked before the window closes: true keeps it open. It asks the user while work goes on that would end with
// the window, but not when the whole program is to stop.
func (w *window) keep(ctx context.Context) bool {
	if ctx.Err() != nil {
		return w.leave()
	}
	if !w.asking.TryLock() {
		return true // the question is on the screen
	}
	defer w.asking.Unlock()
	words := w.words.Load()
	question := words.question(w.work.busy())
	if question != "" && !w.running && !w.confirm(question, words.quitAnyway, words.keepWorking) {
		return true
	}
	return w.leave()
}

// leave lets the window close, once: a signal is seen by Wails too, and GTK does not bear a second end.
func (w *window) leave() (keep bool) {
	if w.leaving.Swap(true) {
		return true
	}
	w.closeDialogs()
	w.remember()
	if err := w.door.deafen(); err != nil {
		w.log.Info("a second start may knock in vain", "error", err)
	}
	return false
}

// watch follows the server's events until ctx ends, for the question above and for notifications.
func (w *window) watch(ctx context.Context) {
	const again = 2 * time.Second
	for ctx.Err() == nil {
		err := w.api.Follow(ctx, "/events", func(data []byte) error {
			if ended := w.work.see(data); ended != nil && ended.long {
				// A notification service may take its time.
				go backend.Protect(w.log, "a notification", func() { w.notify(ended) })
			}
			return nil
		})
		w.log.Debug("the server's events ended", "error", err)
		w.work.forget() // what goes on is told again
		select {
		case <-ctx.Done():
		case <-time.After(again):
		}
	}
}

// notify tells of a long job that ended while the user looked elsewhere.
func (w *window) notify(f *finished) {
	if w.focused.Load() && !runtime.WindowIsMinimised(w.view()) {
		return
	}
	if granted, err := runtime.RequestNotificationAuthorization(w.view()); err != nil || !granted {
		return
	}
	err := runtime.SendNotification(w.view(), runtime.NotificationOptions{
		ID: uuid.NewString(), Title: w.words.Load().notice(f), Body: w.words.Load().seeApp,
	})
	if err != nil {
		w.log.Info("no notification", "error", err)
	}
}
