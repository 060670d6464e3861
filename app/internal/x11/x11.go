// Package x11 connects to the X server of the session and reads its keyboard.
package x11

import (
	"fmt"
	"io"
	"log"
	"sync"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
)

// quiet discards what the library writes to stderr: its methods return the same as errors.
var quiet = sync.OnceFunc(func() { xgb.Logger = log.New(io.Discard, "", 0) })

// Connect connects to the server that DISPLAY names.
func Connect() (*xgb.Conn, error) {
	quiet()
	return xgb.NewConn()
}

// Keyboard is which key has which symbols.
type Keyboard struct {
	first     xproto.Keycode
	perKey    int
	symbols   []xproto.Keysym
	modifiers map[xproto.Keycode]uint16
}

// ReadKeyboard returns the keyboard of the server.
func ReadKeyboard(conn *xgb.Conn) (Keyboard, error) {
	setup := xproto.Setup(conn)
	keys, err := xproto.GetKeyboardMapping(conn, setup.MinKeycode, byte(setup.MaxKeycode-setup.MinKeycode+1)).Reply()
	if err != nil {
		return Keyboard{}, fmt.Errorf("read the keyboard: %w", err)
	}
	mapping, err := xproto.GetModifierMapping(conn).Reply()
	if err != nil {
		return Keyboard{}, fmt.Errorf("read the modifiers: %w", err)
	}
	k := Keyboard{setup.MinKeycode, int(keys.KeysymsPerKeycode), keys.Keysyms, map[xproto.Keycode]uint16{}}
	for i, code := range mapping.Keycodes {
		if code != 0 {
			k.modifiers[code] |= 1 << (i / int(mapping.KeycodesPerModifier))
		}
	}
	return k, nil
}

// Keycodes returns the keys with a symbol (X11/keysymdef.h).
func (k Keyboard) Keycodes(symbol xproto.Keysym) (codes []xproto.Keycode) {
	for i, s := range k.symbols {
		if s == symbol {
			codes = append(codes, k.first+xproto.Keycode(i/k.perKey))
		}
	}
	return codes
}

// Mask returns the modifier mask of a symbol such as Alt_L, usual if it is on no modifier.
func (k Keyboard) Mask(symbol xproto.Keysym, usual uint16) uint16 {
	for _, code := range k.Keycodes(symbol) {
		if m := k.modifiers[code]; m != 0 {
			return m
		}
	}
	return usual
}

// Pressed returns the pressed keys whose modifier is in the mask.
func (k Keyboard) Pressed(conn *xgb.Conn, mask uint16) (codes []xproto.Keycode, err error) {
	keys, err := xproto.QueryKeymap(conn).Reply()
	if err != nil {
		return nil, fmt.Errorf("read the pressed keys: %w", err)
	}
	for code, modifier := range k.modifiers {
		if modifier&mask != 0 && keys.Keys[code/8]&(1<<(code%8)) != 0 {
			codes = append(codes, code)
		}
	}
	return codes, nil
}
