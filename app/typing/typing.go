// Package typing inserts text into the focused text field of any program, and sets the clipboard. On X11 and macOS the text is
// pasted and the clipboard restored; on Windows it is typed. On Wayland programs may only set the clipboard.
package typing

import (
	"context"
	"log/slog"
	"sync"

	"github.com/voicewright/voicewright/backend"
)

// desktop is the desktop session.
type desktop interface {
	insert(ctx context.Context, text string) error
	copy(ctx context.Context, text string) error
	close()
}

// Typist inserts text. It connects to the desktop at its first use. It is safe for concurrent use.
type Typist struct {
	log *slog.Logger

	mu      sync.Mutex // one text at a time
	session desktop
}

// New returns a Typist. Close ends it.
func New(log *slog.Logger) *Typist { return &Typist{log: log} }

// Insert puts text into the focused text field and leaves the clipboard as it was. Errors: typing_unavailable, with params
// reason no_desktop, forbidden or no_field; cancelled.
func (t *Typist) Insert(ctx context.Context, text string) error {
	return t.with(func(d desktop) error { return d.insert(ctx, text) })
}

// Copy puts text onto the clipboard. Errors: typing_unavailable, cancelled.
func (t *Typist) Copy(ctx context.Context, text string) error {
	return t.with(func(d desktop) error { return d.copy(ctx, text) })
}

// with calls use with an open session.
func (t *Typist) with(use func(desktop) error) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.session == nil {
		session, err := open(t.log)
		if err != nil {
			return err
		}
		t.session = session
	}
	return use(t.session)
}

// Close disconnects from the desktop. A clipboard that this process serves is empty from then on, unless a clipboard manager
// has stored it.
func (t *Typist) Close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.session != nil {
		t.session.close()
		t.session = nil
	}
}

func errUnavailable(reason, detail, remedy string) *backend.Error {
	return backend.E(backend.CodeTypingUnavailable, detail, remedy).With("reason", reason)
}

func noDesktop(cause error) error {
	return errUnavailable("no_desktop", "There is no desktop session to type in.",
		"Start Voicewright in your desktop session, or copy the text from the page.").WithCause(cause)
}

func errNoField() error {
	return errUnavailable("no_field", "No text field took the text.",
		"Click into a text field before you dictate, or copy the text from the page.")
}
