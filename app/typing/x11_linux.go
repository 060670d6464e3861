package typing

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
	"github.com/jezek/xgb/xtest"

	"github.com/voicewright/voicewright/app/internal/x11"
	"github.com/voicewright/voicewright/backend"
)

// How long programs get for their part of a paste.
const (
	managerTime   = 50 * time.Millisecond   // clipboard managers read a new selection
	modifierTime  = 1500 * time.Millisecond // the user lets go of the shortcut
	pasteTime     = 3 * time.Second         // the focused program asks for the text
	afterPaste    = 200 * time.Millisecond  // since it asked last
	clipboardTime = 2 * time.Second         // the owner of the former clipboard hands it over
	answerTime    = 500 * time.Millisecond  // one format of it
	pollTime      = 10 * time.Millisecond
)

// Symbols of keys (X11/keysymdef.h).
const (
	keysymShiftL = 0xffe1
	keysymInsert = 0xff63
)

// session pastes with Shift+Insert, which terminals take from the primary selection and other programs from the clipboard; so it
// owns both for a moment.
type session struct {
	conn      *xgb.Conn
	window    xproto.Window
	clipboard *clipboard
	ended     chan struct{}
}

func openX11(logger *slog.Logger) (desktop, error) {
	conn, err := x11.Connect()
	if err != nil {
		return nil, noDesktop(err)
	}
	s := &session{conn: conn, ended: make(chan struct{})}
	if err := s.prepare(); err != nil {
		conn.Close()
		return nil, noDesktop(err)
	}
	go func() {
		defer close(s.ended)
		backend.Protect(logger, "the clipboard", s.clipboard.serve)
	}()
	return s, nil
}

// prepare creates the window that owns and receives selections; it is never shown.
func (s *session) prepare() (err error) {
	if err := xtest.Init(s.conn); err != nil {
		return fmt.Errorf("find the extension for typing: %w", err)
	}
	if s.window, err = xproto.NewWindowId(s.conn); err != nil {
		return fmt.Errorf("create a window: %w", err)
	}
	screen := xproto.Setup(s.conn).DefaultScreen(s.conn)
	err = xproto.CreateWindowChecked(s.conn, 0, s.window, screen.Root, -1, -1, 1, 1, 0, xproto.WindowClassInputOnly, screen.RootVisual,
		xproto.CwOverrideRedirect|xproto.CwEventMask, []uint32{1, xproto.EventMaskPropertyChange}).Check()
	if err != nil {
		return fmt.Errorf("create a window: %w", err)
	}
	s.clipboard, err = newClipboard(s.conn, s.window)
	return err
}

func (s *session) close() {
	s.conn.Close()
	<-s.ended
}

func (s *session) copy(ctx context.Context, text string) error {
	return s.clipboard.own(ctx, s.clipboard.atoms["CLIPBOARD"], s.clipboard.text(text))
}

func (s *session) insert(ctx context.Context, text string) error {
	c := s.clipboard
	selections := []xproto.Atom{c.atoms["CLIPBOARD"], xproto.AtomPrimary}
	former := make([]formats, len(selections))
	for i, selection := range selections {
		former[i] = c.read(ctx, selection)
	}
	restore := context.WithoutCancel(ctx)
	for i, selection := range selections {
		if err := c.own(ctx, selection, c.text(text)); err != nil {
			return err
		}
		defer c.restore(restore, selection, former[i])
	}
	if err := wait(ctx, managerTime); err != nil {
		return err
	}
	if err := s.releaseModifiers(ctx); err != nil {
		return err
	}
	c.resetRequests()
	if err := s.pressPaste(); err != nil {
		return noDesktop(err)
	}
	return s.waitPasted(ctx)
}

// waitPasted waits until the focused program has read the text. Error: typing_unavailable when none does.
func (s *session) waitPasted(ctx context.Context) error {
	limit := time.NewTimer(pasteTime)
	defer limit.Stop()
	select {
	case <-s.clipboard.requested:
	case <-limit.C:
		return errNoField()
	case <-ctx.Done():
		return backend.ErrCancelled.WithCause(ctx.Err())
	}
	for { // programs may ask more than once, for the format first or for a long text in parts
		quiet := time.NewTimer(afterPaste)
		select {
		case <-s.clipboard.requested:
			quiet.Stop()
		case <-quiet.C:
			return nil
		}
	}
}

// releaseModifiers waits until the keys of the shortcut are up, and lets go of them itself when they are held for long: with
// them Shift+Insert would be another shortcut.
func (s *session) releaseModifiers(ctx context.Context) error {
	const held = xproto.ModMaskShift | xproto.ModMaskControl | xproto.ModMask1 | xproto.ModMask3 | xproto.ModMask4 | xproto.ModMask5
	root := xproto.Setup(s.conn).DefaultScreen(s.conn).Root
	for waited := time.Duration(0); ; waited += pollTime {
		pointer, err := xproto.QueryPointer(s.conn, root).Reply()
		switch {
		case err != nil:
			return noDesktop(err)
		case pointer.Mask&held == 0:
			return nil
		case waited >= modifierTime:
			return s.liftModifiers(held)
		}
		if err := wait(ctx, pollTime); err != nil {
			return err
		}
	}
}

// liftModifiers sends a release of each pressed key that is a modifier of the mask.
func (s *session) liftModifiers(mask uint16) error {
	keyboard, err := x11.ReadKeyboard(s.conn)
	if err != nil {
		return noDesktop(err)
	}
	codes, err := keyboard.Pressed(s.conn, mask)
	if err != nil {
		return noDesktop(err)
	}
	for _, code := range codes {
		if err := s.key(xproto.KeyRelease, code); err != nil {
			return noDesktop(err)
		}
	}
	return nil
}

// pressPaste types Shift+Insert.
func (s *session) pressPaste() error {
	keyboard, err := x11.ReadKeyboard(s.conn)
	if err != nil {
		return err
	}
	shifts, inserts := keyboard.Keycodes(keysymShiftL), keyboard.Keycodes(keysymInsert)
	if len(shifts) == 0 || len(inserts) == 0 {
		return errors.New("this keyboard has no Shift or no Insert")
	}
	shift, insert := shifts[0], inserts[0]
	for _, event := range []struct {
		kind byte
		code xproto.Keycode
	}{{xproto.KeyPress, shift}, {xproto.KeyPress, insert}, {xproto.KeyRelease, insert}, {xproto.KeyRelease, shift}} {
		if err := s.key(event.kind, event.code); err != nil {
			return err
		}
	}
	return nil
}

func (s *session) key(kind byte, code xproto.Keycode) error {
	return xtest.FakeInputChecked(s.conn, kind, byte(code), 0, xproto.WindowNone, 0, 0, 0).Check()
}

// wait waits for a time. Error: cancelled.
func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return backend.ErrCancelled.WithCause(ctx.Err())
	}
}
