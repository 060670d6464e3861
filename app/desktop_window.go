//go:build desktop

package app

import (
	"context"
	"slices"
	"time"

	"github.com/wailsapp/wails/v2/pkg/runtime"
)

// tellFocus lets the page tell whether it has the focus, which Wails does not know.
const tellFocus = `(() => {
	const tell = () => window.go.app.Bridge.Focused(document.hasFocus());
	addEventListener("focus", tell);
	addEventListener("blur", tell);
	tell();
})()`

// settle takes the window back to where it was, if that place is still there.
func (w *window) settle() {
	screens, err := w.screens()
	if err != nil || w.place.Maximised {
		return
	}
	place, placed := w.place.fit(screens)
	if place.Width != w.place.Width || place.Height != w.place.Height {
		runtime.WindowSetSize(w.view(), place.Width, place.Height)
	}
	if placed {
		runtime.WindowSetPosition(w.view(), place.X, place.Y)
	}
}

func (w *window) screens() ([]screenSize, error) {
	all, err := runtime.ScreenGetAll(w.view())
	if err != nil {
		return nil, err
	}
	sizes := make([]screenSize, len(all))
	for i, s := range all {
		sizes[i] = screenSize{Width: s.Size.Width, Height: s.Size.Height, Current: s.IsCurrent}
	}
	return sizes, nil
}

// remember keeps the window's place; of a maximised one, the size that it had before.
func (w *window) remember() {
	place := w.place
	place.Maximised = runtime.WindowIsMaximised(w.view())
	if runtime.WindowIsNormal(w.view()) {
		place.Width, place.Height = runtime.WindowGetSize(w.view())
		place.X, place.Y = runtime.WindowGetPosition(w.view())
	}
	var err error
	if place.Screens, err = w.screens(); err == nil {
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
	if question := w.words.question(w.work.busy()); question != "" && !w.running {
		answer, err := runtime.MessageDialog(w.view(), runtime.MessageDialogOptions{
			Type: runtime.QuestionDialog, Title: "Voicewright", Message: question,
			Buttons: []string{w.words.keepWorking, w.words.quitAnyway}, DefaultButton: w.words.keepWorking,
			CancelButton: w.words.keepWorking,
		})
		// Linux and Windows have buttons of their own: Yes and No.
		if err == nil && !slices.Contains([]string{"Yes", w.words.quitAnyway}, answer) {
			return true
		}
	}
	return w.leave()
}

// leave lets the window close, once: a signal is seen by Wails too, and GTK does not bear a second end.
func (w *window) leave() (keep bool) {
	if w.leaving.Swap(true) {
		return true
	}
	w.remember()
	return false
}

// watch follows the server's events until ctx ends, for the question above and for notifications.
func (w *window) watch(ctx context.Context) {
	const again = 2 * time.Second
	for ctx.Err() == nil {
		err := w.api.follow(ctx, "/events", func(data []byte) error {
			if ended := w.work.see(data); ended != nil && ended.long {
				w.notify(ended)
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
		ID: newID(), Title: w.words.notice(f), Body: w.words.seeApp,
	})
	if err != nil {
		w.log.Info("no notification", "error", err)
	}
}
