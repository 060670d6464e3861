// Package shortcuts listens to shortcuts that work in every program. On Linux they are key grabs of the X server, or the
// desktop's portal where the session is Wayland; on macOS and Windows their own hot keys.
package shortcuts

import (
	"context"
	"fmt"
	"log/slog"
	"sync"

	"github.com/voicewright/voicewright/backend"
	"github.com/voicewright/voicewright/backend/shortcut"
)

// Action is what a shortcut does.
type Action struct {
	Name        string // its id for the desktop, such as dictation
	Description string // shown by desktops that list shortcuts
	Shortcut    shortcut.Shortcut
	// Pressed and Released are called one after the other from one goroutine, which they must not block. Held keys that repeat
	// are pressed once.
	Pressed, Released func()
}

// Listener calls the actions of its shortcuts until it is closed.
type Listener struct {
	close   sync.Once
	stop    func()
	ended   chan struct{}
	trigger string
}

// Close frees the shortcuts and waits until no action runs.
func (l *Listener) Close() {
	l.close.Do(l.stop)
	<-l.ended
}

// Trigger returns how the desktop says that the shortcut is typed, which can differ from the requested one on Wayland; empty if
// unknown.
func (l *Listener) Trigger() string { return l.trigger }

// source is one way to get shortcuts.
type source interface {
	// run handles keys until stop is called.
	run()
	stop()
}

// Listen begins to listen to a shortcut. Error: shortcut_unavailable, with params reason taken, no_desktop or forbidden.
func Listen(ctx context.Context, log *slog.Logger, a Action) (*Listener, error) {
	s, trigger, err := open(ctx, a)
	if err != nil {
		return nil, err
	}
	l := &Listener{stop: s.stop, ended: make(chan struct{}), trigger: trigger}
	go func() {
		defer close(l.ended)
		backend.Protect(log, "global shortcuts", s.run)
	}()
	return l, nil
}

func errUnavailable(reason, detail, remedy string) *backend.Error {
	return backend.E(backend.CodeShortcutUnavailable, detail, remedy).With("reason", reason)
}

func errTaken(s shortcut.Shortcut) *backend.Error {
	return errUnavailable("taken", fmt.Sprintf("Another program uses %s already.", s), "Choose another shortcut in Settings.")
}

func noDesktop(cause error) error {
	e := errUnavailable("no_desktop", "There is no desktop session to listen to shortcuts in.",
		"Start Voicewright in your desktop session, or use the button on the page.")
	return e.WithCause(cause)
}
