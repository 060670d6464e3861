package shortcuts

import (
	"errors"
	"fmt"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"

	"github.com/voicewright/voicewright/app/internal/x11"
	"github.com/voicewright/voicewright/backend/shortcut"
)

// Symbols of keys (X11/keysymdef.h) that are not Latin-1 characters.
var keysyms = map[string]xproto.Keysym{
	"Space": 0x20, "Tab": 0xff09, "Enter": 0xff0d, "Backspace": 0xff08, "Insert": 0xff63, "Delete": 0xffff, "Home": 0xff50,
	"End": 0xff57, "PageUp": 0xff55, "PageDown": 0xff56, "Left": 0xff51, "Up": 0xff52, "Right": 0xff53, "Down": 0xff54,
	"Pause": 0xff13,
}

const (
	keysymF1      = 0xffbe
	keysymNumLock = 0xff7f
	keysymAltL    = 0xffe9
	keysymSuperL  = 0xffeb
)

// grab is a shortcut grabbed from an X server.
type grab struct {
	conn   *xgb.Conn
	code   xproto.Keycode
	action Action
	held   bool
}

// openX11 grabs the key on the root window, with and without the locks, because the server compares modifiers exactly.
func openX11(a Action) (source, string, error) {
	conn, err := x11.Connect()
	if err != nil {
		return nil, "", noDesktop(err)
	}
	g := &grab{conn: conn, action: a}
	if err := g.bind(a.Shortcut); err != nil {
		conn.Close()
		return nil, "", err
	}
	return g, a.Shortcut.String(), nil
}

func (g *grab) bind(s shortcut.Shortcut) error {
	keyboard, err := x11.ReadKeyboard(g.conn)
	if err != nil {
		return noDesktop(err)
	}
	codes := keyboard.Keycodes(keysym(s.Key))
	if len(codes) == 0 {
		return errUnavailable("taken", fmt.Sprintf("This keyboard has no key %s.", s.Key), "Choose another shortcut in Settings.")
	}
	g.code = codes[0]
	var want uint16
	for _, m := range []struct {
		on   bool
		mask uint16
	}{
		{s.Ctrl, xproto.ModMaskControl},
		{s.Shift, xproto.ModMaskShift},
		{s.Alt, keyboard.Mask(keysymAltL, xproto.ModMask1)},
		{s.Super, keyboard.Mask(keysymSuperL, xproto.ModMask4)},
	} {
		if m.on {
			want |= m.mask
		}
	}
	numLock := keyboard.Mask(keysymNumLock, xproto.ModMask2)
	root := xproto.Setup(g.conn).DefaultScreen(g.conn).Root
	for _, locks := range []uint16{0, xproto.ModMaskLock, numLock, xproto.ModMaskLock | numLock} {
		err := xproto.GrabKeyChecked(g.conn, false, root, want|locks, g.code, xproto.GrabModeAsync, xproto.GrabModeAsync).Check()
		var access xproto.AccessError
		switch {
		case errors.As(err, &access):
			return errTaken(s).WithCause(err)
		case err != nil:
			return noDesktop(err)
		}
	}
	return nil
}

// keysym returns the symbol of a key, as the unshifted key has it.
func keysym(key string) xproto.Keysym {
	if symbol, ok := keysyms[key]; ok {
		return symbol
	}
	if len(key) > 1 { // F1 to F24
		var n int
		_, _ = fmt.Sscanf(key, "F%d", &n)
		return keysymF1 + xproto.Keysym(n-1)
	}
	c := key[0]
	if c >= 'A' && c <= 'Z' {
		c += 'a' - 'A'
	}
	return xproto.Keysym(c)
}

func (g *grab) run() {
	for {
		event, err := g.conn.WaitForEvent()
		switch e := event.(type) {
		case xproto.KeyPressEvent:
			if e.Detail == g.code && !g.held {
				g.held = true
				g.action.Pressed()
			}
		case xproto.KeyReleaseEvent:
			// A held key repeats as pairs of release and press; then it is still down.
			if e.Detail == g.code && g.held && !g.down() {
				g.held = false
				g.action.Released()
			}
		case nil:
			if err == nil { // closed, or the server is gone
				return
			}
		}
	}
}

// down reports whether the key is down now.
func (g *grab) down() bool {
	keys, err := xproto.QueryKeymap(g.conn).Reply()
	return err == nil && keys.Keys[g.code/8]&(1<<(g.code%8)) != 0
}

func (g *grab) stop() { g.conn.Close() }
